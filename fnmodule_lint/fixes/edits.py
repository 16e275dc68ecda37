"""What a fix changes, as plain data. Positions are those of a file as it was linted.

Equal edits are one edit: two calls of one Function in one class ask for the same mount.
"""

from __future__ import annotations

from dataclasses import dataclass

from fnmodule_lint.findings import Span


@dataclass(frozen=True, order=True)
class Place:
    """A ``class`` statement by its file, line (from 1) and column (code points, from 0)."""

    path: str
    line: int
    column: int


@dataclass(frozen=True)
class Replace:
    """The expression at ``span`` becomes ``source``."""

    span: Span
    source: str


@dataclass(frozen=True)
class Mount:
    """``self.attribute = value`` after the call of the base's ``__init__``.

    ``after`` is the position of that call's statement in an ``__init__`` of the class. A
    class without ``__init__`` gets one: ``parameters`` follow ``self`` there, ``handed``
    is what it hands on.
    """

    target: Place
    attribute: str
    value: str
    self_name: str = "self"
    after: tuple[int, int] | None = None
    parameters: str = ""
    handed: str = ""


@dataclass(frozen=True)
class NewClass:
    """A shell class, written after (or before) the class at ``target`` in its block.

    ``lines`` are the body's, each with the number of indents before it.
    """

    target: Place
    before: bool
    name: str
    base: str
    lines: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class Import:
    """``from module import name`` at the top of the file ``path``."""

    path: str
    module: str
    name: str


@dataclass(frozen=True)
class Argument:
    """The keyword argument ``name`` of the call at ``span`` becomes ``value``."""

    span: Span
    name: str
    value: str


Edit = Replace | Mount | NewClass | Import | Argument


@dataclass(frozen=True)
class Fix:
    """How to mend one finding. ``title`` names it in an editor's menu.

    ``safe`` says that outputs, gradients and ``state_dict`` stay what they are.
    """

    title: str
    edits: tuple[Edit, ...]
    safe: bool = True


@dataclass(frozen=True)
class Declined:
    """Why a finding is left to its author; ``reason`` goes on after "not fixed: "."""

    reason: str


def path_of(edit: Edit) -> str:
    """The file that an edit changes."""
    if isinstance(edit, Import):
        return edit.path
    if isinstance(edit, Mount | NewClass):
        return edit.target.path
    return edit.span.path
