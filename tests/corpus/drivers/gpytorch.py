from __future__ import annotations

import gpytorch
import torch
from gpytorch import variational


def cases():
    x = torch.linspace(0, 1, 5).unsqueeze(-1)
    for name in ("RBFKernel", "MaternKernel"):
        yield name, lambda name=name: (_Dense(getattr(gpytorch.kernels, name)()), (x,))
    for distribution in ("NaturalVariationalDistribution", "TrilNaturalVariationalDistribution"):
        yield distribution, lambda d=distribution: (_Model("VariationalStrategy", d), (x,))
    for strategy in ("CiqVariationalStrategy", "LargeBatchVariationalStrategy"):
        kind = "NaturalVariationalDistribution"
        yield strategy, lambda s=strategy, kind=kind: (_Model(s, kind), (x,))


class _Dense(torch.nn.Module):
    def __init__(self, kernel):
        super().__init__()
        self.kernel = kernel

    def forward(self, x):
        return self.kernel(x.detach(), x.detach()).to_dense()


class _Model(gpytorch.models.ApproximateGP):
    def __init__(self, strategy, distribution):
        points = torch.linspace(0, 1, 3).unsqueeze(-1)
        made = getattr(variational, distribution)(3)
        super().__init__(getattr(variational, strategy)(self, points, made))
        self.mean_module = gpytorch.means.ConstantMean()
        self.covar_module = gpytorch.kernels.RBFKernel()

    def forward(self, x):
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))
