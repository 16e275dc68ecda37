"""Findings as JSON: a list of objects, lines and columns from 1."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping

from fnmodule_lint.findings import Finding
from fnmodule_lint.fixes.edits import Fix


def as_json(findings: Iterable[Finding], fixes: Mapping[Finding, Fix]) -> str:
    """The findings as a JSON list; paths are relative to the current folder where below it.

    ``fix`` is what ``fnmodule-lint fix`` would do about a finding, null where nothing.
    """
    rows = [
        {
            "path": display_path(finding.path),
            "line": finding.line,
            "column": finding.column + 1,
            "end_line": finding.end_line,
            "end_column": finding.end_column + 1,
            "code": finding.code,
            "symbol": finding.symbol,
            "message": finding.message,
            "chain": [
                {"path": display_path(step.path), "line": step.line, "name": step.name}
                for step in finding.chain
            ],
            "fix": _fix(fixes.get(finding)),
        }
        for finding in findings
    ]
    return json.dumps(rows, indent=2, ensure_ascii=True)


def _fix(fix: Fix | None) -> dict[str, object] | None:
    return None if fix is None else {"title": fix.title, "safe": fix.safe}


def display_path(path: str) -> str:
    """``path`` as a person would write it here: relative if it is below this folder."""
    here = os.path.join(os.getcwd(), "")
    return path[len(here) :] if path.startswith(here) else path
