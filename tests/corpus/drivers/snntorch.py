from __future__ import annotations

import snntorch
import torch
from snntorch import functional, surrogate
from torch import nn


def cases():
    x = torch.linspace(-1, 3, 8).reshape(2, 4)
    for kind in (snntorch.Leaky, snntorch.Lapicque):
        yield kind.__name__, lambda kind=kind: (_Steps(kind(beta=0.9)), (x,))
    for reset in ("subtract", "zero"):
        yield f"Leaky {reset}", lambda r=reset: (_Steps(_leaky(reset_mechanism=r)), (x,))
    yield "Leaky inhibition", lambda: (_Steps(_leaky(inhibition=True)), (x,))
    for name in ("fast_sigmoid", "sigmoid", "triangular", "straight_through_estimator"):
        spike = getattr(surrogate, name)()
        yield f"Leaky {name}", lambda s=spike: (_Steps(_leaky(spike_grad=s)), (x,))
    yield "Synaptic", lambda: (_Steps(snntorch.Synaptic(alpha=0.8, beta=0.9)), (x,))
    yield "Alpha", lambda: (_Steps(snntorch.Alpha(alpha=0.9, beta=0.8)), (x,))
    yield "RLeaky", lambda: (_Steps(snntorch.RLeaky(beta=0.9, linear_features=4)), (x,))
    spikes = (torch.linspace(0, 1, 24).reshape(6, 2, 2) > 0.5).float()
    yield "ce_temporal", lambda: (_Loss(functional.ce_temporal_loss()), (spikes,))
    yield "mse_temporal", lambda: (_Loss(functional.mse_temporal_loss()), (spikes,))


def _leaky(**options):
    return snntorch.Leaky(beta=0.9, **options)


class _Steps(nn.Module):
    """Three steps of a neuron that keeps its state."""

    def __init__(self, neuron):
        super().__init__()
        self.neuron = neuron
        self.neuron.init_hidden = True
        reset = getattr(neuron, "reset_mem", None) or neuron.reset_hidden
        reset()

    def forward(self, x):
        first = self.neuron(x)
        outputs = [first[0] if isinstance(first, tuple) else first]
        return torch.stack(outputs)


class _Loss(nn.Module):
    def __init__(self, loss):
        super().__init__()
        self.loss = loss
        self.first = loss.spk_time if hasattr(loss, "spk_time") else None

    def forward(self, spikes):
        return self.loss(spikes, torch.tensor([0, 1]))
