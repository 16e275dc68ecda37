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


class Mixer(nn.Module):
    def __init__(self, scale):
        super().__init__()
        self.scale = scale

    def forward(self, x, weight):
        return Mix.apply(x, weight, self.scale)


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.proj = nn.Linear(width, width)
        self.mixer = Mixer(0.25)

    def forward(self, x):
        return self.mixer(x, self.proj.bias) + 1


def make():
    return Net(4), (torch.arange(8.0).reshape(2, 4),)
