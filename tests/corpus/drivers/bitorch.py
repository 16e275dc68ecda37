from __future__ import annotations

import torch
from bitorch.layers.pact import Pact
from bitorch.layers.qactivation import QActivation
from bitorch.quantizations import (
    ApproxSign,
    InputDoReFa,
    ProgressiveSign,
    Sign,
    SteHeaviside,
    SwishSign,
    WeightDoReFa,
)


def cases():
    x = torch.linspace(-2, 2, 12)
    for kind in (
        ApproxSign,
        InputDoReFa,
        ProgressiveSign,
        Sign,
        SteHeaviside,
        SwishSign,
        WeightDoReFa,
    ):
        yield kind.__name__, lambda kind=kind: (kind(), (x,))
    yield "Pact", lambda: (Pact(4), (x,))
    yield "ProgressiveSign.eval", lambda: (ProgressiveSign().eval(), (x,))
    yield "QActivation", lambda: (QActivation(Sign(), 1.0), (x,))
