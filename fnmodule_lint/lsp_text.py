"""Positions and edits as the Language Server Protocol wants them.

Lines and characters count from 0 there, characters in UTF-16 code units.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def units(line: str, column: int) -> int:
    """The UTF-16 offset of the code point ``column`` of ``line``."""
    return len(line[:column].encode("utf-16-le", "surrogatepass")) // 2


def position(lines: Sequence[str], line: int, column: int) -> Json:
    """The position of ``line`` (from 1) and ``column`` (code points, from 0)."""
    text = lines[line - 1] if 0 < line <= len(lines) else ""
    return {"line": max(line - 1, 0), "character": units(text, column)}


def whole_line(line: int) -> Json:
    """The range of ``line`` (from 1), of a file whose text is not at hand."""
    return {
        "start": {"line": max(line - 1, 0), "character": 0},
        "end": {"line": max(line, 1), "character": 0},
    }


def text_edits(before: str, after: str) -> list[Json]:
    """Edits that make ``after`` of ``before``, line by line, from the end to the start."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    changes = [item for item in matcher.get_opcodes() if item[0] != "equal"]
    return [_edit(old, start, end, "".join(new[a:b])) for _, start, end, a, b in changes[::-1]]


def _edit(lines: Sequence[str], start: int, end: int, text: str) -> Json:
    return {
        "range": {"start": _line_start(lines, start), "end": _line_start(lines, end)},
        "newText": text,
    }


def _line_start(lines: Sequence[str], index: int) -> Json:
    """Where line ``index`` (from 0) begins; the end of a last line without newline."""
    if index == len(lines) and lines and lines[-1] == lines[-1].rstrip("\r\n"):
        return {"line": index - 1, "character": units(lines[-1], len(lines[-1]))}
    return {"line": index, "character": 0}


def uri(path: str) -> str:
    """The ``file:`` URI of an absolute path."""
    return Path(path).as_uri()
