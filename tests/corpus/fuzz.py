"""Lint damaged files of published packages: the nightly form of tests/test_fuzz.py.

    python tests/corpus/fuzz.py FOLDER [COUNT]

Takes the Python files below FOLDER that hold ``apply``, COUNT damaged ones in all (20,000). Prints
the inputs tried, how many of them could be parsed, and every failure; fails if there is one.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from mutations import mutated

from fnmodule_lint.engine import Engine, Report

TOO_LONG = 20.0
"""Seconds for one input."""


def main() -> int:
    folder = Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 20_000
    files = sorted(file for file in folder.rglob("*.py") if b"apply" in file.read_bytes())
    failures = parsed = 0
    engine = Engine()
    for number in range(count):
        file = files[number % len(files)]
        if number % len(files) == 0:
            engine = Engine()
        data = mutated(file.read_bytes(), number)
        begin = time.monotonic()
        wrong, report = _tried(engine, file, data)
        if time.monotonic() - begin > TOO_LONG:
            wrong = f"took {time.monotonic() - begin:.0f} s"
        engine.forget_text(str(file.absolute()))
        parsed += not report.problems
        if wrong:
            failures += 1
            print(f"{file} #{number}: {wrong}", flush=True)
    print(f"{count} inputs from {len(files)} files, {parsed} parsed, {failures} failures")
    return 1 if failures else 0


def _tried(engine: Engine, file: Path, data: bytes) -> tuple[str, Report]:
    try:
        report = engine.check_text(file, data)
    except Exception as error:
        return f"{type(error).__name__}: {error}", Report()
    errors = [item.message for item in report.problems if "internal error" in item.message]
    return (errors[0] if errors else ""), report


if __name__ == "__main__":
    sys.exit(main())
