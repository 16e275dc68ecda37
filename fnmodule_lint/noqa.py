"""``# noqa`` comments, read as flake8 reads them, for the command line and the editor."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator

from fnmodule_lint.findings import Finding
from fnmodule_lint.source import is_yaml, split_lines

# flake8's own expressions: words that are no codes make the comment a blanket one there too.
_INLINE = re.compile(r"# noqa(?::[\s]?(?P<codes>(?:[A-Z]+[0-9]+(?:[,\s]+)?)+))?", re.IGNORECASE)
_FILE = re.compile(r"\s*# flake8[:=]\s*noqa", re.IGNORECASE)


def unsuppressed(findings: Iterable[Finding], text: str) -> Iterator[Finding]:
    """Those ``findings`` of one file that no ``# noqa`` in its ``text`` silences.

    A comment counts on the finding's own line and on those joined to it by a backslash or
    a string of several lines; ``# flake8: noqa`` at a line's start silences the whole file.
    """
    lines = split_lines(text)
    if any(map(_FILE.match, lines)):
        return
    joined: dict[int, str] | None = None
    for finding in findings:
        if joined is None:
            python = not is_yaml(finding.path)
            joined = _joined_lines(lines) if python else dict(enumerate(lines, 1))
        if not silences(joined.get(finding.line, ""), finding.code):
            yield finding


def silences(line: str, code: str) -> bool:
    """Whether a comment on ``line`` silences ``code``: bare, or naming it or its prefix."""
    match = _INLINE.search(line)
    if match is None:
        return False
    if match["codes"] is None:
        return True
    return code.startswith(tuple(part for part in re.split(r"[,\s]+", match["codes"]) if part))


def _joined_lines(lines: list[str]) -> dict[int, str]:
    """For each line the text to search: up to where the tokenizer sees an end of line."""
    joined = dict(enumerate(lines, 1))
    first = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO("\n".join(lines)).readline):
            if token.type in (tokenize.ENDMARKER, tokenize.DEDENT):
                continue
            first = first or token.start[0]
            if token.type in (tokenize.NL, tokenize.NEWLINE):
                last = token.end[0]
                if last > first:
                    whole = "\n".join(lines[first - 1 : last])
                    joined.update(dict.fromkeys(range(first, last + 1), whole))
                first = 0
    except (tokenize.TokenError, SyntaxError):
        return joined
    return joined


def silenced_at(text: str, line: int, code: str) -> str:
    """``text`` with a comment that silences ``code`` at ``line`` (from 1).

    A comment with codes takes the code in; it goes to the end of the last line that is
    joined to this one, where alone a comment can stand.
    """
    pieces = text.splitlines(keepends=True)
    last = line + _joined_lines(split_lines(text)).get(line, "").count("\n")
    while last < len(pieces) and pieces[last - 1].rstrip("\r\n").endswith("\\"):
        last += 1
    if last > len(pieces):
        return text
    body = pieces[last - 1].rstrip("\r\n")
    ending = pieces[last - 1][len(body) :]
    match = _INLINE.search(body)
    if match is not None and match["codes"] is not None:
        end = match.start("codes") + len(match["codes"].rstrip(", \t"))
        body = f"{body[:end]},{code}{body[end:]}"
    else:
        body = f"{body.rstrip()}  # noqa: {code}"
    pieces[last - 1] = body + ending
    return "".join(pieces)
