"""Puts a changed text in the place of a file: all of it or nothing."""

from __future__ import annotations

import codecs
import contextlib
import io
import os
import shutil
import tempfile
import tokenize

from fnmodule_lint.source import SourceError


def write(path: str, text: str, before: bytes) -> None:
    """Replace the file, whose bytes were ``before``, in its own encoding and mode.

    A link stays one: the file that it leads to is replaced. Raises SourceError when the
    file is no longer what it was, and where it cannot be written.
    """
    data = encoded(text, before, path)
    target = os.path.realpath(path)
    try:
        with open(target, "rb") as file:
            now = file.read()
        if now != before:
            raise SourceError(path, 0, 0, "changed on disk meanwhile: not overwritten, run again")
        _swap(target, data)
    except OSError as error:
        raise SourceError(path, 0, 0, f"cannot be written: {error.strerror}") from error


def encoded(text: str, before: bytes, path: str) -> bytes:
    """The text in the encoding, with the byte order mark, of the bytes ``before``."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(before).readline)
    mark = codecs.BOM_UTF8 if before.startswith(codecs.BOM_UTF8) else b""
    try:
        return mark + text.removeprefix("\ufeff").encode(encoding.removesuffix("-sig"))
    except UnicodeEncodeError as error:
        raise SourceError(path, 0, 0, f"{error.object[error.start]!r} is not {encoding}") from error


def _swap(target: str, data: bytes) -> None:
    folder, name = os.path.split(target)
    handle, temporary = tempfile.mkstemp(prefix=f".{name}.", suffix=".tmp", dir=folder)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        shutil.copymode(target, temporary)
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temporary)
        raise
