"""The FQN of a running module, replicas and wrappers included."""

from __future__ import annotations

from collections.abc import Sequence

from torch import nn

from runtime.fqn import fqns


class Names:
    """The FQNs of one model's modules."""

    def __init__(self, model: nn.Module) -> None:
        self._model = model
        self._names: dict[int, str] = {}
        # Modules that are not part of the model stay alive with this, so that no id is reused.
        self._strangers: dict[int, nn.Module] = {}
        self._read()

    def _read(self) -> None:
        for fqn, module in fqns(self._model):
            self._names.setdefault(_identity(module), fqn)

    def fqn(self, module: nn.Module) -> str | None:
        """The module's FQN, the model's own being empty; None for one outside the model."""
        key = _identity(module)
        if key not in self._names and key not in self._strangers:
            self._read()  # it may have been added since
            if key not in self._names:
                self._strangers[key] = module
        return self._names.get(key)

    def nearest(self, modules: Sequence[nn.Module]) -> str | None:
        """The FQN of the first of ``modules`` that has one."""
        return next((fqn for module in modules if (fqn := self.fqn(module)) is not None), None)


def _identity(module: nn.Module) -> int:
    """The same for a module and its data-parallel replicas, which share this dictionary."""
    return id(module._forward_hooks)
