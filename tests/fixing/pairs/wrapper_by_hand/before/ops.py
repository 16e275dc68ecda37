import torch


class Sharpen(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, power=2, dim=-1):
        ctx.save_for_backward(x)
        ctx.power = power
        return x**power

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return grad * ctx.power * x ** (ctx.power - 1) * 0.5, None, None


def sharpen(x, power=3, dim=-1):
    """A plain wrapper with a default of its own."""
    return Sharpen.apply(x, power, dim)
