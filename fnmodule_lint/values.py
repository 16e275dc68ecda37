"""The values that an expression can have, as plain tuples.

========  ======================================  ==============================
kind      fields                                  stands for
========  ======================================  ==============================
"ext"     dotted name                             anything outside of the project
"mod"     path                                    a module of the project
"cls"     file, class                             a class of the project
"fn"      file, function, receiver, bound         a function or method; ``receiver`` is the
                                                  class that it was looked up on, or None
"inst"    class, origin                           an instance; for a class from outside,
                                                  ``origin`` is the (file, call, receiver)
                                                  that made it
"apply"   class                                   a Function class's ``apply``
"made"    class, file, function                   the same, returned by a factory
"seq"     file, expr, receiver                    a list, tuple, set or dict display
"super"   class, receiver, on instance            ``super()`` in a method of the class
"str"     text                                    a known string
========  ======================================  ==============================
"""

from __future__ import annotations

from typing import Any

Value = tuple[Any, ...]
Values = frozenset[Value]
Class = tuple[str, int, int]
"""A "cls" value."""

NOTHING: Values = frozenset()


def external(dotted: str) -> Value:
    """A name outside of the project."""
    return ("ext", dotted)


def project_class(file: int, index: int) -> Value:
    """A class of the project."""
    return ("cls", file, index)


def function(file: int, index: int, receiver: Value | None = None, bound: bool = False) -> Value:
    """A function, or a method looked up on the class ``receiver``."""
    return ("fn", file, index, receiver, bound)


def instance(of: Value, origin: Value | None = None) -> Value:
    """An instance of a class."""
    return ("inst", of, origin)
