"""``fnmodule-lint fix``: rewrites what has a fix, or shows what it would."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterator
from pathlib import Path

from fnmodule_lint.engine import Engine
from fnmodule_lint.findings import Finding
from fnmodule_lint.fixes.apply import Fixer, Outcome, Select
from fnmodule_lint.fixes.write import write
from fnmodule_lint.json_report import display_path
from fnmodule_lint.source import SourceError
from fnmodule_lint.text_report import problem_line

CLEAN, FOUND, FAILED = 0, 1, 2


def fix(engine: Engine, paths: list[Path], select: Select, *, diff: bool, unsafe: bool) -> int:
    """Fix the files below ``paths``, or print a diff; returns the exit status.

    0: nothing is left to fix, 1: findings remain (or a diff was shown), 2: could not run.
    """
    try:
        from fnmodule_lint.fixes.rewrite import rewrite
    except ImportError:
        print(
            "fnmodule-lint: error: fixes need LibCST: pip install 'fnmodule-lint[fix]'",
            file=sys.stderr,
        )
        return FAILED
    outcome = Fixer(engine, paths, select, rewrite).run(unsafe=unsafe)
    failed = [problem_line(problem) for problem in outcome.problems]
    if diff:
        for path in sorted(outcome.texts):
            sys.stdout.writelines(_diff(engine.original(path), outcome.texts[path], path))
    else:
        failed += _written(engine, outcome)
    for line in failed:
        print(line, file=sys.stderr)
    _summary(outcome, diff=diff)
    if any(problem.asked for problem in outcome.problems) or len(failed) > len(outcome.problems):
        return FAILED
    return FOUND if outcome.left or (diff and outcome.texts) else CLEAN


def _written(engine: Engine, outcome: Outcome) -> list[str]:
    """Write the changed files; returns a line for each that could not be."""
    failed = []
    for path in sorted(outcome.texts):
        try:
            write(path, outcome.texts[path], engine.bytes_on_disk(path))
        except SourceError as error:
            failed.append(f"{display_path(path)}: error: {error.message}")
    return failed


def _diff(before: str, after: str, path: str) -> Iterator[str]:
    name = display_path(path)
    for line in difflib.unified_diff(
        before.splitlines(keepends=True), after.splitlines(keepends=True), name, name
    ):
        yield line if line.endswith(("\n", "\r")) else f"{line}\n\\ No newline at end of file\n"


def _summary(outcome: Outcome, *, diff: bool) -> None:
    stream = sys.stderr if diff else sys.stdout
    for finding, reason in outcome.left:
        print(f"{_place(finding)}: {finding.code} not fixed: {reason}", file=stream)
    fixed, files, left = len(outcome.fixed), len(outcome.texts), len(outcome.left)
    done = "would fix" if diff else "fixed"
    print(
        f"{done} {fixed} finding{'' if fixed == 1 else 's'} in {files} "
        f"file{'' if files == 1 else 's'}, {left} left",
        file=stream,
    )


def _place(finding: Finding) -> str:
    return f"{display_path(finding.path)}:{finding.line}:{finding.column + 1}"
