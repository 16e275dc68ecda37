"""Tools that act on modules: each sees the shell, and does not see the bare call."""

from __future__ import annotations

import pytest
import torch
from captum.attr import LayerActivation
from torch import nn
from torch.distributed.algorithms._checkpoint.checkpoint_wrapper import (
    apply_activation_checkpointing,
)
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import FlopCounterMode
from torch.utils.module_tracker import ModuleTracker
from torchinfo import summary
from twins import BATCH, HIDDEN, WIDTH, Bare, Mounted, Normalise, batch, step

from runtime import FunctionModule
from runtime.fx import Tracer, is_function_module

pytestmark = pytest.mark.machinery


def test_the_twins_are_the_same_model():
    bare, mounted = step(Bare()), step(Mounted())
    assert list(bare) == list(mounted)
    assert all(torch.equal(bare[name], mounted[name]) for name in bare)


def seen_by_forward_hooks(model: nn.Module) -> dict[str, torch.Size]:
    shapes = {}
    for name, module in model.named_modules():
        module.register_forward_hook(
            lambda module, inputs, output, name=name: shapes.update({name: output.shape})
        )
    model(batch())
    return shapes


def test_forward_hooks():
    assert set(seen_by_forward_hooks(Bare())) == {"", "up", "down"}
    seen = seen_by_forward_hooks(Mounted())
    assert seen["normalise_fn"] == (BATCH, HIDDEN) and seen["gram_fn"] == (BATCH, BATCH)


def counted_flops(model: nn.Module) -> dict[str, int]:
    with FlopCounterMode(display=False) as counter:
        model(batch())
    return {name: sum(ops.values()) for name, ops in counter.get_flop_counts().items()}


def test_flop_counter():
    bare, mounted = counted_flops(Bare()), counted_flops(Mounted())
    assert bare["Global"] == mounted["Global"]
    assert mounted["Mounted.gram_fn"] == 2 * BATCH * BATCH * WIDTH
    assert set(bare) == {"Global", "Bare", "Bare.up", "Bare.down"}


class _Where(TorchDispatchMode):
    """Notes in which modules ``aten.rsqrt``, which only the Function calls, is run."""

    def __init__(self, tracker: ModuleTracker) -> None:
        super().__init__()
        self.tracker = tracker
        self.parents: set[str] = set()

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        if function is torch.ops.aten.rsqrt.default:
            self.parents |= self.tracker.parents
        return function(*args, **(kwargs or {}))


def parents_of_rsqrt(model: nn.Module) -> set[str]:
    with ModuleTracker() as tracker, _Where(tracker) as where:
        model(batch())
    return where.parents


def test_module_tracker():
    assert parents_of_rsqrt(Bare()) == {"Global", "Bare"}
    assert parents_of_rsqrt(Mounted()) == {"Global", "Mounted", "Mounted.normalise_fn"}


def runs_under_checkpointing(model: nn.Module) -> int:
    wanted = step(model)
    model.zero_grad()
    apply_activation_checkpointing(model, check_fn=is_function_module)
    Normalise.dtypes.clear()
    again = step(model)
    assert torch.equal(wanted["loss"], again["loss"])
    assert torch.equal(wanted["up.weight"], again["up.weight"])
    return len(Normalise.dtypes)


def test_activation_checkpointing():
    assert runs_under_checkpointing(Bare()) == 1
    assert runs_under_checkpointing(Mounted()) == 2


def exported_owners(model: nn.Module) -> set[str]:
    exported = torch.export.export(model, (batch(),))
    stacks = [node.meta.get("nn_module_stack", {}) for node in exported.graph.nodes]
    return {str(owner) for stack in stacks for owner, _ in stack.values()}


def test_export_names():
    assert exported_owners(Bare()) == {"", "up", "down"}
    assert exported_owners(Mounted()) == {"", "up", "down", "normalise_fn", "gram_fn"}


class Reverse(torch.autograd.Function):
    """Identity whose gradient changes its sign."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -grad


class BareReverse(nn.Module):
    def forward(self, x):
        return Reverse.apply(x) * 2


class MountedReverse(nn.Module):
    def __init__(self):
        super().__init__()
        self.reverse_fn = FunctionModule(Reverse)

    def forward(self, x):
        return self.reverse_fn(x) * 2


def gradient(model: nn.Module) -> list[float]:
    x = torch.ones(2, requires_grad=True)
    model(x).sum().backward()
    assert x.grad is not None
    return x.grad.tolist()


@pytest.mark.filterwarnings("ignore")  # torch.export warns about parts of its own
def test_export_backward():
    """Export drops every custom backward; a shell's name is where it can be put back."""
    x = (torch.ones(2),)
    for model in (BareReverse(), MountedReverse()):
        assert gradient(model) == [-2.0, -2.0]
        assert gradient(torch.export.export(model, x).module()) == [2.0, 2.0]
    kept = torch.export.export(MountedReverse(), x, preserve_module_call_signature=("reverse_fn",))
    module = torch.export.unflatten(kept)
    assert gradient(module) == [2.0, 2.0]
    module.set_submodule("reverse_fn", FunctionModule(Reverse))
    assert gradient(module) == [-2.0, -2.0]


def test_fx_backward():
    """A trace of the bare call has the wrong sign; a shell that stays a leaf has the right one."""
    bare = torch.fx.symbolic_trace(BareReverse())
    model = MountedReverse()
    mounted = torch.fx.GraphModule(model, Tracer().trace(model))
    assert gradient(bare) == [2.0, 2.0]
    assert gradient(mounted) == [-2.0, -2.0]


def test_captum_layer():
    mounted = Mounted()
    activation = LayerActivation(mounted, mounted.get_submodule("normalise_fn"))
    wanted = Normalise.apply(mounted.up(batch()), mounted.weight)
    assert torch.equal(activation.attribute(batch()), wanted)
    with pytest.raises(AttributeError, match="normalise_fn"):
        Bare().get_submodule("normalise_fn")


def summarised(model: nn.Module) -> list[str]:
    return [
        layer.var_name
        for layer in summary(model, input_size=(BATCH, WIDTH), verbose=0).summary_list
    ]


def test_torchinfo_summary():
    assert summarised(Bare()) == ["Bare", "up", "down"]
    assert summarised(Mounted()) == ["Mounted", "up", "normalise_fn", "down", "gram_fn"]
