"""Run one package's driver: what its models return, and what an audit of them sees.

    python tests/corpus/run_driver.py NAME OUTPUT

The package and ``runtime`` come from PYTHONPATH. OUTPUT (made by ``torch.save``) holds for each
case the output and gradients, or the error, and the audit's JSON.
"""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import torch

from runtime.audit import audit


def main() -> None:
    name, output = sys.argv[1:]
    warnings.simplefilter("ignore")
    torch.set_num_threads(1)
    results = {}
    with audit() as report:
        for case, make in importlib.import_module(f"drivers.{name}").cases():
            results[case] = run(make)
    torch.save({"cases": results, "audit": report.to_json()}, output)


def run(make: Callable[[], tuple[torch.nn.Module, tuple[Any, ...]]]) -> dict[str, Any]:
    try:
        torch.manual_seed(0)
        module, arguments = make()
        leaves = [
            item.detach().clone().requires_grad_() if is_differentiable(item) else item
            for item in arguments
        ]
        torch.manual_seed(0)
        outputs = list(tensors(module(*leaves)))
        loss = sum((item.float() * torch.linspace(1, 2, item.numel()).reshape(item.shape)).sum()
                   for item in outputs)  # fmt: skip
        if isinstance(loss, torch.Tensor) and loss.requires_grad:
            loss.backward()
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    sources = [*leaves, *module.parameters()]
    grads = [item.grad for item in sources if isinstance(item, torch.Tensor)]
    return {
        "numbers": [item.detach() for item in (*outputs, *grads) if item is not None],
        "state": list(module.state_dict()),
    }


def is_differentiable(item: object) -> bool:
    return isinstance(item, torch.Tensor) and item.is_floating_point()


def tensors(value: object) -> Iterator[torch.Tensor]:
    if isinstance(value, torch.Tensor):
        yield value
    elif isinstance(value, (tuple, list)):
        for item in value:
            yield from tensors(item)
    elif hasattr(value, "covariance_matrix"):
        yield value.mean
        yield value.covariance_matrix
    elif hasattr(value, "value"):
        yield from tensors(value.value)


if __name__ == "__main__":
    main()
