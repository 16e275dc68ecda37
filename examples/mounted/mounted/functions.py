"""Custom autograd Functions; the modules mount them as FunctionModules."""

import torch


class SquaredReLU(torch.autograd.Function):
    """max(x, 0) ** 2 with a hand-written backward."""

    @staticmethod
    def forward(ctx, x):
        positive = x.clamp(min=0)
        ctx.save_for_backward(positive)
        return positive * positive

    @staticmethod
    def backward(ctx, grad):
        (positive,) = ctx.saved_tensors
        return 2 * grad * positive


class Normalize(torch.autograd.Function):
    """x * weight / rms(x), keeping only what the backward needs."""

    @staticmethod
    def forward(ctx, x, weight, eps: float = 1e-6):
        scale = (x.pow(2).mean(-1, keepdim=True) + eps).rsqrt()
        ctx.save_for_backward(x, weight, scale)
        return x * scale * weight

    @staticmethod
    def backward(ctx, grad):
        x, weight, scale = ctx.saved_tensors
        scaled = grad * weight
        mean = (scaled * x).mean(-1, keepdim=True)
        grad_x = scale * (scaled - x * scale.pow(2) * mean)
        grad_weight = (grad * x * scale).flatten(0, -2).sum(0)
        return grad_x, grad_weight, None


class StraightThroughRound(torch.autograd.Function):
    """round(x), whose gradient is one."""

    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, grad):
        return grad
