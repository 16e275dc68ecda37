"""What ``runtime.audit`` costs on a training step of a small transformer.

    python benchmarks/audit_overhead.py

Both kinds of step alternate in one run, after a warm-up; prints the medians and their ratio.
"""

from __future__ import annotations

import contextlib
import platform
import statistics
import time

import torch
from torch import nn

from runtime.audit import audit

STEPS, WARM_UP, BATCH, LENGTH, WIDTH = 60, 5, 8, 64, 128


class Squash(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = torch.tanh(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * (1 - y * y)


class Transformer(nn.Module):
    """Four layers, each followed by a bare apply."""

    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(WIDTH, 4, 4 * WIDTH, batch_first=True) for _ in range(4)
        )

    def forward(self, x):
        for layer in self.layers:
            x = Squash.apply(layer(x))  # noqa: FNM101
        return x


def main() -> None:
    torch.manual_seed(0)
    torch.set_num_threads(1)
    model = Transformer()
    x = torch.randn(BATCH, LENGTH, WIDTH)
    times: dict[str, list[float]] = {"plain": [], "audited": []}
    for number in range(WARM_UP + STEPS):
        for kind in times:
            model.zero_grad()
            recording = audit(model) if kind == "audited" else contextlib.nullcontext()
            begin = time.perf_counter()
            with recording:
                model(x).square().mean().backward()
            if number >= WARM_UP:
                times[kind].append(time.perf_counter() - begin)
    medians = {kind: statistics.median(values) for kind, values in times.items()}
    print(f"torch {torch.__version__}, Python {platform.python_version()}, one thread")
    for kind, median in medians.items():
        print(f"{kind:8} {median * 1000:7.2f} ms a step (median of {STEPS})")
    print(f"overhead {medians['audited'] / medians['plain'] - 1:+.1%}")


if __name__ == "__main__":
    main()
