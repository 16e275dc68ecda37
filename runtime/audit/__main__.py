"""``python -m runtime.audit``: run a script, or a module, and say what it applied unseen."""

from __future__ import annotations

import argparse
import os
import runpy
import sys
from collections.abc import Sequence
from pathlib import Path

from runtime.audit.recorder import audit
from runtime.audit.report import Report


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what the arguments name, then write the table to standard error.

    The script's own output, exit status and errors stay as they are.
    """
    options = _parser().parse_args(arguments)
    target = options.module or options.script
    if target is None:
        _parser().error("name a script, or a module after -m")
    rest = [options.script, *options.arguments] if options.module else options.arguments
    sys.argv = [target, *(item for item in rest if item is not None)]
    # Compiled code would not pass through Function.apply.
    os.environ.setdefault("TORCH_COMPILE_DISABLE", "1")
    os.environ.setdefault("TORCHDYNAMO_DISABLE", "1")
    with audit() as report:
        try:
            if options.module:
                runpy.run_module(target, run_name="__main__", alter_sys=True)
            else:
                sys.path[0] = os.path.dirname(os.path.abspath(target))
                runpy.run_path(target, run_name="__main__")
        finally:
            _write(report, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m runtime.audit",
        description="Runs a script and says which autograd Functions it applied unseen.",
    )
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the sites as JSON too")
    parser.add_argument(
        "--compare",
        metavar="FILE",
        type=Path,
        help="compare with the output of fnmodule-lint check --format json",
    )
    parser.add_argument("-m", dest="module", metavar="MODULE", help="run a module, as python -m")
    parser.add_argument("script", nargs="?", metavar="SCRIPT")
    parser.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGUMENT")
    return parser


def _write(report: Report, options: argparse.Namespace) -> None:
    print(report.table(), file=sys.stderr)
    try:
        if options.json is not None:
            options.json.write_text(report.to_json() + "\n", "utf-8")
        if options.compare is not None:
            text = options.compare.read_text("utf-8")
            print(report.compare(text).table(), file=sys.stderr)
    except (OSError, ValueError) as error:
        print(f"runtime.audit: error: {error}", file=sys.stderr)


if __name__ == "__main__":
    main()
