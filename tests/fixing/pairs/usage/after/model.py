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


class MixShell(FunctionModule):
    def forward(self, x, weight, scale: float = 1.0):
        return self._fn.apply(x, weight, scale)


class Shift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, amount: float, x):
        return x + amount

    @staticmethod
    def backward(ctx, grad):
        return None, grad * 5


class ShiftShell(FunctionModule):
    def forward(self, amount: float, x):
        return self._fn.apply(amount, x)


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.proj = nn.Linear(width, width)
        self.double_fn = FunctionModule(Double)
        self.mix_fn = MixShell(Mix)
        self.shift_fn = ShiftShell(Shift)

    def forward(self, x):
        x = self.double_fn(self.proj(x)) + self.double_fn(x)
        x = self.mix_fn(x, self.proj.bias, 0.5)
        return self.shift_fn(1.5, x)


def make():
    return Net(4), (torch.arange(8.0).reshape(2, 4),)
