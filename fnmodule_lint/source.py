"""Bytes to text to tree, with one clear message where that fails; columns."""

from __future__ import annotations

import ast
import io
import os
import re
import stat
import tokenize
import warnings
from collections.abc import Callable
from pathlib import Path

LARGEST_FILE = 64 * 1024 * 1024
_LINE_END = re.compile(r"\r\n|\r|\n")
_LINE_END_BYTES = re.compile(rb"\r\n|\r|\n")


class SourceError(Exception):
    """A file that cannot be linted. ``line`` and ``column`` count from 1; 0 is unknown."""

    def __init__(self, path: str, line: int, column: int, message: str) -> None:
        super().__init__(message)
        self.path = path
        self.line = line
        self.column = column
        self.message = message


def is_yaml(path: str) -> bool:
    """Whether a file's name says that it holds YAML, not Python."""
    return path.endswith((".yaml", ".yml"))


def read(path: Path) -> bytes:
    """The bytes of a regular file. Raises SourceError when there are none to be had."""
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode):
            raise SourceError(str(path), 0, 0, "not a regular file")
        if status.st_size > LARGEST_FILE:
            size = LARGEST_FILE // (1024 * 1024)
            raise SourceError(str(path), 0, 0, f"larger than {size} MiB: not linted")
        return path.read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise SourceError(str(path), 0, 0, f"cannot be read: {reason}") from error


def decode(data: bytes, path: str) -> str:
    """The text of ``data``, by its byte order mark or coding cookie as Python reads it."""
    if b"\0" in data:
        line = _line_at(data, data.index(b"\0"))
        raise SourceError(path, line, 0, "holds a NUL byte: not Python source")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise _undecodable(error, path) from error
    except (SyntaxError, LookupError, UnicodeError) as error:
        # detect_encoding does not say which byte of the two lines that it reads is the wrong one.
        head = b"\n".join(data.split(b"\n", 2)[:2])
        try:
            head.decode("utf-8")
        except UnicodeDecodeError as wrong:
            raise _undecodable(wrong, path) from error
        raise SourceError(path, 1, 0, f"cannot be decoded: {error}") from error


def _undecodable(error: UnicodeDecodeError, path: str) -> SourceError:
    # error.object, not the file's bytes: a byte order mark is no longer part of it.
    data = error.object
    message = f"byte 0x{data[error.start]:02x} is not {error.encoding}: add a coding cookie"
    return SourceError(path, _line_at(data, error.start), 0, message)


def _line_at(data: bytes, offset: int) -> int:
    """The line, from 1, that holds the byte at ``offset``."""
    return len(_LINE_END_BYTES.findall(data, 0, offset)) + 1


def parse(text: str, path: str) -> ast.Module:
    """The tree of ``text``. Raises SourceError for what is not Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text.removeprefix("\ufeff"), path)
    except SyntaxError as error:
        line, column = error.lineno or 0, error.offset or 0
        raise SourceError(path, line, max(column, 0), f"syntax error: {error.msg}") from error
    except (RecursionError, MemoryError) as error:
        raise SourceError(path, 0, 0, "nested too deeply for Python to parse") from error
    except ValueError as error:
        raise SourceError(path, 0, 0, f"cannot be parsed: {error}") from error


def split_lines(text: str) -> list[str]:
    """Lines as Python's tokenizer counts them, without their ends."""
    return _LINE_END.split(text)


def code_point_column(line_text: str, utf8_offset: int) -> int:
    """A UTF-8 byte offset in a line, in code points."""
    if line_text.isascii():
        return utf8_offset
    return len(line_text.encode("utf-8", "surrogatepass")[:utf8_offset].decode("utf-8", "replace"))


def lines_of(path: str, text_of: Callable[[str], str]) -> list[str]:
    """The lines of the file's text, none where ``text_of`` raises SourceError for it."""
    try:
        return split_lines(text_of(path))
    except SourceError:
        return []
