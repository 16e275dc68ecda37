from __future__ import annotations

import torch
from torch import nn
from torchdiffeq import odeint, odeint_adjoint


class _Ode(nn.Module):
    def __init__(self, solve, **options):
        super().__init__()
        self.rate = nn.Linear(3, 3)
        self.solve, self.options = solve, options

    def forward(self, x):
        times = torch.linspace(0.0, 1.0, 3, requires_grad=True)
        return self.solve(_Rate(self.rate), x, times, **self.options)


class _Rate(nn.Module):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def forward(self, t, y):
        return torch.tanh(self.rate(y)) * t


def cases():
    x = torch.linspace(-1, 1, 6).reshape(2, 3)
    for perturb in (False, True):
        options = {"method": "rk4", "options": {"perturb": perturb}}
        yield f"odeint {perturb}", lambda o=options: (_Ode(odeint, **o), (x,))
    yield "odeint dopri5", lambda: (_Ode(odeint, method="dopri5"), (x,))
    yield "odeint_adjoint", lambda: (_Ode(odeint_adjoint, method="dopri5"), (x,))
