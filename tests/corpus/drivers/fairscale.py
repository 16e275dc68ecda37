from __future__ import annotations

import os
import tempfile

import torch
import torch.distributed as dist
from fairscale.experimental.nn import MEVO, SyncBatchNorm
from fairscale.nn import MOELayer, Top2Gate
from fairscale.nn.model_parallel import initialize_model_parallel
from fairscale.nn.model_parallel.layers import (
    ColumnParallelLinear,
    ParallelEmbedding,
    RowParallelLinear,
    VocabParallelEmbedding,
)
from torch import nn


def cases():
    _one_process()
    x = torch.randn(4, 6, generator=torch.Generator().manual_seed(0))
    tokens = torch.tensor([[0, 3, 1]])
    yield "MEVO", lambda: (_Loss(MEVO(nn.Parameter(torch.randn(8, 6)), tile_factor=2)), (x,))
    yield "SyncBatchNorm", lambda: (SyncBatchNorm(2), (x.reshape(2, 2, 2, 3),))
    yield "MOELayer", lambda: (MOELayer(Top2Gate(6, 1), nn.Linear(6, 6)), (x.reshape(2, 2, 6),))
    yield "ColumnParallelLinear", lambda: (ColumnParallelLinear(6, 4), (x,))
    yield "RowParallelLinear", lambda: (RowParallelLinear(6, 4), (x,))
    yield "VocabParallelEmbedding", lambda: (VocabParallelEmbedding(4, 6), (tokens,))
    yield "ParallelEmbedding", lambda: (ParallelEmbedding(4, 6), (tokens,))


def _one_process():
    if not dist.is_initialized():
        os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
        store = os.path.join(tempfile.mkdtemp(), "store")
        dist.init_process_group("gloo", init_method=f"file://{store}", rank=0, world_size=1)
        initialize_model_parallel(1)


class _Loss(nn.Module):
    def __init__(self, inner):
        super().__init__()
        self.inner = inner

    def forward(self, x):
        return self.inner(x, torch.tensor([0, 7, 3, 1]))
