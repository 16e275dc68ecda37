"""Runtime support: a module shell that gives an autograd Function an FQN."""

from __future__ import annotations

from runtime.function_module import FunctionModule

__all__ = ["FunctionModule"]
