"""The shell that makes an autograd Function a submodule."""

from __future__ import annotations

from typing import Any

from torch import nn
from torch.autograd import Function


class FunctionModule(nn.Module):
    """A parameterless, stateless module whose forward is ``fn.apply``.

    Registered as a submodule, it gives the Function an FQN: hooks, sharding plans, FSDP
    and checkpoint policies find it, while autograd sees the same graph as for a bare
    ``fn.apply(...)``.

    Contracts bind inputs by the forward's parameter names. A Function with one tensor
    input needs nothing more, since a single input binds to argument 0; one with several
    takes a subclass with an explicit signature::

        class RMSNorm(FunctionModule):
            def forward(self, x, weight, eps):
                return self._fn.apply(x, weight, eps)

    Args:
        fn: a subclass of ``torch.autograd.Function``.

    Raises:
        TypeError: ``fn`` is anything else, such as ``fn.apply`` or an instance.

    """

    _fn: type[Function]

    def __init__(self, fn: type[Function]) -> None:
        if not (isinstance(fn, type) and issubclass(fn, Function)):
            raise TypeError(_refusal(type(self).__name__, fn))
        super().__init__()
        self._fn = fn

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Apply the Function; ``apply`` is looked up now, so that it can be patched."""
        return self._fn.apply(*args, **kwargs)  # type: ignore[no-untyped-call]

    def extra_repr(self) -> str:
        """``fn=NAME``, as ``print(model)`` shows it."""
        return f"fn={self._fn.__qualname__}"


def _refusal(shell: str, given: Any) -> str:
    """Why ``given`` cannot be mounted and what to pass instead."""
    start = f"{shell} takes a torch.autograd.Function subclass, "
    owner = getattr(given, "__self__", None)
    if isinstance(owner, type) and issubclass(owner, Function):
        name = owner.__name__
        return f"{start}not the method {name}.{given.__name__}: pass the class {name}"
    if isinstance(given, Function):
        name = type(given).__name__
        return f"{start}not an instance of one: pass the class {name}"
    if isinstance(given, type) and issubclass(given, nn.Module):
        return (
            f"{start}not the Module class {given.__name__}: a Module needs no shell, use it itself"
        )
    if isinstance(given, nn.Module):
        name = type(given).__name__
        return f"{start}not a {name} instance: a Module needs no shell, register it itself"
    if isinstance(given, type):
        return f"{start}not the class {given.__name__}: derive it from torch.autograd.Function"
    if callable(given):
        name = getattr(given, "__qualname__", type(given).__name__)
        return f"{start}not the callable {name}: pass the Function class that it applies"
    return f"{start}not {given!r}: pass a class derived from torch.autograd.Function"
