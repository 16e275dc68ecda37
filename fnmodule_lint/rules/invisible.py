"""FNM1xx: invisible calls."""

from __future__ import annotations

from fnmodule_lint.rules.rule import Rule

INVISIBLE = (
    Rule(
        code="FNM101",
        fix="safe",
        symbol="invisible-function-apply",
        title="autograd Function applied where no module can see it",
        message=(
            "`{call}` in {owner} applies {function}, which has no FQN: hooks, sharding plans, FSDP "
            "and FLOP counters cannot see it; mount {mount} in `__init__` and call that"
        ),
        why=(
            "Everything that works at the granularity of `nn.Module.forward` is blind to a bare "
            "`A.apply(...)`: it has no FQN, nothing can be mounted on it, and nothing warns. "
            "A parameterless `FunctionModule` shell gives the Function a name in the module tree."
        ),
        bad="""\
import torch
from torch import nn


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class Block(nn.Module):
    def forward(self, x):
        return Scale.apply(x) + 1
""",
        good="""\
import torch
from runtime import FunctionModule
from torch import nn


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_fn = FunctionModule(Scale)

    def forward(self, x):
        return self.scale_fn(x) + 1
""",
    ),
    Rule(
        code="FNM102",
        fix="unsafe",
        symbol="invisible-function-helper",
        title="helper that ends in an autograd Function no module can see",
        message=(
            "`{call}` in {owner} ends in {function}, which has no FQN ({chain}): hooks, sharding "
            "plans, FSDP and FLOP counters cannot see it; mount {mount} in `__init__` "
            "and call that instead"
        ),
        why=(
            "More than half of all invisible Functions hide behind a plain helper, mostly in "
            "another file. The call looks like any other, yet an autograd Function runs inside it, "
            "outside every module boundary."
        ),
        bad="""\
import torch
from torch import nn


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


def scale(x):
    return Scale.apply(x)


class Block(nn.Module):
    def forward(self, x):
        return scale(x) + 1
""",
        good="""\
import torch
from runtime import FunctionModule
from torch import nn


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


def scale(x):
    return Scale.apply(x)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_fn = FunctionModule(Scale)

    def forward(self, x):
        return self.scale_fn(x) + 1
""",
    ),
    Rule(
        code="FNM103",
        fix="safe",
        symbol="handwritten-function-shell",
        title="hand-written shell around an autograd Function",
        message=(
            "{owner} does nothing but apply {function}: a shell written by hand, which tools that "
            "look for Function boundaries pass over; mount {mount} in it and call "
            "that, or name the class in the setting `function-module` if it is your own shell"
        ),
        why=(
            "A module whose whole `forward` is one call of a Function is a shell written by hand. "
            "Tools see the module, but not that it is a Function's boundary: plans that act on "
            "FunctionModules pass it over."
        ),
        bad="""\
import torch
from torch import nn


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class ScaleLayer(nn.Module):
    def forward(self, x):
        return Scale.apply(x)
""",
        good="""\
import torch
from runtime import FunctionModule
from torch import nn


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class ScaleLayer(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_fn = FunctionModule(Scale)

    def forward(self, x):
        return self.scale_fn(x)
""",
    ),
    Rule(
        code="FNM104",
        symbol="legacy-function-call",
        title="autograd Function instance called as a function",
        message=(
            "`{call}` in {owner} calls an instance of {function}: the legacy form, which every "
            "current PyTorch refuses; mount {mount} in `__init__` and call that"
        ),
        why=(
            "Old-style Functions were instantiated and called. PyTorch removed that form: the call "
            "raises at run time."
        ),
        bad="""\
import torch
from torch import nn


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class Block(nn.Module):
    def forward(self, x):
        return Scale()(x) + 1
""",
        good="""\
import torch
from runtime import FunctionModule
from torch import nn


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_fn = FunctionModule(Scale)

    def forward(self, x):
        return self.scale_fn(x) + 1
""",
    ),
)
