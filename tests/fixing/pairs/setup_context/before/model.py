import torch
from torch import nn


class Mix(torch.autograd.Function):
    @staticmethod
    def forward(x: torch.Tensor, weight: torch.Tensor, power: int = 2) -> torch.Tensor:
        return x * weight**power

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(*inputs[:2])

    @staticmethod
    def backward(ctx, grad):
        x, weight = ctx.saved_tensors
        return grad * weight, grad * x, None


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        def inner(y):
            return Mix.apply(y, self.proj.bias)

        return inner(x) + 1


def make():
    return Net(4), (torch.arange(8.0).reshape(2, 4),)
