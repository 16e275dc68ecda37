"""A traced model keeps a shell's backward, and loses that of a bare apply."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402

from runtime import FunctionModule  # noqa: E402
from runtime.fx import Tracer, is_function_module  # noqa: E402


class Reverse(torch.autograd.Function):
    """Identity whose gradient changes its sign."""

    @staticmethod
    def forward(ctx, x):
        return x.view_as(x)

    @staticmethod
    def backward(ctx, grad):
        return -grad


class Bare(nn.Module):
    def forward(self, x):
        return Reverse.apply(x) * 2  # noqa: FNM101


class Mounted(nn.Module):
    def __init__(self):
        super().__init__()
        self.reverse_fn = FunctionModule(Reverse)

    def forward(self, x):
        return self.reverse_fn(x) * 2


def gradient(call):
    x = torch.ones(3, requires_grad=True)
    call(x).sum().backward()
    return x.grad


def traced(tracer, model):
    return torch.fx.GraphModule(model, tracer.trace(model))


def test_a_bare_apply_loses_its_backward_in_a_trace():
    assert torch.equal(gradient(Bare()), torch.full((3,), -2.0))
    assert torch.equal(gradient(traced(torch.fx.Tracer(), Bare())), torch.full((3,), 2.0))


def test_the_tracer_keeps_it_for_a_shell():
    model = traced(Tracer(), Mounted())
    assert torch.equal(gradient(model), torch.full((3,), -2.0))
    assert [node.target for node in model.graph.nodes if node.op == "call_module"] == ["reverse_fn"]


def test_other_modules_are_traced_as_before():
    class Outer(nn.Module):
        def __init__(self):
            super().__init__()
            self.inner = Mounted()
            self.linear = nn.Linear(3, 3)

        def forward(self, x):
            return self.linear(self.inner(x))

    targets = [node.target for node in Tracer().trace(Outer()).nodes if node.op == "call_module"]
    assert targets == ["inner.reverse_fn", "linear"]


def test_what_a_function_module_is():
    assert is_function_module(FunctionModule(Reverse))
    assert not is_function_module(nn.Linear(1, 1))
