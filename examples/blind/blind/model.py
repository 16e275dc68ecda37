"""Five ways in which a Function hides from hooks, plans and policies."""

import torch
from torch import nn

from .functions import StraightThroughRound, make_quantizer, normalize, squared_relu


class Activation(nn.Module):
    def forward(self, x):
        return squared_relu(x)


class Block(nn.Module):
    def __init__(self, width, bits=8):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(width))
        self.up = nn.Linear(width, 2 * width)
        self.down = nn.Linear(2 * width, width)
        self.activation = Activation()
        self.quantize = make_quantizer(bits)

    def forward(self, x):
        y = normalize(x, self.weight)
        y = self.activation(self.up(y))
        y = self.quantize(self.down(y))
        return x + self.rounded(y)

    def rounded(self, y):
        return StraightThroughRound.apply(y * 16) / 16


class Gated(Block):
    def forward(self, x):
        return x * squared_relu(super().forward(x))
