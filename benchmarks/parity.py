"""Compare what flake8, pylint and the command line find in whole packages.

    python benchmarks/parity.py FOLDER [FOLDER ...]

Prints one line a folder and each difference by (path, line, code); exits 1 if there is any.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections import Counter
from pathlib import Path

from fnmodule_lint.rules import RULES

FLAKE8 = re.compile(r"(.+?):(\d+):\d+: (FNM\d{3}) ")
BY_SYMBOL = {rule.symbol: rule.code for rule in RULES.values()}
Places = Counter[tuple[str, int, str]]


def run(*arguments: str, cwd: Path) -> str:
    command = [sys.executable, "-m", *arguments]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False).stdout


def by_command_line(root: Path) -> Places:
    rows = json.loads(run("fnmodule_lint", "check", "--format", "json", ".", cwd=root))
    return Counter((row["path"], row["line"], row["code"]) for row in rows)


def by_flake8(root: Path) -> Places:
    out = run("flake8", "--isolated", "--select", "FNM", "-j", "2", ".", cwd=root)
    matches = [match for line in out.splitlines() if (match := FLAKE8.match(line))]
    return Counter((match[1].removeprefix("./"), int(match[2]), match[3]) for match in matches)


def by_pylint(root: Path) -> Places:
    files = sorted(str(file.relative_to(root)) for file in root.rglob("*.py"))
    out = run(
        "pylint", "--rcfile=/dev/null", "--load-plugins=fnmodule_lint", "--disable=all",
        f"--enable={','.join(BY_SYMBOL)}", "--output-format=json", "--score=n", "-j", "2", *files,
        cwd=root,
    )  # fmt: skip
    rows = json.loads(out)
    return Counter((row["path"], row["line"], BY_SYMBOL[row["symbol"]]) for row in rows)


def main() -> int:
    differ = False
    for folder in map(Path, sys.argv[1:]):
        ours = by_command_line(folder)
        print(f"{folder.name}: {sum(ours.values())} findings", flush=True)
        for name, other in (("flake8", by_flake8(folder)), ("pylint", by_pylint(folder))):
            for place in sorted((ours - other) | (other - ours)):
                differ = True
                print(f"  {'only' if other[place] > ours[place] else 'not'} in {name}: {place}")
    print("the front-ends differ" if differ else "the front-ends agree")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
