"""What a check yields: plain, ordered, hashable data that every front-end translates.

Lines count from 1. Columns count from 0 in Unicode code points; each front-end
converts to its own convention.
"""

from __future__ import annotations

from dataclasses import dataclass

from fnmodule_lint.rules import RULES


@dataclass(frozen=True, order=True)
class Step:
    """One step of a call chain: the function ``name``, defined or called at ``path:line``."""

    path: str
    line: int
    name: str


@dataclass(frozen=True)
class Span:
    """A piece of a file; ``path`` is absolute, ``end_column`` the first one after it."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, order=True)
class Finding:
    """One violation.

    ``path`` is absolute. ``arguments`` are the named fields of the rule's message, as
    sorted pairs. ``chain`` leads from the call site down to the ``apply`` (FNM102 and
    FNM103; empty elsewhere); its last step is the ``apply`` itself.
    """

    path: str
    line: int
    column: int
    code: str
    end_line: int
    end_column: int
    arguments: tuple[tuple[str, str], ...] = ()
    chain: tuple[Step, ...] = ()

    @property
    def symbol(self) -> str:
        """The rule's readable name, e.g. ``invisible-function-apply``."""
        return RULES[self.code].symbol

    @property
    def message(self) -> str:
        """The rule's message with this finding's arguments filled in."""
        return RULES[self.code].message.format(**dict(self.arguments))


@dataclass(frozen=True, order=True)
class Problem:
    """A file that could not be linted, and why.

    ``line`` and ``column`` (from 1) are 0 where the problem has no place in the file.
    ``asked`` says that the path was named on the command line or is one of the files
    asked for; only those make a run exit with 2.
    """

    path: str
    line: int
    column: int
    message: str
    asked: bool = True
