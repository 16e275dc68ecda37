"""Which code is a method of a Module class, or is written inside of one."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from types import CodeType, FunctionType
from typing import Any

from torch import nn

from runtime.audit.interception import is_torch


class MethodCodes:
    """Code of the methods, over the MRO, of those classes that were added."""

    def __init__(self) -> None:
        self._known: set[type] = set()
        # By id, with the code itself kept alive: comparing code objects is slow.
        self._method: dict[int, tuple[CodeType, CodeType]] = {}

    def add(self, cls: type) -> None:
        """Let the methods of ``cls`` and its bases count; those of torch do not."""
        if cls in self._known:
            return
        self._known.add(cls)
        for base in cls.__mro__:
            if base is not object and not is_torch(base):
                for member in vars(base).values():
                    for function in _functions(member, 0):
                        self._add_code(function.__code__)

    def method_of(self, code: CodeType) -> CodeType | None:
        """The method that ``code`` is, or that it is written in; None for any other."""
        found = self._method.get(id(code))
        return found[1] if found else None

    def _add_code(self, method: CodeType) -> None:
        pending = [method]
        while pending:
            code = pending.pop()
            self._method.setdefault(id(code), (code, method))
            pending.extend(const for const in code.co_consts if isinstance(const, CodeType))


def _functions(member: Any, depth: int) -> Iterator[FunctionType]:
    """The functions that a class's member runs, also under decorators."""
    if depth > 4:
        return
    if isinstance(member, FunctionType):
        yield member
        inner: list[Any] = [getattr(member, "__wrapped__", None)]
        for cell in member.__closure__ or ():
            try:
                inner.append(cell.cell_contents)
            except ValueError:
                continue
        for value in inner:
            if isinstance(value, FunctionType) and _wraps(member, value):
                yield from _functions(value, depth + 1)
    elif isinstance(member, staticmethod | classmethod):
        yield from _functions(member.__func__, depth + 1)
    elif isinstance(member, property):
        for accessor in (member.fget, member.fset, member.fdel):
            yield from _functions(accessor, depth + 1)
    elif isinstance(member, functools.cached_property | functools.partialmethod):
        yield from _functions(member.func, depth + 1)
    elif not isinstance(member, type | nn.Module) and callable(member):
        wrapped = inspect.getattr_static(member, "__wrapped__", None)
        yield from _functions(wrapped, depth + 1)


def _wraps(outer: FunctionType, inner: FunctionType) -> bool:
    """Whether ``inner`` is what a decorator that made ``outer`` was given."""
    return getattr(outer, "__wrapped__", None) is inner or (
        inner.__qualname__.partition(".<locals>")[0] != outer.__qualname__.partition(".<locals>")[0]
        and "." in inner.__qualname__
    )
