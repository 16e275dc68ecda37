"""An audit beside the linter's findings."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from runtime.audit.report import Site

INVISIBLE = frozenset({"FNM101", "FNM102", "FNM103", "FNM205"})
"""The rules whose sites apply a Function unseen (FNM104 never gets that far)."""


@dataclass(frozen=True)
class Comparison:
    """Sites that both saw, those seen at run time only, findings that were not executed."""

    both: tuple[Site, ...]
    runtime_only: tuple[Site, ...]
    linter_only: tuple[Mapping[str, Any], ...]

    @property
    def agreement(self) -> float:
        """The share, 0 to 1, of the sites seen at run time that are findings."""
        seen = len(self.both) + len(self.runtime_only)
        return len(self.both) / seen if seen else 1.0

    def table(self) -> str:
        """Counts, then what only one of the two saw."""
        lines = [
            f"seen by both: {len(self.both)}, at run time only: {len(self.runtime_only)}, "
            f"by the linter only (not executed): {len(self.linter_only)}"
        ]
        lines += [
            f"run time only: {site.path}:{site.line}: {site.function} in {site.module}"
            for site in self.runtime_only
        ]
        lines += [
            f"linter only: {row['path']}:{row['line']}: {row['code']}" for row in self.linter_only
        ]
        return "\n".join(lines)


def compare(
    sites: Sequence[Site], findings: str | Sequence[Mapping[str, Any]], root: str
) -> Comparison:
    """Match by file and line: a finding lies in the lines of the call that was seen.

    Raises ValueError where ``findings`` is not the linter's JSON.
    """
    rows = [row for row in _parsed(findings) if row["code"] in INVISIBLE]
    lines: dict[str, dict[int, list[int]]] = {}
    for index, row in enumerate(rows):
        path = os.path.realpath(os.path.join(root, row["path"]))
        lines.setdefault(path, {}).setdefault(row["line"], []).append(index)
    executed: set[int] = set()
    both: list[Site] = []
    alone: list[Site] = []
    for site in sites:
        found = lines.get(os.path.realpath(site.path), {})
        matching = [
            index for line in range(site.line, site.end_line + 1) for index in found.get(line, ())
        ]
        executed.update(matching)
        (both if matching else alone).append(site)
    rest = tuple(row for index, row in enumerate(rows) if index not in executed)
    return Comparison(_once(both), _once(alone), rest)


def _once(sites: Sequence[Site]) -> tuple[Site, ...]:
    """One site a place: the same call in two modules' reach is one."""
    first: dict[tuple[str, int, int], Site] = {}
    for site in sites:
        first.setdefault((site.path, site.line, site.column), site)
    return tuple(first.values())


def _parsed(findings: str | Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    rows = json.loads(findings) if isinstance(findings, str) else findings
    if not isinstance(rows, list | tuple) or not all(
        isinstance(row, Mapping) and {"path", "line", "code"} <= row.keys() for row in rows
    ):
        raise ValueError("not the linter's JSON: run fnmodule-lint check --format json")
    return rows
