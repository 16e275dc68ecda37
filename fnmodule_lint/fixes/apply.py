"""Fixes findings for good: plans, rewrites, and lints again before anything counts."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from fnmodule_lint.engine import Engine, Report
from fnmodule_lint.findings import Finding, Problem
from fnmodule_lint.fixes.edits import Argument, Declined, Edit, Fix, Replace, path_of
from fnmodule_lint.fixes.plans import fixes_for
from fnmodule_lint.rules import RULES

_ROUNDS = 8
Select = Callable[[Iterable[Finding]], list[Finding]]
Rewrite = Callable[[str, Sequence[Edit]], str]


@dataclass
class Outcome:
    """What became of a run's findings.

    ``texts`` are the changed files, not yet written; ``left`` are the findings that
    remain, at their places in the changed texts, each with the reason.
    """

    fixed: list[Finding] = field(default_factory=list)
    left: list[tuple[Finding, str]] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    problems: tuple[Problem, ...] = ()


class Fixer:
    """Fixes what lies below ``paths``; ``select`` says which findings are meant.

    ``rewrite`` makes edits in a text (:func:`fnmodule_lint.fixes.rewrite.rewrite`).
    """

    def __init__(
        self, engine: Engine, paths: Sequence[Path], select: Select, rewrite: Rewrite
    ) -> None:
        self._engine = engine
        self._paths = paths
        self._select = select
        self._rewrite = rewrite
        self._dropped: dict[tuple[object, ...], str] = {}

    def run(self, *, unsafe: bool) -> Outcome:
        """Fix all that can be; nothing is written."""
        outcome = Outcome()
        report = self._engine.check_paths(self._paths)
        outcome.problems = report.problems
        for _ in range(_ROUNDS):
            fixes, outcome.left = self._plans(report, unsafe=unsafe)
            settled, texts = self._settle(report, _compatible(fixes))
            if not settled:
                outcome.left += [(f, self._dropped.get(_key(f), _LATER)) for f in fixes]
                break
            outcome.fixed += settled
            outcome.texts |= texts
            self._engine.replace(texts)
            report = self._engine.check_paths(self._paths)
        else:
            _, outcome.left = self._plans(report, unsafe=unsafe)
        outcome.left.sort()
        return outcome

    def _plans(
        self, report: Report, *, unsafe: bool
    ) -> tuple[dict[Finding, Fix], list[tuple[Finding, str]]]:
        plans = fixes_for(self._engine, self._select(report.findings))
        asked = set(self._engine.files_below(self._paths))
        fixes: dict[Finding, Fix] = {}
        left: list[tuple[Finding, str]] = []
        for finding, plan in plans.items():
            if isinstance(plan, Declined):
                left.append((finding, plan.reason))
            elif not plan.safe and not unsafe:
                left.append((finding, "moves work into the shell: `--unsafe` does it"))
            elif elsewhere := sorted({path_of(edit) for edit in plan.edits} - asked):
                left.append((finding, f"would change {elsewhere[0]}, which is not among the PATHs"))
            elif _key(finding) in self._dropped:
                left.append((finding, self._dropped[_key(finding)]))
            else:
                fixes[finding] = plan
        return fixes, left

    def _settle(
        self, report: Report, fixes: dict[Finding, Fix]
    ) -> tuple[list[Finding], dict[str, str]]:
        """As many of the fixes as leave no file worse, and the texts with them."""
        accepted: dict[Finding, Fix] = {}
        texts: dict[str, str] = {}
        groups = [list(fixes)] if fixes else []
        while groups:
            group = groups.pop(0)
            trial = accepted | {finding: fixes[finding] for finding in group}
            tried, problem = self._try(report, trial)
            if not problem:
                accepted, texts = trial, tried
            elif len(group) > 1:
                half = len(group) // 2
                groups[:0] = [group[:half], group[half:]]
            else:
                self._dropped[_key(group[0])] = problem
        return list(accepted), texts

    def _try(self, report: Report, fixes: Mapping[Finding, Fix]) -> tuple[dict[str, str], str]:
        """The texts with these fixes, and what is wrong with them ("" if nothing is)."""
        edits: dict[str, list[Edit]] = {}
        for fix in fixes.values():
            for edit in fix.edits:
                own = edits.setdefault(path_of(edit), [])
                if edit not in own:
                    own.append(edit)
        before = {path: self._engine.text(path) for path in edits}
        texts = {}
        try:
            for path, own in edits.items():
                texts[path] = self._rewrite(before[path], own)
                ast.parse(texts[path].removeprefix("\ufeff"))
        except (SyntaxError, ValueError) as error:
            return {}, f"the rewritten file would not parse: {error}"
        except Exception as error:
            return {}, str(error) or type(error).__name__
        self._engine.replace(texts)
        try:
            now = self._engine.check_paths(self._paths)
        finally:
            self._engine.replace(before)
        return texts, _worse(report, now, fixes)


_LATER = "another fix has to come first: run again"


def _worse(report: Report, now: Report, fixes: Iterable[Finding]) -> str:
    """What speaks against the findings of ``now``; "" if nothing does."""
    new = [problem.message for problem in now.problems if problem not in report.problems]
    if new:
        return f"the rewritten file cannot be linted: {new[0]}"
    old, gone = Counter(map(_key, report.findings)), Counter(map(_key, fixes))
    for finding in now.findings:
        key = _key(finding)
        if not RULES[finding.code].default and key not in gone:
            continue
        old[key] -= 1
        if old[key] < 0:
            return f"the rewritten file would have {finding.code}: {finding.message}"
        if old[key] < gone[key]:
            return f"the rewritten file would still have this {finding.code}"
    return ""


def _key(finding: Finding) -> tuple[object, ...]:
    """A finding without its place, which moves with the lines above it."""
    return finding.path, finding.code, finding.arguments


def _compatible(fixes: Mapping[Finding, Fix]) -> dict[Finding, Fix]:
    """Those fixes, from the first on, of which none changes what another one changes."""
    chosen: dict[Finding, Fix] = {}
    spans: list[Replace | Argument] = []
    for finding, fix in fixes.items():
        own = [edit for edit in fix.edits if isinstance(edit, Replace | Argument)]
        if not any(_clash(mine, other) for mine in own for other in spans):
            chosen[finding] = fix
            spans.extend(own)
    return chosen


def _clash(one: Replace | Argument, other: Replace | Argument) -> bool:
    if one == other or one.span.path != other.span.path:
        return False
    if isinstance(one, Argument) and isinstance(other, Argument):
        return one.span == other.span
    first = sorted([one.span, other.span], key=lambda s: (s.line, s.column))
    end = (first[0].end_line, first[0].end_column)
    return (first[1].line, first[1].column) < end
