"""Which files may use a name, told from their bytes: the imports, without parsing."""

from __future__ import annotations

import os
import re

_STATEMENT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]*import\b[ \t]*(\([^)]*\)|(?:[^\n\\#]|\\\r?\n)*)"
    rb"|import[ \t]+((?:[^\n\\#]|\\\r?\n)*))"
    rb"|;[ \t]*(?:from|import)[ \t]([^\n]*)",
    re.MULTILINE,
)
_WORD = re.compile(rb"[A-Za-z_]\w*")


class ImportSearch:
    """The words of each file's import statements, read once per file.

    Coarse on purpose: a text that only looks like an import counts as one.
    """

    def __init__(self) -> None:
        self._words: dict[str, tuple[frozenset[bytes], bool]] = {}

    def may_use(self, path: str, data: bytes, name: bytes, modules: frozenset[bytes]) -> bool:
        """Whether the file may use ``name``, which a module below ``modules`` provides.

        It imports the name, imports everything of something, or imports one of the
        packages or modules on the way and reads an attribute of that name.
        """
        if name not in data:
            return False
        words, star = self._of(path, data)
        if star or name in words:
            return True
        return not words.isdisjoint(modules) and b"." + name in data

    def _of(self, path: str, data: bytes) -> tuple[frozenset[bytes], bool]:
        known = self._words.get(path)
        if known is None:
            text = b" ".join(b" ".join(groups) for groups in _STATEMENT.findall(data))
            known = self._words[path] = (frozenset(_WORD.findall(text)), b"*" in text)
        return known


def path_words(path: str) -> frozenset[bytes]:
    """The names by which a module's file can be imported: its own and its folders'."""
    parts = path.split(os.sep)
    stem = parts[-1].removesuffix(".py")
    return frozenset(part.encode() for part in (*parts[:-1], stem) if part)
