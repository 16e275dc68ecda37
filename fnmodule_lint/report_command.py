"""``fnmodule-lint report``: the findings as one page for a browser."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from fnmodule_lint.engine import Engine
from fnmodule_lint.fixes.plans import fixes_for
from fnmodule_lint.html.page import page
from fnmodule_lint.selection import wanted
from fnmodule_lint.text_report import problem_line

CLEAN, FAILED = 0, 2


def report(
    engine: Engine,
    paths: list[Path],
    output: Path,
    select: Sequence[str],
    ignore: Sequence[str],
) -> int:
    """Write the page about the files below ``paths`` to ``output``; returns the exit status.

    0: it is written, whatever was found. 2: something could not be linted.
    """
    checked = engine.check_paths(paths)
    findings = wanted(engine, checked.findings, select, ignore)
    text = page(findings, fixes_for(engine, findings), checked.files)
    output.write_text(text, "utf-8")
    print(f"{output}: {len(findings)} finding{'' if len(findings) == 1 else 's'}")
    for problem in checked.problems:
        print(problem_line(problem), file=sys.stderr)
    return FAILED if any(problem.asked for problem in checked.problems) else CLEAN
