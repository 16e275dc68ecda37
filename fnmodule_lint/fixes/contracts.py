"""FNM301: the contract says ``region_dispatch=False``."""

from __future__ import annotations

from fnmodule_lint.checks.plans import DISPATCH
from fnmodule_lint.findings import Finding, Span
from fnmodule_lint.fixes.edits import Argument, Declined, Fix
from fnmodule_lint.source import is_yaml


def plan(finding: Finding) -> Fix | Declined:
    """The fix of one contract; the finding's span is that of the spec's call."""
    if is_yaml(finding.path):
        return Declined("plan files are not rewritten")
    span = Span(finding.path, finding.line, finding.column, finding.end_line, finding.end_column)
    return Fix(f"Add {DISPATCH}=False", (Argument(span, DISPATCH, "False"),))
