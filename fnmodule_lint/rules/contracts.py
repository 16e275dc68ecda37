"""FNM3xx: boundary contracts."""

from __future__ import annotations

from fnmodule_lint.rules.rule import Rule

_HEAD = """\
import torch
from hyper_parallel.distributed import ModuleShardingSpec
from runtime import FunctionModule
from torch import nn


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class Mix(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        return x * weight


class MixShell(FunctionModule):
    def forward(self, x, weight):
        return self._fn.apply(x, weight)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_fn = FunctionModule(Scale)
        self.mix_fn = MixShell(Mix)

    def forward(self, x, weight):
        return self.mix_fn(self.scale_fn(x), weight)


R, S = {"tp": "replicate"}, {"tp": "shard(1)"}
"""

CONTRACTS = (
    Rule(
        code="FNM301",
        fix="safe",
        symbol="contract-dispatches-region",
        title="contract on a FunctionModule without region_dispatch=False",
        message=(
            "the contract for `{key}` leaves `region_dispatch` on: a custom Function is "
            "outside DTensor dispatch, so the region fails or computes on wrong shards; add "
            "`{setting}`"
        ),
        why=(
            "Inside the region of a contract tensors are dispatched as DTensors unless "
            "`region_dispatch=False` says otherwise, and no sharding rule exists for a custom"
            " Function."
        ),
        bad=_HEAD
        + """
plan = {
    "layers.*.scale_fn": ModuleShardingSpec(
        in_src={"x": S},
        in_dst={"x": R},
    ),
}
""",
        good=_HEAD
        + """
plan = {
    "layers.*.scale_fn": ModuleShardingSpec(
        region_dispatch=False,
        in_src={"x": S},
        in_dst={"x": R},
    ),
}
""",
    ),
    Rule(
        code="FNM302",
        symbol="contract-input-unbound",
        title="contract input that no parameter of the shell's forward binds",
        message=(
            "{names} in the contract for `{key}` will never bind: `{shell}.forward` takes "
            "{signature}; use its parameter names"
        ),
        why=(
            "A contract binds inputs by the positional parameter names of the shell's "
            "forward. A single input falls back to argument 0; several on a variadic forward "
            "bind to nothing."
        ),
        bad=_HEAD
        + """
plan = {
    "layers.*.mix_fn": ModuleShardingSpec(
        region_dispatch=False,
        in_src={"x": S, "w": R},
        in_dst={"x": R, "w": R},
    ),
}
""",
        good=_HEAD
        + """
plan = {
    "layers.*.mix_fn": ModuleShardingSpec(
        region_dispatch=False,
        in_src={"x": S, "weight": R},
        in_dst={"x": R, "weight": R},
    ),
}
""",
    ),
    Rule(
        code="FNM303",
        symbol="contract-sides-differ",
        title="contract whose source and destination name different tensors",
        message=(
            "`{given}` and `{expected}` of the contract for `{key}` differ in {names}: a "
            "tensor with one side only is not redistributed; give both the same keys"
        ),
        why=(
            "A contract says for each tensor from which placement to which it goes. A key on "
            "one side only has no transition."
        ),
        bad=_HEAD
        + """
plan = {
    "layers.*.mix_fn": ModuleShardingSpec(
        region_dispatch=False,
        in_src={"x": S, "weight": R},
        in_dst={"x": R},
    ),
}
""",
        good=_HEAD
        + """
plan = {
    "layers.*.mix_fn": ModuleShardingSpec(
        region_dispatch=False,
        in_src={"x": S, "weight": R},
        in_dst={"x": R, "weight": R},
    ),
}
""",
    ),
    Rule(
        code="FNM304",
        symbol="contract-params-on-shell",
        title="contract that places parameters of a FunctionModule",
        message=(
            "the contract for `{key}` places parameters, but a `{shell}` has none: the entry "
            "matches nothing; leave `params` out and place them on the module that owns them"
        ),
        why=(
            "A FunctionModule is parameterless: weights reach the Function as inputs, and "
            "belong to the module that hands them over."
        ),
        bad=_HEAD
        + """
plan = {
    "layers.*.scale_fn": ModuleShardingSpec(
        params={"weight": R},
        region_dispatch=False,
        in_src={"x": S},
        in_dst={"x": R},
    ),
}
""",
        good=_HEAD
        + """
plan = {
    "layers.*.scale_fn": ModuleShardingSpec(
        params={},
        region_dispatch=False,
        in_src={"x": S},
        in_dst={"x": R},
    ),
}
""",
    ),
    Rule(
        code="FNM305",
        symbol="shell-without-contract",
        title="FunctionModule that no contract of the project covers",
        message=(
            "the project declares plan overrides, and no key covers `{key}`: an undeclared "
            "boundary means silently no communication; add a contract for it, or ignore this "
            "rule where none is needed"
        ),
        why=(
            "In a project that declares contracts, a boundary without one is passed over in "
            "silence, whether that is meant or not."
        ),
        bad=_HEAD
        + """
plan = {
    "layers.*.scale_fn": ModuleShardingSpec(
        region_dispatch=False,
        in_src={"x": S},
        in_dst={"x": R},
    ),
}
""",
        good=_HEAD
        + """
plan = {
    "layers.*.scale_fn": ModuleShardingSpec(
        region_dispatch=False,
        in_src={"x": S},
        in_dst={"x": R},
    ),
    "layers.*.mix_fn": ModuleShardingSpec(
        region_dispatch=False,
        in_src={"x": S, "weight": R},
        in_dst={"x": R, "weight": R},
    ),
}
""",
        default=False,
    ),
)
