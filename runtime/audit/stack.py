"""From a running ``apply`` outward: the Module method that led to it, and its module."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from types import CodeType, FrameType

from torch import nn
from torch.autograd import Function
from torch.autograd.function import BackwardCFunction

from runtime.audit.interception import APPLY, is_torch
from runtime.audit.methods import MethodCodes
from runtime.fx import is_function_module

_CALL: CodeType = nn.Module._call_impl.__code__
_BACKWARD: tuple[CodeType, ...] = tuple(
    method.__code__
    for name in ("apply", "apply_boxed")
    if (method := vars(BackwardCFunction).get(name)) is not None
)
_ENTRIES = frozenset({"forward", "__call__"})


@dataclass(frozen=True)
class Span:
    """Where a call is written; columns are UTF-8 offsets from 0, -1 where Python has none."""

    path: str
    line: int
    end_line: int
    column: int
    end_column: int


@dataclass(frozen=True)
class Trail:
    """Who applied a Function: its call site, and the running modules, innermost first."""

    site: Span
    applied: Span
    modules: tuple[nn.Module, ...]


def trail(apply: FrameType, codes: MethodCodes) -> Trail | None:
    """The way to an ``apply``; None where no forward runs, or a shell or Function is nearer."""
    site: FrameType | None = None
    modules: list[nn.Module] = []
    in_forward = False
    for frame in _outward(apply):
        code = frame.f_code
        if site is None and _is_function_frame(frame):
            return None
        module = _first_argument(frame)
        if module is not None:
            codes.add(type(module))
        method = codes.method_of(code)
        if site is None and method is not None and _is_running(method, frame):
            site = frame
        if module is None or not (code is _CALL or method is code):
            continue
        if not modules and is_function_module(module):
            return None
        in_forward = in_forward or code is _CALL or code.co_name in _ENTRIES
        if not modules or modules[-1] is not module:
            modules.append(module)
    if site is None or not in_forward or apply.f_back is None:
        return None
    return Trail(_span(site), _span(apply.f_back), tuple(modules))


def _outward(frame: FrameType) -> Iterator[FrameType]:
    outer = frame.f_back
    while outer is not None:
        yield outer
        outer = outer.f_back


def _is_function_frame(frame: FrameType) -> bool:
    """Whether a user's Function runs here; those of torch run what they are handed."""
    if frame.f_code in _BACKWARD:
        return not is_torch(getattr(type(frame.f_locals["self"]), "_forward_cls", Function))
    return frame.f_code is APPLY and not is_torch(frame.f_locals["cls"])


def _first_argument(frame: FrameType) -> nn.Module | None:
    code = frame.f_code
    if not code.co_argcount:
        return None
    value = frame.f_locals.get(code.co_varnames[0])
    return value if isinstance(value, nn.Module) else None


def _is_running(method: CodeType, frame: FrameType) -> bool:
    """Whether ``frame`` is the method itself, or a function written in it while it runs.

    A closure that a method made earlier (a factory called by ``__init__``) is like any
    other helper: its site is where a method calls it.
    """
    return frame.f_code is method or any(outer.f_code is method for outer in _outward(frame))


def _span(frame: FrameType) -> Span:
    code, line = frame.f_code, frame.f_lineno
    if sys.version_info >= (3, 11) and frame.f_lasti >= 0:
        place = next(islice(code.co_positions(), frame.f_lasti // 2, None), (None,) * 4)
        first, last, start, end = place
        if first is not None and last is not None and start is not None and end is not None:
            return Span(code.co_filename, first, last, start, end)
    return Span(code.co_filename, line, line, -1, -1)
