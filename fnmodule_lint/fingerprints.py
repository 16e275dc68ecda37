"""What a finding is known by when the lines above it move: its content, not its place."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterable

from fnmodule_lint.findings import Finding
from fnmodule_lint.json_report import display_path
from fnmodule_lint.source import lines_of

_PLACES = frozenset({"chain"})
"""Arguments that say at which lines something is."""


def fingerprints(findings: Iterable[Finding], text_of: Callable[[str], str]) -> dict[Finding, str]:
    """A fingerprint for each finding: 32 hexadecimal digits.

    It is made of the path (relative to the current folder), the code, the message's
    arguments and the source line without its indentation; equal ones in a file are
    numbered in order.
    """
    lines: dict[str, list[str]] = {}
    seen: Counter[str] = Counter()
    found: dict[Finding, str] = {}
    for finding in sorted(findings):
        if finding.path not in lines:
            lines[finding.path] = lines_of(finding.path, text_of)
        source = lines[finding.path]
        line = source[finding.line - 1].strip() if finding.line <= len(source) else ""
        path = display_path(finding.path).replace("\\", "/")
        arguments = [pair for pair in finding.arguments if pair[0] not in _PLACES]
        content = "\0".join([path, finding.code, repr(arguments), line])
        seen[content] += 1
        data = f"{content}\0{seen[content]}".encode("utf-8", "surrogatepass")
        found[finding] = hashlib.sha256(data).hexdigest()[:32]
    return found
