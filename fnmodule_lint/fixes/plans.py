"""The plans for all findings of a run, over the engine's analyses."""

from __future__ import annotations

from collections.abc import Iterable

from fnmodule_lint.engine import Engine
from fnmodule_lint.findings import Finding
from fnmodule_lint.fixes.edits import Declined, Fix
from fnmodule_lint.fixes.planner import Planner


def fixes_for(engine: Engine, findings: Iterable[Finding]) -> dict[Finding, Fix | Declined]:
    """What can be done about each of the last run's findings, before it is tried.

    A plan that cannot be made for a reason of ours is none: the finding counts all the same.
    """
    planners: dict[int, Planner] = {}
    found: dict[Finding, Fix | Declined] = {}
    for finding in sorted(findings):
        context = engine.context_of(finding)
        if context is None:
            found[finding] = Declined("plan files are not rewritten")
            continue
        planner = planners.setdefault(id(context), Planner(context))
        try:
            found[finding] = planner.plan(finding)
        except Exception as error:
            message = f"internal error, please report it: {type(error).__name__}: {error}"
            found[finding] = Declined(message)
    return found
