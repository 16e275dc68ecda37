"""Runtime support: a module shell that gives an autograd Function an FQN."""

from __future__ import annotations

from importlib.util import find_spec

if find_spec("torch") is None:
    raise ImportError(
        "runtime needs PyTorch: pip install 'fnmodule-lint[runtime]', or torch itself"
    )

from runtime.function_module import FunctionModule

__all__ = ["FunctionModule"]
