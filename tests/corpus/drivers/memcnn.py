from __future__ import annotations

import torch
from memcnn import AdditiveCoupling, AffineCoupling, InvertibleModuleWrapper
from memcnn.models.affine import AffineAdapterNaive
from torch import nn


def cases():
    for way in (-1, 0, 1):
        yield f"AdditiveCoupling {way}", lambda way=way: (_additive(way), (_image(),))
        yield f"AdditiveCoupling inverse {way}", lambda way=way: _inverse(_additive(way))
        yield f"AffineCoupling {way}", lambda way=way: (_affine(way), (_image(),))
        yield f"AffineCoupling inverse {way}", lambda way=way: _inverse(_affine(way))
    yield "InvertibleModuleWrapper", lambda: (_wrapper(), (_image(),))
    yield "InvertibleModuleWrapper inverse", lambda: _inverse(_wrapper())


def _image():
    return torch.randn(2, 4, 3, 3, generator=torch.Generator().manual_seed(1))


def _conv(channels=2):
    return nn.Sequential(nn.Conv2d(channels, 2, 3, padding=1), nn.Tanh())


def _additive(way):
    return AdditiveCoupling(_conv(), _conv(), implementation_fwd=way, implementation_bwd=way)


def _affine(way):
    return AffineCoupling(
        _conv(), _conv(), AffineAdapterNaive, implementation_fwd=way, implementation_bwd=way
    )


def _wrapper():
    return InvertibleModuleWrapper(_additive(-1), keep_input=True, keep_input_inverse=True)


class _Backwards(nn.Module):
    """The inverse as a forward, so that the audit sees it run inside of one."""

    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner.inverse(x)


def _inverse(module):
    return _Backwards(module), (_image(),)
