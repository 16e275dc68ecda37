"""Recording what is applied while a model runs."""

from __future__ import annotations

import contextlib
import sys
import weakref
from collections.abc import Iterator
from types import FrameType

import torch
from torch import nn
from torch.autograd import Function

from runtime.audit.interception import is_torch, listen, unlisten
from runtime.audit.methods import MethodCodes
from runtime.audit.names import Names
from runtime.audit.report import Report, Site, code_point
from runtime.audit.stack import Trail, trail
from runtime.fqn import unwrapped


@contextlib.contextmanager
def audit(model: nn.Module | None = None) -> Iterator[Report]:
    """Record every Function that ``model`` applies where no module can see it.

    Without a model, every model that runs is audited. Functions of torch itself (such as
    that of reentrant checkpointing) are left out, those that they run are not. Functions
    count in every thread, and again when checkpointing recomputes them. Models compiled
    by ``torch.compile`` before the audit run eagerly during it; what is compiled inside
    of it is traced, and is not seen. Everything is restored at the end, also on errors.

    Yields:
        The report, filled while the model runs.

    """
    report = Report()
    recorder = _Recorder(model, report)
    with _eager():
        listen(recorder.applied)
        try:
            yield report
        finally:
            unlisten(recorder.applied)


def _eager() -> contextlib.AbstractContextManager[object]:
    """Compiled regions run as Python; nothing to do where the compiler was never loaded."""
    stance = getattr(torch.compiler, "set_stance", None)
    if stance is None or "torch._dynamo" not in sys.modules:
        return contextlib.nullcontext()
    eager: contextlib.AbstractContextManager[object] = stance("force_eager")
    return eager


class _Recorder:
    def __init__(self, model: nn.Module | None, report: Report) -> None:
        self._report = report
        self._codes = MethodCodes()
        self._model = None if model is None else unwrapped(model)
        self._names: dict[int, tuple[weakref.ref[nn.Module], Names]] = {}

    def applied(self, fn: type[Function], frame: FrameType) -> None:
        """Record one application of ``fn`` whose ``apply`` runs in ``frame``."""
        if is_torch(fn):
            return
        way = trail(frame, self._codes)
        if way is None:
            return
        root = self._model if self._model is not None else unwrapped(way.modules[-1])
        fqn = self._names_of(root).nearest(way.modules)
        if fqn is not None:
            self._report.add(_site(fn, way, root, fqn))

    def _names_of(self, root: nn.Module) -> Names:
        known = self._names.get(id(root))
        if known is None or known[0]() is not root:
            known = self._names[id(root)] = (weakref.ref(root), Names(root))
        return known[1]


def _site(fn: type[Function], way: Trail, root: nn.Module, fqn: str) -> Site:
    at = way.site
    return Site(
        path=at.path,
        line=at.line,
        column=code_point(at.path, at.line, at.column),
        end_line=at.end_line,
        end_column=code_point(at.path, at.end_line, at.end_column),
        fqn=fqn,
        module=_full_name(type(way.modules[0])),
        model=type(root).__name__,
        function=_full_name(fn),
        applied_path=way.applied.path,
        applied_line=way.applied.line,
    )


def _full_name(cls: type) -> str:
    return f"{cls.__module__}.{cls.__qualname__}"
