"""FNM2xx: FunctionModule usage."""

from __future__ import annotations

from fnmodule_lint.rules.rule import Rule

_HEAD = """\
import torch
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
"""

SHELLS = (
    Rule(
        code="FNM201",
        fix="safe",
        symbol="shell-without-signature",
        title="FunctionModule with several tensor inputs and no explicit forward",
        message=(
            "`{shell}` around {function} takes {names} through `*args`: contracts bind inputs"
            " by parameter name, so none of them can be bound; write a FunctionModule "
            "subclass whose `forward` names them and calls `self._fn.apply` (or annotate those of "
            "the Function's parameters that are no tensors)"
        ),
        why=(
            "Sharding contracts bind a boundary's inputs by the names of the forward's "
            "parameters. A variadic forward has no names, and the fallback to argument 0 "
            "serves a single input only."
        ),
        bad=_HEAD
        + """

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix_fn = FunctionModule(Mix)

    def forward(self, x, weight):
        return self.mix_fn(x, weight)
""",
        good=_HEAD
        + """

class MixShell(FunctionModule):
    def forward(self, x, weight):
        return self._fn.apply(x, weight)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix_fn = MixShell(Mix)

    def forward(self, x, weight):
        return self.mix_fn(x, weight)
""",
    ),
    Rule(
        code="FNM202",
        symbol="shell-of-no-function",
        title="FunctionModule around something that is no Function class",
        message=(
            "`{given}` is not a Function class: `{shell}` takes the torch.autograd.Function "
            "subclass itself; pass the class, neither its `apply` nor an instance"
        ),
        why=(
            "The shell looks up `apply` on the class at each call. Handed anything else it "
            "has no Function to name, and most of it is refused with a TypeError."
        ),
        bad=_HEAD
        + """

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_fn = FunctionModule(Scale.apply)

    def forward(self, x, weight):
        return self.scale_fn(x) * weight
""",
        good=_HEAD
        + """

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_fn = FunctionModule(Scale)

    def forward(self, x, weight):
        return self.scale_fn(x) * weight
""",
    ),
    Rule(
        code="FNM203",
        symbol="shell-without-fqn",
        title="FunctionModule that is never registered as a submodule",
        message=(
            "`{given}` is {names}: it never becomes a submodule, so it has no FQN and is as "
            "invisible as a bare `apply`; assign it to an attribute of `self` in `__init__`, "
            "or put it into an `nn.ModuleList` or `nn.ModuleDict`"
        ),
        why=(
            "A shell gives a Function an FQN only when it is registered: assigned to an "
            "attribute of a module, or kept in one of torch's module containers."
        ),
        bad=_HEAD
        + """

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.shells = [FunctionModule(Scale)]

    def forward(self, x, weight):
        return self.shells[0](x) * weight
""",
        good=_HEAD
        + """

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.shells = nn.ModuleList([FunctionModule(Scale)])

    def forward(self, x, weight):
        return self.shells[0](x) * weight
""",
    ),
    Rule(
        code="FNM204",
        symbol="shell-signature-mismatch",
        title="FunctionModule called or written with a number of arguments that does not fit",
        message=(
            "{given} arguments for {function} in `{shell}`, which takes {signature}: the call"
            " fails at run time; make the shell's `forward` and its calls agree with the "
            "Function's `forward`"
        ),
        why=(
            "`apply` hands its arguments to the Function's `forward`. A shell that hands on "
            "more or fewer fails at run time, on the first forward."
        ),
        bad=_HEAD
        + """

class MixShell(FunctionModule):
    def forward(self, x, weight, bias):
        return self._fn.apply(x, weight, bias)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix_fn = MixShell(Mix)

    def forward(self, x, weight):
        return self.mix_fn(x, weight, None)
""",
        good=_HEAD
        + """

class MixShell(FunctionModule):
    def forward(self, x, weight):
        return self._fn.apply(x, weight)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix_fn = MixShell(Mix)

    def forward(self, x, weight):
        return self.mix_fn(x, weight)
""",
    ),
    Rule(
        code="FNM205",
        fix="safe",
        symbol="shell-bypassed",
        title="FunctionModule entered by another way than its call",
        message=(
            "`{call}` goes around `{shell}`'s boundary: hooks, contracts and policies live in"
            " the module's `__call__`; write `{shell}(...)`"
        ),
        why=(
            "Everything that is mounted on a module runs in its `__call__`. `.forward(...)` "
            "and `._fn.apply(...)` skip all of it."
        ),
        bad=_HEAD
        + """

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_fn = FunctionModule(Scale)

    def forward(self, x, weight):
        return self.scale_fn.forward(x) * weight
""",
        good=_HEAD
        + """

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_fn = FunctionModule(Scale)

    def forward(self, x, weight):
        return self.scale_fn(x) * weight
""",
    ),
    Rule(
        code="FNM206",
        fix="safe",
        symbol="shell-own-apply",
        title="FunctionModule's own apply called as if it were the Function's",
        message=(
            "`{call}` is `nn.Module.apply`, which walks over submodules, not the Function's "
            "`apply`; write `{shell}(...)`"
        ),
        why=(
            "A FunctionModule is a module: its `apply` method is the one of `nn.Module`, "
            "which calls its argument on every submodule."
        ),
        bad=_HEAD
        + """

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_fn = FunctionModule(Scale)

    def forward(self, x, weight):
        return self.scale_fn.apply(x) * weight
""",
        good=_HEAD
        + """

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale_fn = FunctionModule(Scale)

    def forward(self, x, weight):
        return self.scale_fn(x) * weight
""",
    ),
    Rule(
        code="FNM207",
        fix="safe",
        symbol="shell-input-not-first",
        title="FunctionModule whose one tensor input is not the Function's first parameter",
        message=(
            "the one tensor input of {function} is {names}, after {expected}: a contract on "
            "this variadic `{shell}` binds argument 0, the wrong one; write a FunctionModule "
            "subclass whose `forward` names its parameters"
        ),
        why=(
            "A contract with one input falls back to argument 0 of a variadic forward. Where "
            "the tensor comes later, the contract acts on something else."
        ),
        bad=_HEAD
        + """

class Shift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, amount: float, x):
        return x + amount


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift_fn = FunctionModule(Shift)

    def forward(self, x, weight):
        return self.shift_fn(1.0, x) * weight
""",
        good=_HEAD
        + """

class Shift(torch.autograd.Function):
    @staticmethod
    def forward(ctx, amount: float, x):
        return x + amount


class ShiftShell(FunctionModule):
    def forward(self, amount: float, x):
        return self._fn.apply(amount, x)


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.shift_fn = ShiftShell(Shift)

    def forward(self, x, weight):
        return self.shift_fn(1.0, x) * weight
""",
    ),
)
