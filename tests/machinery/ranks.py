"""What each of two processes does; results come back in files."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
from torch.distributed.device_mesh import init_device_mesh
from torch.distributed.fsdp import FSDPModule, MixedPrecisionPolicy, fully_shard
from torch.distributed.tensor import DTensor, Replicate, Shard
from torch.distributed.tensor.parallel import (
    ColwiseParallel,
    PrepareModuleInputOutput,
    RowwiseParallel,
    parallelize_module,
)
from twins import TWINS, Normalise, step

from runtime.fx import is_function_module

RANKS = 2


def run(task: Callable[[str], dict[str, Any]], twin: str, folder: Path) -> list[dict[str, Any]]:
    """What ``task(twin)`` returns on each rank."""
    mp.spawn(_rank, args=(task, twin, str(folder)), nprocs=RANKS)
    return [torch.load(folder / f"{rank}.pt") for rank in range(RANKS)]


def _rank(rank: int, task: Callable[[str], dict[str, Any]], twin: str, folder: str) -> None:
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")
    torch.set_num_threads(1)
    dist.init_process_group(
        "gloo", init_method=f"file://{folder}/store", rank=rank, world_size=RANKS
    )
    torch.save(task(twin), Path(folder) / f"{rank}.pt")
    dist.barrier()
    dist.destroy_process_group()
    # Threads of the backend that outlive the interpreter's end would abort the process.
    os._exit(0)


def tensor_parallel(twin: str) -> dict[str, Any]:
    """One step under a plan that mounts the boundary on the shell's FQN."""
    model = TWINS[twin]()
    boundary = PrepareModuleInputOutput(
        input_layouts=(Shard(-1), Replicate()),
        desired_input_layouts=(Replicate(), Replicate()),
        use_local_input=True,
        output_layouts=Replicate(),
        desired_output_layouts=Shard(-1),
    )
    plan = {"up": ColwiseParallel(), "normalise_fn": boundary, "down": RowwiseParallel()}
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        parallelize_module(model, init_device_mesh("cpu", (RANKS,)), plan)
    said = [str(item.message) for item in caught if "normalise_fn" in str(item.message)]
    try:
        result: dict[str, Any] = {name: _whole(value) for name, value in step(model).items()}
    except RuntimeError as error:
        return {"error": str(error).splitlines()[0], "said": said}
    return {**result, "said": said}


def mixed_precision(twin: str) -> dict[str, Any]:
    """One step in bfloat16, whose shells are wrapped to get float32."""
    model = TWINS[twin]()
    exact = MixedPrecisionPolicy(param_dtype=torch.float32, output_dtype=torch.bfloat16)
    for module in model.modules():
        if is_function_module(module):
            fully_shard(module, mp_policy=exact)
    fully_shard(model, mp_policy=MixedPrecisionPolicy(param_dtype=torch.bfloat16))
    Normalise.dtypes.clear()
    loss = model(torch.ones(2, 8)).float().mean()
    loss.backward()
    managed = [name for name, module in model.named_modules() if isinstance(module, FSDPModule)]
    return {"managed": managed, "dtype": str(Normalise.dtypes[0])}


def _whole(value: torch.Tensor) -> torch.Tensor:
    return value.full_tensor() if isinstance(value, DTensor) else value
