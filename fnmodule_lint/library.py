"""The bytes, text and facts of files, each read and parsed at most once per content."""

from __future__ import annotations

import ast
from pathlib import Path

from fnmodule_lint.extract import extract
from fnmodule_lint.facts import FileFacts
from fnmodule_lint.source import SourceError, decode, parse, read


class Library:
    """Files by absolute path. An overlay takes the place of what is on disk."""

    def __init__(self) -> None:
        self._overlays: dict[str, str] = {}
        self._trees: dict[str, ast.Module] = {}
        self._bytes: dict[str, bytes] = {}
        self._facts: dict[str, tuple[bytes, FileFacts | SourceError]] = {}

    def overlay(self, path: str, source: bytes | str, tree: ast.Module | None = None) -> bool:
        """Let ``source`` stand for the file; ``tree`` is its parsed module, if there is one.

        Returns whether that differs from what stood for the file before. Raises
        SourceError when the source cannot be decoded.
        """
        text = decode(source, path) if isinstance(source, bytes) else source
        before = self._text_before(path)
        if before is not None and _same(before, text):
            if tree is not None and path not in self._facts:
                self._trees[path] = tree
            return False
        self._overlays[path] = text
        self._trees.pop(path, None)
        if tree is not None:
            self._trees[path] = tree
        return True

    def has_overlay(self, path: str) -> bool:
        """Whether a text stands for the file, which need not be on disk."""
        return path in self._overlays

    def drop_overlay(self, path: str) -> None:
        """Let the file on disk count again."""
        self._overlays.pop(path, None)
        self._trees.pop(path, None)

    def drop_tree(self, path: str) -> None:
        """Let go of the tree that came with an overlay, once it is of no more use."""
        self._trees.pop(path, None)

    def forget_disk(self) -> None:
        """Read files anew when they are next asked for."""
        self._bytes.clear()

    def _text_before(self, path: str) -> str | None:
        try:
            return self.text(path)
        except SourceError:
            return None

    def data(self, path: str) -> bytes:
        """The file's bytes. Raises SourceError when it cannot be read."""
        overlay = self._overlays.get(path)
        if overlay is not None:
            return overlay.encode("utf-8", "surrogatepass")
        return self.bytes_on_disk(path)

    def bytes_on_disk(self, path: str) -> bytes:
        """The file's bytes as they were read, overlay or not. Raises SourceError."""
        data = self._bytes.get(path)
        if data is None:
            data = self._bytes[path] = read(Path(path))
        return data

    def data_or_empty(self, path: str) -> bytes:
        """The file's bytes, none where it cannot be read."""
        try:
            return self.data(path)
        except SourceError:
            return b""

    def text(self, path: str) -> str:
        """The file's text. Raises SourceError when it cannot be read or decoded."""
        overlay = self._overlays.get(path)
        return decode(self.data(path), path) if overlay is None else overlay

    def facts(self, path: str) -> FileFacts:
        """The file's facts. Raises SourceError when there is nothing to parse."""
        data = self.data(path)
        known = self._facts.get(path)
        if known is None or known[0] != data:
            known = self._facts[path] = (data, self._extract(path))
        if isinstance(known[1], SourceError):
            raise known[1]
        return known[1]

    def check(self, path: str) -> None:
        """Raise SourceError when the file is not Python; cheaper than asking for facts."""
        known = self._facts.get(path)
        if known is not None and known[0] == self.data(path):
            if isinstance(known[1], SourceError):
                raise known[1]
        elif path not in self._trees:
            parse(self.text(path), path)

    def _extract(self, path: str) -> FileFacts | SourceError:
        try:
            tree = self._trees.get(path) or parse(self.text(path), path)
            return extract(tree)
        except SourceError as error:
            return error
        except Exception as error:
            kind = type(error).__name__
            return SourceError(path, 0, 0, f"internal error, please report it: {kind}: {error}")


def _same(one: str, other: str) -> bool:
    return one == other or _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
