"""The same model: each Function has an FQN, so that tools can act on it."""

import torch
from runtime import FunctionModule
from torch import nn

from .functions import Normalize, SquaredReLU, StraightThroughRound


class NormalizeShell(FunctionModule):
    """Two tensor inputs: contracts bind them by these names."""

    def forward(self, x, weight, eps: float = 1e-6):
        return self._fn.apply(x, weight, eps)


class Block(nn.Module):
    def __init__(self, width, bits=8):
        super().__init__()
        self.steps = 2**bits
        self.weight = nn.Parameter(torch.ones(width))
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)
        self.normalize_fn = NormalizeShell(Normalize)
        self.activation = FunctionModule(SquaredReLU)
        self.round_fn = FunctionModule(StraightThroughRound)

    def forward(self, x):
        y = self.normalize_fn(x, self.weight)
        y = self.activation(self.up(y))
        y = self.round_fn(self.down(y) * self.steps) / self.steps
        return x + self.rounded(y)

    def rounded(self, y):
        return self.round_fn(y * 16) / 16


class Gated(Block):
    def forward(self, x):
        return x * self.activation(super().forward(x))
