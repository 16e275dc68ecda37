"""Being told of every ``Function.apply``, also through names bound long before."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

from torch.autograd import Function, function

Listener = Callable[[type[Function], FrameType], None]

APPLY: CodeType = Function.apply.__func__.__code__  # type: ignore[attr-defined]
"""The body of ``Function.apply``."""

_ASKED_BY_APPLY = "_is_setup_context_defined"
"""``apply`` itself cannot be replaced: ``f = A.apply`` has bound it already. It calls this
function of its module first, by name (torch 2.4 to 2.13)."""

_lock = threading.Lock()
_listeners: tuple[Listener, ...] = ()
_original: Callable[[Any], bool] = getattr(function, _ASKED_BY_APPLY)


def listen(listener: Listener) -> None:
    """Call ``listener`` with each Function applied, and the frame of its ``apply``."""
    global _listeners, _original
    with _lock:
        if not _listeners:
            _original = getattr(function, _ASKED_BY_APPLY)
            setattr(function, _ASKED_BY_APPLY, _watch)
        _listeners = (*_listeners, listener)


def unlisten(listener: Listener) -> None:
    """Call it no more; without listeners everything is as it was."""
    global _listeners
    with _lock:
        kept = list(_listeners)
        kept.remove(listener)
        _listeners = tuple(kept)
        # Who has put something over it since then calls it still: it passes through.
        if not _listeners and getattr(function, _ASKED_BY_APPLY) is _watch:
            setattr(function, _ASKED_BY_APPLY, _original)


def is_torch(cls: type) -> bool:
    """Whether a class is of PyTorch itself."""
    return cls.__module__.partition(".")[0] == "torch"


def _watch(setup_context: Any) -> bool:
    frame = sys._getframe(1)
    if _listeners and frame.f_code is APPLY:
        fn = frame.f_locals["cls"]
        for listener in _listeners:
            listener(fn, frame)
    return _original(setup_context)
