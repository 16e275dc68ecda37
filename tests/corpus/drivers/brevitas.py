from __future__ import annotations

import torch
from brevitas import nn
from brevitas.core.quant import (
    BinaryQuant,
    ClampedBinaryQuant,
    TernaryQuant,
)
from brevitas.core.scaling import ConstScaling


def cases():
    x = torch.linspace(-2, 2, 12).reshape(3, 4)
    image = torch.linspace(-2, 2, 32).reshape(1, 2, 4, 4)
    yield "QuantLinear", lambda: (nn.QuantLinear(4, 2, bias=True, weight_bit_width=4), (x,))
    yield "QuantIdentity", lambda: (nn.QuantIdentity(bit_width=4), (x,))
    yield "QuantReLU", lambda: (nn.QuantReLU(bit_width=4), (x,))
    yield "QuantConv2d", lambda: (nn.QuantConv2d(2, 2, 3, weight_bit_width=4), (image,))
    yield "QuantHardTanh", lambda: (nn.QuantHardTanh(min_val=-1.0, max_val=1.0), (x,))
    yield "QuantUpsample", lambda: (_quantised(nn.QuantUpsample(scale_factor=2)), (image,))
    bilinear = nn.QuantUpsamplingBilinear2d
    yield "QuantUpsamplingBilinear2d", lambda: (_quantised(bilinear(scale_factor=2)), (image,))
    for kind in (BinaryQuant, ClampedBinaryQuant):
        yield kind.__name__, lambda kind=kind: (_First(kind(ConstScaling(0.5))), (x,))
    yield "TernaryQuant", lambda: (_First(TernaryQuant(ConstScaling(1.0), 0.5)), (x,))


class _First(torch.nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x)[0]


def _quantised(layer):
    return torch.nn.Sequential(nn.QuantIdentity(bit_width=4, return_quant_tensor=True), layer)
