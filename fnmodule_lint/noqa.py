"""``# noqa`` comments, read as flake8 reads them, for the command line and the editor."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator

from fnmodule_lint.findings import Finding
from fnmodule_lint.source import split_lines

_INLINE = re.compile(r"# noqa(?::[\s]?(?P<codes>(?:[A-Z]+[0-9]*(?:[,\s]+)?)+))?", re.IGNORECASE)
_FILE = re.compile(r"\s*# flake8[:=]\s*noqa(?P<codes>:.*)?\s*$", re.IGNORECASE)


def unsuppressed(findings: Iterable[Finding], text: str) -> Iterator[Finding]:
    """Those ``findings`` of one file that no ``# noqa`` in its ``text`` silences.

    A comment counts on the finding's own line, or where a string of several lines that
    begins there ends; ``# flake8: noqa`` on a line of its own silences the whole file.
    """
    lines = split_lines(text)
    whole = [match for match in map(_FILE.match, lines) if match]
    if any(match["codes"] is None for match in whole):
        return
    everywhere = " ".join(match["codes"][1:] for match in whole)
    strings: dict[int, int] | None = None
    for finding in findings:
        line = lines[finding.line - 1] if finding.line <= len(lines) else ""
        if _names(everywhere, finding.code) or silences(line, finding.code):
            continue
        if strings is None:
            strings = _string_ends(text)
        end = strings.get(finding.line)
        if end is None or not silences(lines[end - 1], finding.code):
            yield finding


def silences(line: str, code: str) -> bool:
    """Whether a comment on ``line`` silences ``code``: bare, or naming it or its prefix."""
    match = _INLINE.search(line)
    if match is None:
        return False
    return match["codes"] is None or _names(match["codes"], code)


def _names(codes: str, code: str) -> bool:
    wanted = [part.upper() for part in re.split(r"[,\s]+", codes) if part]
    return any(code.startswith(part) for part in wanted)


def _string_ends(text: str) -> dict[int, int]:
    """The last line of each string of several lines, by each line that it covers."""
    ends: dict[int, int] = {}
    starts: list[int] = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            name = tokenize.tok_name[token.type]
            if name in ("FSTRING_START", "TSTRING_START"):
                starts.append(token.start[0])
            elif name in ("FSTRING_END", "TSTRING_END") and starts:
                ends.update(dict.fromkeys(range(starts.pop(), token.end[0]), token.end[0]))
            elif name == "STRING" and token.end[0] > token.start[0]:
                ends.update(dict.fromkeys(range(token.start[0], token.end[0]), token.end[0]))
    except (tokenize.TokenError, SyntaxError):
        return ends
    return ends
