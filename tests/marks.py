"""Reads the expectations that fixtures carry in comments, and findings from each front-end.

``# expect: CODE [CODE ...]`` ends the line where findings are reported. A comment of
carets (``#`` in column 0) under such a line gives the span of one of them and a part of
its message.
"""

from __future__ import annotations

import io
import re
import tokenize
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from fnmodule_lint.rules import RULES

MARK = re.compile(r"# expect: ((?:FNM\d{3} ?)+)$")
CARETS = re.compile(r"#( +)(\^+) (\S.*)$")

Place = tuple[str, int, str]


@dataclass(frozen=True)
class Caret:
    path: str
    line: int
    column: int
    end_column: int
    words: str


def comments(file: Path) -> list[tuple[int, int, str]]:
    text = file.read_text(encoding="utf-8")
    return [
        (token.start[0], token.start[1], token.string)
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type == tokenize.COMMENT
    ]


def expected(root: Path) -> tuple[Counter[Place], list[Caret]]:
    """All marks below ``root``; malformed ones are an error of the fixture."""
    marks: Counter[Place] = Counter()
    carets = []
    for file in sorted(root.rglob("*.py")):
        path = file.relative_to(root).as_posix()
        for line, column, text in comments(file):
            mark, caret = MARK.match(text), CARETS.match(text)
            if mark:
                for code in mark.group(1).split():
                    assert code in RULES, f"{path}:{line}: unknown code {code}"
                    marks[path, line, code] += 1
            elif caret and column == 0:
                start = len(caret.group(1)) + 1
                end = start + len(caret.group(2))
                assert any(place[:2] == (path, line - 1) for place in marks), f"{path}:{line}"
                carets.append(Caret(path, line - 1, start, end, caret.group(3)))
            else:
                assert "expect" not in text, f"{path}:{line}: malformed mark {text!r}"
    return marks, carets


def assert_same(found: Counter[Place], wanted: Counter[Place]) -> None:
    missing, unexpected = wanted - found, found - wanted
    assert not missing and not unexpected, f"missing {missing}, unexpected {unexpected}"
