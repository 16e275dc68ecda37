"""The same model twice: its Functions applied bare, and mounted. One seed, one set of weights."""

from __future__ import annotations

import torch
from torch import nn

from runtime import FunctionModule

WIDTH, HIDDEN, BATCH = 8, 16, 4


class Normalise(torch.autograd.Function):
    """Divides by the root mean square over the last dimension: a shard of it is not enough."""

    dtypes: list[torch.dtype] = []  # noqa: RUF012
    """Of each input since the list was last cleared."""

    @staticmethod
    def forward(ctx, x, weight):
        Normalise.dtypes.append(x.dtype)
        scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)
        ctx.save_for_backward(x, weight, scale)
        return x * scale * weight

    @staticmethod
    def backward(ctx, grad):
        x, weight, scale = ctx.saved_tensors
        inner = (grad * weight * x).mean(-1, keepdim=True)
        grad_weight = (grad * x * scale).flatten(0, -2).sum(0)
        return scale * (grad * weight - x * scale.pow(2) * inner), grad_weight


class Gram(torch.autograd.Function):
    """Work that a FLOP counter can count: ``x @ x.T``."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x @ x.mT

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return (grad + grad.mT) @ x


class NormaliseShell(FunctionModule):
    """Its contracts bind ``x`` and ``weight``."""

    def forward(self, x, weight):
        return self._fn.apply(x, weight)


class Bare(nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(0)
        self.up = nn.Linear(WIDTH, HIDDEN)
        self.down = nn.Linear(HIDDEN, WIDTH)
        self.weight = nn.Parameter(torch.linspace(0.5, 1.5, HIDDEN))

    def forward(self, x):
        hidden = Normalise.apply(self.up(x), self.weight)
        return Gram.apply(self.down(hidden))


class Mounted(Bare):
    def __init__(self):
        super().__init__()
        self.normalise_fn = NormaliseShell(Normalise)
        self.gram_fn = FunctionModule(Gram)

    def forward(self, x):
        hidden = self.normalise_fn(self.up(x), self.weight)
        return self.gram_fn(self.down(hidden))


TWINS: dict[str, type[Bare]] = {"bare": Bare, "mounted": Mounted}


def batch() -> torch.Tensor:
    return torch.randn(BATCH, WIDTH, generator=torch.Generator().manual_seed(1))


def step(model: nn.Module) -> dict[str, torch.Tensor]:
    """The loss and all gradients of one step, by name."""
    loss = model(batch()).square().mean()
    loss.backward()
    grads = {name: parameter.grad for name, parameter in model.named_parameters()}
    return {
        "loss": loss.detach(),
        **{name: grad for name, grad in grads.items() if grad is not None},
    }
