import torch
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


class Net(nn.Module):
    """Two Functions, one of them twice."""

    def __init__(self, width):
        super().__init__()  # as it should be
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        # the first one
        x = Double.apply(self.proj(x)) + 1
        x = Mix.apply(x, self.proj.weight[0], 0.5)
        return Double.apply(x)  # and again


def make():
    return Net(4), (torch.arange(8.0).reshape(2, 4),)
