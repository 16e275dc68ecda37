"""Bytes to text to tree: what is refused, at which line, and that nothing else escapes."""

from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from fnmodule_lint import source
from fnmodule_lint.source import SourceError, code_point_column, decode, parse, read, split_lines


def refused(data: bytes) -> tuple[int, str]:
    with pytest.raises(SourceError) as caught:
        parse(decode(data, "x.py"), "x.py")
    assert caught.value.path == "x.py" and "\n" not in caught.value.message
    return caught.value.line, caught.value.message


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
@pytest.mark.parametrize("before", [0, 1, 2, 30])
def test_the_line_of_a_bad_byte(before: int, end: bytes):
    line, message = refused((b"# comment" + end) * before + b"y = '\xff'" + end)
    assert (line, message) == (before + 1, "byte 0xff is not utf-8: add a coding cookie")


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_the_line_of_a_nul_byte(end: bytes):
    line, message = refused(b"x = 1" + end + b"y = '\0'" + end)
    assert line == 2 and "NUL" in message


def test_a_bad_byte_after_a_byte_order_mark():
    assert refused(b"\xef\xbb\xbfx = 1\n\n\ny = '\xe9'\n")[0] == 4


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"# coding: klingon\n", "klingon"),
        (b"# coding: rot13\n", "rot13"),
        (b"\xef\xbb\xbf# coding: latin-1\n", "utf-8"),
        (b"# coding: undefined\n", "undefined"),
    ],
)
def test_unusable_cookies(data: bytes, words: str):
    line, message = refused(data)
    assert line == 1 and words in message


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        (b"# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = 'é'\n"),
        (b"\n# vim: fileencoding=cp1251\nx = '\xff'\n", "\n# vim: fileencoding=cp1251\nx = 'я'\n"),
        (b"x = 1\r\n", "x = 1\r\n"),
        (b"", ""),
    ],
)
def test_legal_bytes(data: bytes, text: str):
    assert decode(data, "x.py") == text
    parse(text, "x.py")


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000 + ")" * 5000,
        "[" * 5000,
        "x = " + "-" * 100_000 + "1",
        "x = " + "not " * 50_000 + "1",
        "x = y" + ".a" * 50_000,
        "x = " + "lambda: " * 20_000 + "1",
        "x = 'a\0b'",
        "x = '\udcff'",
        "def f(:",
        "if x:\n\ty\n        z",
    ],
)
def test_whatever_python_says_is_one_error(text: str):
    """Deep nesting is legal for some versions and RecursionError or MemoryError for others."""
    try:
        parse(text, "x.py")
    except SourceError as error:
        assert error.message and error.line >= 0 and error.column >= 0


def test_the_place_of_a_syntax_error():
    with pytest.raises(SourceError) as caught:
        parse("x = 1\ny = é +\n", "x.py")
    assert (caught.value.line, caught.value.column) == (2, 8)


def test_the_warnings_of_the_parsed_code_are_not_ours():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        parse("x = '\\d'\nassert (x, 'always')\ny = 1 is 1\n", "x.py")


def test_lines_are_those_of_the_tokenizer():
    assert split_lines("a\nb\r\nc\rd\x0ce\u2028f\x85g\v\n") == [
        "a", "b", "c", "d\x0ce\u2028f\x85g\v", "",
    ]  # fmt: skip


@pytest.mark.parametrize("text", ["x = 1", "é = x", "'😀' + é", ""])
def test_columns_count_code_points(text: str):
    for column in range(len(text) + 1):
        assert code_point_column(text, len(text[:column].encode())) == column


def test_what_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "x.py"
    for path in (file, tmp_path, tmp_path / "a\0b.py", Path("/dev/null")):
        with pytest.raises(SourceError):
            read(path)
    file.write_bytes(b"x = 1\n")
    assert read(file) == b"x = 1\n"
    monkeypatch.setattr(source, "LARGEST_FILE", 5)
    with pytest.raises(SourceError, match="larger than"):
        read(file)


def test_a_file_without_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """By a stand-in, since root may read everything."""

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    file = tmp_path / "x.py"
    file.write_bytes(b"")
    monkeypatch.setattr(Path, "read_bytes", refuse)
    with pytest.raises(SourceError) as caught:
        read(file)
    assert caught.value.message == "cannot be read: Permission denied"
    assert caught.value.path == str(file)
