"""The Functions live elsewhere."""

from __future__ import annotations

import math

import torch
from runtime import FunctionModule
from torch import nn

import ops
from ops import Mix as Mixing
from ops import Halve, halve

__all__ = ["Net"]


class Mix(FunctionModule):
    def forward(self, x, weight, scale=1.0):
        return self._fn.apply(x, weight, scale)


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.double_fn = FunctionModule(ops.Double)
        self.mix_fn = Mix(Mixing)
        self.halve_fn = FunctionModule(Halve)
        self.proj = nn.Linear(width, width)

    def forward(self, x):
        x = self.double_fn(self.proj(x)) + math.pi
        x = self.mix_fn(x, self.proj.bias, 0.5)
        return self.halve_fn(x) + 1


def make():
    return Net(4), (torch.arange(8.0).reshape(2, 4),)
