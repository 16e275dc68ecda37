"""Colours and links for people at a terminal; nothing of that goes into a pipe or a file.

``NO_COLOR`` (https://no-color.org) and ``TERM=dumb`` switch both off.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

_RESET = "\x1b[0m"
_BOLD, _RED, _GREEN, _CYAN = "\x1b[1m", "\x1b[1;31m", "\x1b[32m", "\x1b[36m"


@dataclass(frozen=True)
class Style:
    """How parts of the text are shown; plain where ``rich`` is false."""

    rich: bool = False

    def place(self, text: str, path: str) -> str:
        """A place in the file at the absolute ``path``, as a link to it (OSC 8)."""
        if not self.rich:
            return text
        try:
            target = Path(path).as_uri()
        except (ValueError, UnicodeError):
            return self._in(_BOLD, text)
        return f"\x1b]8;;{target}\x1b\\{self._in(_BOLD, text)}\x1b]8;;\x1b\\"

    def code(self, text: str) -> str:
        """A rule's code."""
        return self._in(_RED, text)

    def mark(self, text: str) -> str:
        """The mark of a finding that has a fix."""
        return self._in(_CYAN, text)

    def carets(self, text: str) -> str:
        """What underlines a span."""
        return self._in(_GREEN, text)

    def _in(self, colour: str, text: str) -> str:
        return f"{colour}{text}{_RESET}" if self.rich and text else text


def style_of(stream: TextIO) -> Style:
    """Rich on a terminal whose user does not object."""
    dumb = os.environ.get("TERM", "") == "dumb" or bool(os.environ.get("NO_COLOR"))
    return Style(rich=stream.isatty() and not dumb)
