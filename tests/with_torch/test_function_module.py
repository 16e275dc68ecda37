"""The shell is transparent: same numbers, same gradients, and it is a module."""

from __future__ import annotations

import copy
import io
import pickle

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.utils.checkpoint import checkpoint  # noqa: E402

from runtime import FunctionModule  # noqa: E402


class Cube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * 3 * x**2


class ScaleShift(torch.autograd.Function):
    """Non-tensor arguments, two outputs, None gradients."""

    @staticmethod
    def forward(ctx, x, factor: float, label="none"):
        ctx.factor = factor
        return x * factor, x + 1

    @staticmethod
    def backward(ctx, grad_scaled, grad_shifted):
        return grad_scaled * ctx.factor + grad_shifted, None, None


class Mix(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        ctx.save_for_backward(x, weight)
        return x * weight

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad * weight, grad * x


class Sine(torch.autograd.Function):
    """``setup_context`` style, so that function transforms work on it."""

    generate_vmap_rule = True

    @staticmethod
    def forward(x):
        return torch.sin(x)

    @staticmethod
    def setup_context(ctx, inputs, output):
        (x,) = inputs
        ctx.save_for_backward(x)

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * torch.cos(x)


class MixShell(FunctionModule):
    def forward(self, x, weight):
        return self._fn.apply(x, weight)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(4, 4)
        self.cube_fn = FunctionModule(Cube)

    def forward(self, x):
        return self.cube_fn(self.linear(x))


def inputs(*shape):
    torch.manual_seed(0)
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


def test_output_and_gradient_equal_the_bare_call_bit_for_bit():
    bare, shelled = inputs(5), inputs(5)
    expected = Cube.apply(bare)
    actual = FunctionModule(Cube)(shelled)
    assert torch.equal(actual, expected)
    expected.sum().backward()
    actual.sum().backward()
    assert torch.equal(shelled.grad, bare.grad)
    assert type(actual.grad_fn) is type(expected.grad_fn)


def test_double_backward_equals_the_bare_call():
    results = []
    for call in (Cube.apply, FunctionModule(Cube)):
        x = inputs(5)
        (first,) = torch.autograd.grad(call(x).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad(first.sum(), x)
        results.append((first, second))
    assert torch.equal(results[0][0], results[1][0])
    assert torch.equal(results[0][1], results[1][1])
    assert torch.equal(results[1][1], 6 * inputs(5))


def test_several_outputs_none_gradients_and_other_arguments():
    x = inputs(3)
    scaled, shifted = FunctionModule(ScaleShift)(x, 2.0, "label")
    assert torch.equal(scaled, x * 2)
    (scaled.sum() + shifted.sum()).backward()
    assert torch.equal(x.grad, torch.full_like(x, 3.0))


def test_explicit_signature_subclass():
    x, weight = inputs(3), inputs(3).detach().clone().requires_grad_()
    out = MixShell(Mix)(weight=weight, x=x)
    out.sum().backward()
    assert torch.equal(x.grad, weight.detach())


def test_hooks_fire():
    model = Block().double()
    seen = []
    model.cube_fn.register_forward_pre_hook(lambda module, args: seen.append("pre"))
    model.cube_fn.register_forward_hook(lambda module, args, out: seen.append("forward"))
    model.cube_fn.register_full_backward_hook(lambda module, gin, gout: seen.append("backward"))
    model(inputs(2, 4)).sum().backward()
    assert seen == ["pre", "forward", "backward"]


def test_it_has_an_fqn_and_no_state():
    model = Block()
    assert "cube_fn" in dict(model.named_modules())
    shell = model.cube_fn
    assert list(shell.parameters()) == [] and list(shell.buffers()) == []
    assert shell.state_dict() == {}
    assert list(model.state_dict()) == ["linear.weight", "linear.bias"]


def test_repr_names_the_function():
    assert repr(FunctionModule(Cube)) == "FunctionModule(fn=Cube)"
    assert "(cube_fn): FunctionModule(fn=Cube)" in repr(Block())


def test_apply_is_looked_up_at_call_time(monkeypatch):
    shell = FunctionModule(Cube)
    monkeypatch.setattr(Cube, "apply", lambda x: "patched")
    assert shell(inputs(1)) == "patched"


def test_copies_and_pickles():
    model = Block().double()
    x = inputs(2, 4)
    stream = io.BytesIO()
    torch.save(model, stream)
    stream.seek(0)
    for other in (
        copy.deepcopy(model),
        pickle.loads(pickle.dumps(model)),
        torch.load(stream, weights_only=False),
    ):
        assert other.cube_fn._fn is Cube
        assert torch.equal(other(x), model(x))


def test_function_transforms():
    shell = FunctionModule(Sine)
    x = inputs(4).detach()
    assert torch.equal(torch.func.grad(lambda v: shell(v).sum())(x), torch.cos(x))
    batch = inputs(3, 4).detach()
    assert torch.equal(torch.func.vmap(shell)(batch), torch.sin(batch))


def test_activation_checkpointing_gives_the_same_numbers():
    model = Block().double()
    results = []
    for run in (model, lambda x: checkpoint(model, x, use_reentrant=False)):
        x = inputs(2, 4)
        model.zero_grad()
        run(x).sum().backward()
        results.append((x.grad, model.linear.weight.grad.clone()))
    assert torch.equal(results[0][0], results[1][0])
    assert torch.equal(results[0][1], results[1][1])


@pytest.mark.filterwarnings("ignore")
def test_compile_gives_the_same_numbers():
    model = Block().double()
    compiled = torch.compile(model, fullgraph=False, backend="aot_eager")
    results = []
    for run in (model, compiled):
        x = inputs(2, 4)
        model.zero_grad()
        run(x).sum().backward()
        results.append((x.grad, model.linear.weight.grad.clone()))
    assert torch.allclose(results[0][0], results[1][0])
    assert torch.allclose(results[0][1], results[1][1])


@pytest.mark.filterwarnings("ignore:.*should not be instantiated:DeprecationWarning")
@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Cube.apply, ["Cube.apply", "pass the class Cube"]),
        (lambda: Cube(), ["an instance", "pass the class Cube"]),
        (lambda: nn.Linear, ["Module class Linear"]),
        (lambda: nn.Linear(1, 1), ["Linear instance"]),
        (lambda: int, ["class int"]),
        (lambda: inputs, ["callable inputs"]),
        (lambda: None, ["None"]),
    ],
)
def test_anything_else_is_refused_by_name(make, words):
    with pytest.raises(TypeError) as error:
        FunctionModule(make())
    assert all(word in str(error.value) for word in words)
