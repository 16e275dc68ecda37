"""FQNs of a model's modules, as plans write them: without the names that wrappers add."""

from __future__ import annotations

from collections.abc import Iterator

from torch import nn
from torch.nn.parallel import DataParallel, DistributedDataParallel

_WRAPPERS = frozenset({"_orig_mod", "_checkpoint_wrapped_module", "_fsdp_wrapped_module"})
"""Names under which torch.compile, checkpoint_wrapper and FSDP keep what they wrap."""


def clean_fqn(fqn: str) -> str:
    """``fqn`` without the segments that wrappers add."""
    return ".".join(part for part in fqn.split(".") if part not in _WRAPPERS)


def unwrapped(model: nn.Module) -> nn.Module:
    """The model inside of DataParallel and DistributedDataParallel."""
    while isinstance(model, DataParallel | DistributedDataParallel):
        model = model.module
    return model


def fqns(model: nn.Module) -> Iterator[tuple[str, nn.Module]]:
    """Every module with each FQN that it has; the model's own is empty."""
    for name, module in unwrapped(model).named_modules(remove_duplicate=False):
        yield clean_fqn(name), module
