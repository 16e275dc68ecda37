"""What is left alone, and why."""

from __future__ import annotations

from pathlib import Path

import pytest

from fnmodule_lint.engine import Engine
from fnmodule_lint.fixes.apply import Fixer
from fnmodule_lint.fixes.rewrite import rewrite

HEAD = """\
import torch
from torch import nn
from dataclasses import dataclass


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2


class Other(Scale):
    pass


class Loose(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, scale=None):
        return x * weight

    @staticmethod
    def backward(ctx, grad):
        return (grad, grad) if ctx.scale is None else (grad, grad, None)


class Star(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *tensors):
        return tensors[0]


"""
KINDS = {
    "an nn.Sequential, in which an attribute becomes a stage": """\
class Net(nn.Sequential):
    def forward(self, x):
        return Scale.apply(x) + 1
""",
    "an nn.ModuleList, in which an attribute becomes a stage": """\
class Net(nn.ModuleList):
    def forward(self, x):
        return Scale.apply(x) + 1
""",
    "a decorator writes the constructor of Net": """\
@dataclass
class Net(nn.Module):
    width: int

    def forward(self, x):
        return Scale.apply(x) + 1
""",
    "Net inherits from several classes": """\
class Part:
    pass


class Net(Part, nn.Module):
    def forward(self, x):
        return Scale.apply(x) + 1
""",
    "the Function is chosen at run time": """\
class Net(nn.Module):
    def __init__(self, fast):
        super().__init__()
        self.fast = fast

    def forward(self, x):
        function = Scale if self.fast else Other
        return function.apply(x) + 1
""",
    "__init__ does not call super().__init__() in plain sight": """\
class Net(nn.Module):
    def __init__(self, width):
        if width:
            super().__init__()

    def forward(self, x):
        return Scale.apply(x) + 1
""",
    "goes through its children": """\
class Net(nn.Module):
    def forward(self, x):
        for child in self.children():
            x = child(x)
        return Scale.apply(x) + 1
""",
    "instances of Net are made without running __init__": """\
class Net(nn.Module):
    def forward(self, x):
        return Scale.apply(x) + 1


def adopt(module):
    module.__class__ = Net
    return module
""",
    "which cannot script a shell": """\
class Net(nn.Module):
    def forward(self, x):
        return Scale.apply(x) + 1


scripted = torch.jit.script(Net())
""",
    "its backward may return gradients for the given inputs only": """\
class Net(nn.Module):
    def forward(self, x, weight):
        return Loose.apply(x, weight) + 1
""",
    "takes *tensors only: no names to bind": """\
class Net(nn.Module):
    def forward(self, x, weight):
        return Star.apply(x, weight) + 1
""",
    "would mean the shell's own apply": """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale.apply

    def forward(self, x):
        return self.scale(x) + 1


def odd(net, x):
    return net.scale.apply(x)
""",
    "nn.Module has a double of its own, which would hide the shell": """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.double = Scale.apply

    def forward(self, x):
        return self.double(x) + 1
""",
    "the attribute is set outside of __init__": """\
class Net(nn.Module):
    def __init__(self):
        super().__init__()

    def choose(self):
        self.scale = Scale.apply

    def forward(self, x):
        return self.scale(x) + 1
""",
    "is set in the body of Net": """\
class Net(nn.Module):
    scale = Scale.apply

    def forward(self, x):
        return self.scale(x) + 1
""",
    "the name FunctionModule means something else in this file": """\
class FunctionModule:
    pass


class Net(nn.Module):
    def forward(self, x):
        return Scale.apply(x) + 1
""",
    "FNM104 has no fix": """\
class Net(nn.Module):
    def forward(self, x):
        return Scale()(x) + 1
""",
    "does more than return one apply of its own parameters": """\
def helper(x):
    x = x + 1
    return Scale.apply(x)


class Net(nn.Module):
    def forward(self, x):
        return helper(x) + 1
""",
    "the body of Net is on its own line with `class`": """\
class Net(nn.Module): forward = lambda self, x: Scale.apply(x) + 1
""",
}


@pytest.mark.parametrize("reason", KINDS)
def test_declined(reason: str, tmp_path: Path):
    file = tmp_path / "net.py"
    file.write_text(HEAD + KINDS[reason])
    outcome = Fixer(Engine(), [file], list, rewrite).run(unsafe=True)
    assert outcome.texts == {} and outcome.fixed == []
    assert outcome.left, "nothing was found there"
    assert all(reason in why for _, why in outcome.left), outcome.left


def test_a_runtime_package_of_the_projects_own(tmp_path: Path):
    (tmp_path / "runtime").mkdir()
    (tmp_path / "runtime" / "__init__.py").touch()
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "net.py").write_text(
        HEAD + KINDS["FNM104 has no fix"].replace("()(x)", ".apply(x)")
    )
    outcome = Fixer(Engine(), [tmp_path], list, rewrite).run(unsafe=False)
    assert outcome.texts == {}
    assert "fnmodule-lint vendor" in outcome.left[0][1]


def test_other_files_are_not_changed(tmp_path: Path):
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "base.py").write_text(
        HEAD
        + """\
class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = Scale.apply
"""
    )
    net = tmp_path / "net.py"
    net.write_text(
        "from base import Base\n\n\nclass Net(Base):\n    def forward(self, x):\n"
        "        return self.scale(x) + 1\n"
    )
    alone = Fixer(Engine(), [net], list, rewrite).run(unsafe=False)
    assert alone.texts == {} and "not among the PATHs" in alone.left[0][1]
    both = Fixer(Engine(), [tmp_path], list, rewrite).run(unsafe=False)
    assert set(both.texts) == {str(tmp_path / "base.py")} and both.left == []
