import torch
from torch import nn

from ops import sharpen


class SharpenLayer(nn.Module):
    def __init__(self, dim=-1):
        self.dim = dim
        super().__init__()

    def forward(self, x):
        return sharpen(x, dim=self.dim)


def make():
    return nn.Sequential(nn.Linear(4, 4), SharpenLayer()), (torch.arange(8.0).reshape(2, 4),)
