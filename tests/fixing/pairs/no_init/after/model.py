import torch
from runtime import FunctionModule
from torch import nn


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 3


class Mix(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, scale: float = 1.0):
        ctx.save_for_backward(x, weight)
        ctx.scale = scale
        return x * weight * scale

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad * weight * ctx.scale, grad * x * ctx.scale, None


class Base(nn.Module):
    """The one with the parameters."""

    def __init__(self, width, bias=True):
        super().__init__()
        self.proj = nn.Linear(width, width, bias)


class Net(Base):
    """Without an ``__init__`` of its own."""

    factor = 2

    def __init__(self, width, bias=True):
        super().__init__(width, bias)
        self.double_fn = FunctionModule(Double)

    # applies
    def forward(self, x):
        return self.double_fn(self.proj(x)) * self.factor


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.double_fn = FunctionModule(Double)

    def forward(self, x):
        return self.double_fn(x) - 1


def make():
    return Net(4), (torch.arange(8.0).reshape(2, 4),)
