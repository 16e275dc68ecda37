"""``fnmodule-lint``: its commands. Exit status 0 nothing found, 1 findings, 2 error."""

from __future__ import annotations

import argparse
import gc
import os
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from fnmodule_lint.check_command import FORMATS, check
from fnmodule_lint.engine import Engine
from fnmodule_lint.rules import RULES
from fnmodule_lint.selection import wanted

CLEAN, FOUND, FAILED = 0, 1, 2
_QUIET_SECONDS = 1.0


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line ``arguments`` (default: the process's); return the exit status."""
    # One short run makes no garbage worth collecting, and the end of the process frees all.
    gc.disable()
    try:
        return _main(arguments)
    finally:
        gc.freeze()


def _main(arguments: Sequence[str] | None) -> int:
    _replace_closed_streams()
    parser = _parser()
    options = parser.parse_args(arguments)
    command: Callable[[argparse.Namespace], int] = options.run
    try:
        status = command(options)
        sys.stdout.flush()
        return status
    except BrokenPipeError:
        _drop_output()
        return FOUND
    except OSError as error:
        _drop_output()
        print(f"fnmodule-lint: error: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return FAILED


def _replace_closed_streams() -> None:
    """Where the caller closed them Python has None, which nothing can be written to."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115


def _drop_output() -> None:
    """Let what is still buffered go nowhere, or the interpreter fails once more at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Version(argparse.Action):
    """Reads the version only when it is asked for."""

    def __call__(self, parser: argparse.ArgumentParser, *unused: object) -> None:
        from fnmodule_lint import __version__

        print(f"fnmodule-lint {__version__}")
        parser.exit()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="fnmodule-lint",
        description="Finds autograd Functions applied where no module can see them.",
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    _add_check(commands.add_parser("check", help="lint files and folders"))
    _add_fix(commands.add_parser("fix", help="rewrite what has a fix"))
    _add_report(commands.add_parser("report", help="write a page to look at"))
    vendor = commands.add_parser("vendor", help="copy FunctionModule into your own package")
    vendor.add_argument("path", metavar="PATH", type=Path, help="a package folder, or a new file")
    vendor.set_defaults(run=_vendor)
    rule = commands.add_parser("rule", help="explain a rule")
    rule.add_argument("code", nargs="?", help="a code such as FNM101, or a symbol")
    rule.add_argument("--all", action="store_true", help="every rule")
    rule.add_argument("--markdown", metavar="DIR", type=Path, help="write pages into DIR")
    rule.set_defaults(run=_rule)
    doctor = commands.add_parser("doctor", help="say which tools here load the plugins")
    doctor.set_defaults(run=_doctor)
    return parser


def _add_check(check: argparse.ArgumentParser) -> None:
    check.add_argument("paths", nargs="*", metavar="PATH", help="default: this folder; - is stdin")
    check.add_argument("--format", choices=FORMATS, default="text")
    check.add_argument("--output", metavar="FILE", type=Path, help="write there, not to the screen")
    _add_selection(check)
    known = check.add_mutually_exclusive_group()
    known.add_argument(
        "--baseline", metavar="FILE", type=Path, help="only findings that FILE does not know"
    )
    known.add_argument(
        "--write-baseline", metavar="FILE", type=Path, help="let FILE know all findings"
    )
    check.add_argument("--statistics", action="store_true", help="count the findings by code")
    check.add_argument(
        "--stdin-filename", metavar="PATH", default="stdin.py", help="what to call standard input"
    )
    check.set_defaults(run=_check)


def _add_fix(fix: argparse.ArgumentParser) -> None:
    fix.add_argument("paths", nargs="*", metavar="PATH", help="default: this folder")
    fix.add_argument("--diff", action="store_true", help="show the changes, write nothing")
    fix.add_argument("--unsafe", action="store_true", help="also fixes that move work")
    _add_selection(fix)
    fix.set_defaults(run=_fix)


def _add_report(report: argparse.ArgumentParser) -> None:
    report.add_argument("paths", nargs="*", metavar="PATH", help="default: this folder")
    report.add_argument(
        "--output",
        metavar="FILE",
        type=Path,
        default=Path("fnmodule-report.html"),
        help="default: %(default)s",
    )
    _add_selection(report)
    report.set_defaults(run=_report)


def _add_selection(check: argparse.ArgumentParser) -> None:
    check.add_argument(
        "--select",
        metavar="CODES",
        type=_codes,
        action="extend",
        default=[],
        help="only these codes or prefixes, comma-separated; repeatable",
    )
    check.add_argument(
        "--ignore",
        metavar="CODES",
        type=_codes,
        action="extend",
        default=[],
        help="none of these; likewise",
    )
    check.add_argument(
        "--exclude",
        metavar="GLOBS",
        type=_globs,
        action="extend",
        default=[],
        help="leave these out, comma-separated; repeatable",
    )


def _globs(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _codes(text: str) -> tuple[str, ...]:
    codes = tuple(part.strip().upper() for part in text.split(",") if part.strip())
    for code in codes:
        if not any(known.startswith(code) for known in RULES):
            known = ", ".join(RULES)
            raise argparse.ArgumentTypeError(f"no rule starts with {code!r}; the rules: {known}")
    return codes


# -- check and fix ---------------------------------------------------------------------------


def _check(options: argparse.Namespace) -> int:
    progress = _Progress(sys.stderr)
    try:
        return check(Engine(exclude=options.exclude, progress=progress), options)
    finally:
        progress.end()


def _fix(options: argparse.Namespace) -> int:
    from fnmodule_lint.fix_command import fix

    progress = _Progress(sys.stderr)
    engine = Engine(exclude=options.exclude, progress=progress)
    try:
        return fix(
            engine,
            [Path(path) for path in options.paths or ["."]],
            lambda findings: wanted(engine, findings, options.select, options.ignore),
            diff=options.diff,
            unsafe=options.unsafe,
        )
    finally:
        progress.end()


def _report(options: argparse.Namespace) -> int:
    from fnmodule_lint.report_command import report

    progress = _Progress(sys.stderr)
    engine = Engine(exclude=options.exclude, progress=progress)
    paths = [Path(path) for path in options.paths or ["."]]
    try:
        return report(engine, paths, options.output, options.select, options.ignore)
    finally:
        progress.end()


class _Progress:
    """Says on a terminal what is being done, once the run has taken a while.

    A timer says it, because one project alone can take long after it was begun.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._begin = time.monotonic()
        self._timer: threading.Timer | None = None

    def __call__(self, message: str) -> None:
        self.end()
        if self._stream.isatty():
            wait = max(self._begin + _QUIET_SECONDS - time.monotonic(), 0.0)
            self._timer = threading.Timer(wait, self._say, [message])
            self._timer.daemon = True
            self._timer.start()

    def end(self) -> None:
        """Say no more about what was last begun."""
        if self._timer is not None:
            self._timer.cancel()

    def _say(self, message: str) -> None:
        print(f"{message} ...", file=self._stream, flush=True)


# -- vendor, rule and doctor -----------------------------------------------------------------------


def _vendor(options: argparse.Namespace) -> int:
    from fnmodule_lint.vendor_command import vendor

    return vendor(options.path)


def _rule(options: argparse.Namespace) -> int:
    from fnmodule_lint.rule_pages import explain, write_pages

    if options.markdown is not None:
        try:
            write_pages(options.markdown)
        except OSError as error:
            print(f"{options.markdown}: cannot be written: {error.strerror}", file=sys.stderr)
            return FAILED
        return CLEAN
    if options.all:
        print("\n\n".join(explain(rule) for rule in RULES.values()))
        return CLEAN
    by_name = {rule.symbol: rule for rule in RULES.values()} | RULES
    by_name |= {rule.pylint_id: rule for rule in RULES.values()}
    name = options.code or ""
    found = by_name.get(name.upper()) or by_name.get(name)
    if found is None:
        known = "\n".join(f"  {rule.code}  {rule.symbol}" for rule in RULES.values())
        print(f"no rule {name!r}; the rules are\n{known}", file=sys.stderr)
        return FAILED
    print(explain(found))
    return CLEAN


def _doctor(options: argparse.Namespace) -> int:
    from fnmodule_lint.doctor import PROBLEM, examine

    lines = list(examine(Path.cwd()))
    print("\n".join(lines))
    return FOUND if any(line.startswith(PROBLEM) for line in lines) else CLEAN
