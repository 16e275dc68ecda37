"""What can be done about a finding: a fix, or the reason why there is none."""

from __future__ import annotations

from fnmodule_lint.checks.context import Context, Standing
from fnmodule_lint.findings import Finding
from fnmodule_lint.fixes import contracts, sites, stored, usage, wrappers
from fnmodule_lint.fixes.edits import Declined, Fix
from fnmodule_lint.fixes.mounts import Mounts
from fnmodule_lint.fixes.sites import Site
from fnmodule_lint.fixes.trees import Trees
from fnmodule_lint.rules import RULES


class Planner:
    """Plans for the findings of one analysis; findings of one Function in one class share a shell.

    Asked in the order of the source, it gives the same answers each time.
    """

    def __init__(self, context: Context) -> None:
        self._context = context
        self._trees = Trees(context.world, context.library)
        self._mounts: Mounts | None = None

    def plan(self, finding: Finding) -> Fix | Declined:
        """The fix of ``finding``, one of the analysis's own."""
        if RULES[finding.code].fix == "none":
            return Declined(f"{finding.code} has no fix: what is meant, only its author knows")
        if finding.code == "FNM301":
            return contracts.plan(finding)
        standing = self._context.standings.get(finding)
        if standing is None:
            return Declined("the place is not in sight")
        if finding.code.startswith("FNM1"):
            return self._invisible(finding.code, standing)
        if finding.code in ("FNM205", "FNM206"):
            return usage.plan_call(self._context, self._trees, standing.file, standing.place)
        return usage.plan_signature(
            self._context, self._trees, self._planned_mounts(), standing.file, standing.place
        )

    def _planned_mounts(self) -> Mounts:
        if self._mounts is None:
            self._mounts = Mounts(self._context.world, self._trees)
        return self._mounts

    def _invisible(self, code: str, standing: Standing) -> Fix | Declined:
        context, trees, mounts = self._context, self._trees, self._planned_mounts()
        site = _site(context, standing)
        if site is None:
            return Declined("the call stands outside of every class")
        if code == "FNM102" or _calls_helper(context, site):
            return wrappers.plan(context, trees, mounts, site, safe=code == "FNM103")
        kept = stored.attribute_of(context, site)
        if kept is not None:
            return stored.plan(context, trees, mounts, site, *kept)
        return sites.plan(context, trees, mounts, site)


def _site(context: Context, standing: Standing) -> Site | None:
    facts = context.world.files[standing.file]
    function = facts.functions[standing.function]
    user = context.world.own_class(standing.file, function.method)
    if user is None:
        return None
    called = facts.exprs[standing.place][0] == "C"
    scope = function.scope
    if called:
        scope = context.world.call_scope(standing.file, standing.place)
    return Site(standing.file, standing.place, scope, user, called)


def _calls_helper(context: Context, site: Site) -> bool:
    """Whether a function, and not an ``apply``, is called there."""
    values = context.world.expr(site.file, site.reference(context), site.user)
    return bool(values) and all(value[0] == "fn" for value in values)
