"""Sharding plans and FSDP on two processes: what is mounted on a shell's FQN takes effect."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from ranks import mixed_precision, run, tensor_parallel
from twins import TWINS, step

pytestmark = pytest.mark.machinery


def test_tensor_parallel_plan_on_the_shell(tmp_path: Path):
    wanted = step(TWINS["mounted"]())
    for result in run(tensor_parallel, "mounted", tmp_path):
        assert result.pop("said") == []
        assert set(result) == set(wanted)
        for name, value in wanted.items():
            torch.testing.assert_close(result[name], value, msg=name)


def test_tensor_parallel_plan_ignores_the_bare_call(tmp_path: Path):
    """The plan's key matches nothing: a warning, and then wrong sizes meet in the Function."""
    for result in run(tensor_parallel, "bare", tmp_path):
        assert any("could not be resolved" in line for line in result["said"])
        assert "must match the size" in result["error"]


def test_fully_shard_policy_on_the_shell(tmp_path: Path):
    for result in run(mixed_precision, "mounted", tmp_path):
        assert result == {"managed": ["", "normalise_fn", "gram_fn"], "dtype": "torch.float32"}


def test_fully_shard_policy_ignores_the_bare_call(tmp_path: Path):
    for result in run(mixed_precision, "bare", tmp_path):
        assert result == {"managed": [""], "dtype": "torch.bfloat16"}
