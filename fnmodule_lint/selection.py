"""Which findings a command is about: ``# noqa`` comments, ``--select`` and ``--ignore``."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from fnmodule_lint.engine import Engine
from fnmodule_lint.findings import Finding
from fnmodule_lint.noqa import unsuppressed
from fnmodule_lint.rules import RULES
from fnmodule_lint.source import SourceError


def wanted(
    engine: Engine, findings: Iterable[Finding], select: Sequence[str], ignore: Sequence[str]
) -> list[Finding]:
    """Those ``findings`` that no comment silences and that the codes' prefixes select.

    Without ``select`` the rules that are on by default are.
    """
    return _selected(_without_noqa(engine, findings), tuple(select), tuple(ignore))


def _without_noqa(engine: Engine, findings: Iterable[Finding]) -> list[Finding]:
    by_path: dict[str, list[Finding]] = {}
    for finding in findings:
        by_path.setdefault(finding.path, []).append(finding)
    kept: list[Finding] = []
    for path, group in by_path.items():
        try:
            kept.extend(unsuppressed(group, engine.text(path)))
        except SourceError:
            kept.extend(group)
    return kept


def _selected(
    findings: Iterable[Finding], select: tuple[str, ...], ignore: tuple[str, ...]
) -> list[Finding]:
    def chosen(code: str) -> bool:
        is_selected = code.startswith(select) if select else RULES[code].default
        return is_selected and not (ignore and code.startswith(ignore))

    return [finding for finding in findings if chosen(finding.code)]
