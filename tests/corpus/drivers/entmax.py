from __future__ import annotations

import entmax
import torch

PROJECTIONS = ("Sparsemax", "Entmax15", "SparsemaxBisect", "EntmaxBisect", "NormmaxBisect")
LOSSES = ("SparsemaxLoss", "Entmax15Loss", "SparsemaxBisectLoss", "EntmaxBisectLoss")


def cases():
    x = torch.randn(3, 5, generator=torch.Generator().manual_seed(0))
    y = torch.tensor([0, 4, 2])
    for name in PROJECTIONS:
        yield name, lambda name=name: (getattr(entmax, name)(), (x,))
    yield "BudgetBisect", lambda: (entmax.BudgetBisect(budget=2), (x,))
    for name in (*LOSSES, "NormmaxBisectLoss"):
        yield name, lambda name=name: (getattr(entmax, name)(), (x, y))
