"""FunctionModules under ``torch.fx``: leaves, so that their backward is kept."""

from __future__ import annotations

from torch import fx, nn
from torch.autograd import Function

from runtime.function_module import FunctionModule


def is_function_module(module: nn.Module) -> bool:
    """Whether ``module`` is the shell of an autograd Function.

    That is ``runtime.FunctionModule``, and any class named so, or derived from one named
    so, that holds its Function as ``_fn``: a project's own copy, or HyperParallel's.
    """
    if isinstance(module, FunctionModule):
        return True
    fn = getattr(module, "_fn", None)
    return (
        isinstance(fn, type)
        and issubclass(fn, Function)
        and any(base.__name__ == FunctionModule.__name__ for base in type(module).__mro__)
    )


class Tracer(fx.Tracer):
    """A tracer that keeps every FunctionModule as one node.

    ``torch.fx.symbolic_trace`` traces through ``Function.apply`` and records what its
    forward does: the custom backward is lost without a word. As a leaf the shell is
    called as it is::

        graph = Tracer().trace(model)
        traced = torch.fx.GraphModule(model, graph)
    """

    def is_leaf_module(self, m: nn.Module, module_qualified_name: str) -> bool:
        """Whether the trace stops at ``m``; the parameters are those of ``torch.fx``."""
        return is_function_module(m) or super().is_leaf_module(m, module_qualified_name)
