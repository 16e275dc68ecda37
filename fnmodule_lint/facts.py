"""What one file says, as plain data: bindings, classes, functions, calls, expressions.

Expressions are rows of one table and refer to each other by index, so nothing here is
nested however deep the source is. Row kinds (``Expr[0]``):

====  ==========================  =========================================
kind  fields                      stands for
====  ==========================  =========================================
"?"                               anything without a value of interest
"N"   scope, name                 a name that is read
"A"   base, attribute             an attribute that is read
"C"   func, args, keywords        a call; args are (starred, expr) pairs,
                                  keywords (name or None, expr) pairs
"K"   value                       a string, int, bool or None
"O"   exprs                       one of these: conditional, ``or``/``and``
"L"   items                       list, tuple or set; (starred, expr) pairs
"D"   items                       dict display; (key expr or -1, expr) pairs
"G"   expr                        comprehension: a sequence of ``expr``
"S"   base, index                 subscription
"F"   function                    lambda
"E"   iterable                    an element of an iterable (``for`` target)
"U"   value, index                an item of an unpacked value (-1: unknown)
"J"   exprs                       ``+`` of these, or the parts of an f-string
====  ==========================  =========================================

Columns are UTF-8 byte offsets, as in ``ast``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

Expr = tuple[Any, ...]
Span = tuple[int, int, int, int]

MODULE = "module"
CLASS = "class"
FUNCTION = "function"
COMPREHENSION = "comprehension"

ALWAYS_LAST = 1 << 60
"""Order of a binding made by a function through ``global``: after every statement."""


def order_of(line: int, column: int) -> int:
    """A place in the source as one comparable number."""
    return (line << 16) + min(column, 0xFFFF)


class Binding(NamedTuple):
    """One way in which a name gets a value.

    ``kind`` and ``value``: "value" an expression; "import" (module, level, name or None,
    whole) where ``whole`` says that the full dotted module is meant; "class" and "def" an
    index; "param" (function, position); "unknown" None. ``straight`` says that the
    statement stands in its scope's straight-line code.
    """

    kind: str
    value: Any
    order: int
    straight: bool


class Star(NamedTuple):
    """A ``from module import *``."""

    module: str
    level: int
    order: int


@dataclass
class Scope:
    """A module, class body, function, lambda or comprehension."""

    kind: str
    parent: int
    function: int = -1
    owner: int = -1
    bindings: dict[str, list[Binding]] = field(default_factory=dict)
    global_names: set[str] = field(default_factory=set)
    nonlocal_names: set[str] = field(default_factory=set)
    stars: list[Star] = field(default_factory=list)
    elements: dict[str, list[tuple[bool, int]]] = field(default_factory=dict)


class Parameter(NamedTuple):
    """A parameter; ``kind`` is "positional", "vararg", "keyword" or "kwarg"."""

    name: str
    kind: str
    default: int
    annotation: str


@dataclass
class Function:
    """A ``def`` or lambda. ``class_index`` is -1 unless it stands directly in a class body.

    ``method`` is the nearest enclosing function (or itself) that stands directly in a
    class body, -1 outside of classes. ``sole_return`` is the call that the whole body
    returns with simple arguments, -1 where there is none.
    """

    name: str
    line: int
    column: int
    scope: int
    parent: int
    class_index: int
    method: int = -1
    parameters: list[Parameter] = field(default_factory=list)
    decorators: list[int] = field(default_factory=list)
    kind: str = "plain"
    returns: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    loads: list[int] = field(default_factory=list)
    lambdas: list[int] = field(default_factory=list)
    sole_return: int = -1


@dataclass
class Class:
    """A ``class`` statement, or a class made by ``type(name, bases, namespace)``.

    ``owner`` is the top-level name in whose definition it stands (its own, mostly).
    """

    name: str
    line: int
    column: int
    scope: int
    parent: int
    owner: str
    bases: list[int] = field(default_factory=list)
    methods: list[int] = field(default_factory=list)
    stores: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    elements: dict[str, list[tuple[bool, int]]] = field(default_factory=dict)


class Mention(NamedTuple):
    """A dotted name read in the definition of the top-level name ``owner`` ("" for none)."""

    owner: str
    scope: int
    chain: tuple[str, ...]


@dataclass
class FileFacts:
    """All that is known of one file without looking at another."""

    exprs: list[Expr] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    scopes: list[Scope] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    classes: list[Class] = field(default_factory=list)
    calls: list[tuple[int, int]] = field(default_factory=list)
    mentions: list[Mention] = field(default_factory=list)
    item_stores: list[tuple[int, int]] = field(default_factory=list)
    made_classes: dict[int, int] = field(default_factory=dict)


def live_bindings(bindings: list[Binding], order: int | None) -> list[Binding]:
    """The bindings that a read at ``order`` (None: after all) can see.

    The last one in straight-line code hides those before it.
    """
    if len(bindings) == 1 and (order is None or bindings[0].order <= order):
        return bindings
    ordered = sorted(bindings, key=lambda item: item.order)
    if order is not None:
        ordered = [item for item in ordered if item.order <= order]
    last = 0
    for position, item in enumerate(ordered):
        if item.straight:
            last = position
    return ordered[last:]
