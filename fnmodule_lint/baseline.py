"""Known findings: silent when found again, reported when they are gone."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from fnmodule_lint.findings import Finding
from fnmodule_lint.json_report import display_path

_VERSION = 1


class BaselineError(ValueError):
    """A baseline that cannot be used: names the file and what to do."""


@dataclass(frozen=True)
class Matched:
    """The findings that are new, and the entries that nothing matches any more."""

    new: list[Finding]
    gone: list[Mapping[str, str]]


def write_baseline(file: Path, findings: Iterable[Finding], prints: Mapping[Finding, str]) -> int:
    """Write all ``findings``, by their fingerprints, to ``file``; returns their number.

    Raises OSError when it cannot be written.
    """
    rows = [
        {
            "path": display_path(finding.path).replace("\\", "/"),
            "code": finding.code,
            "message": finding.message,
            "fingerprint": prints[finding],
        }
        for finding in sorted(findings)
    ]
    text = json.dumps({"version": _VERSION, "findings": rows}, indent=2)
    file.write_text(text + "\n", "utf-8")
    return len(rows)


def match_baseline(
    file: Path, findings: Iterable[Finding], prints: Mapping[Finding, str]
) -> Matched:
    """Take the findings that ``file`` knows out of ``findings``.

    Raises BaselineError for a file that is not there or is no baseline.
    """
    entries = _read(file)
    found = list(findings)
    now = {prints[finding] for finding in found}
    new = [finding for finding in found if prints[finding] not in entries]
    gone = [row for fingerprint, row in entries.items() if fingerprint not in now]
    return Matched(new, gone)


def _read(file: Path) -> dict[str, Mapping[str, str]]:
    hint = "make one with `fnmodule-lint check --write-baseline FILE`"
    try:
        data = json.loads(file.read_text("utf-8"))
    except (OSError, ValueError, RecursionError) as error:
        raise BaselineError(f"{file}: cannot be read: {error}; {hint}") from error
    rows = data.get("findings") if isinstance(data, dict) else None
    if not isinstance(rows, list) or data.get("version") != _VERSION:
        raise BaselineError(f"{file}: is no baseline of this version; {hint}")
    entries: dict[str, Mapping[str, str]] = {}
    for row in rows:
        if not isinstance(row, dict) or not {"path", "code", "fingerprint"} <= row.keys():
            raise BaselineError(f"{file}: an entry has no path, code and fingerprint; {hint}")
        entries[str(row["fingerprint"])] = row
    return entries
