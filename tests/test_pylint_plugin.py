"""pylint itself, as people run it."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Tool

from fnmodule_lint.rules import RULES

MODEL = """\
import torch
from torch import nn


class Base(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x

    @staticmethod
    def backward(ctx, grad):
        return grad


class Gate(Base):
    @staticmethod
    def forward(ctx, x, scale):
        return x * scale

    @staticmethod
    def backward(ctx, other):
        return other, None


class Plain:
    def run(self, x):
        return x


class Other(Plain):
    def run(self, x, y):
        return x


class Model(nn.Module):
    def forward(self, x):
        return Gate.apply(x, 2) + 1

    def training_step(self, x):
        return Gate.apply(x, 2) + 1
"""
OURS = ",".join(rule.symbol for rule in RULES.values())
ENABLE = ("--rcfile=/dev/null", "--load-plugins=fnmodule_lint", "--disable=all", "--score=n")


TORCH = """\
class Function:
    @staticmethod
    def forward(ctx, *args, **kwargs):
        raise NotImplementedError

    @staticmethod
    def backward(ctx, *grads):
        raise NotImplementedError

    @staticmethod
    def jvp(ctx, *grads):
        raise NotImplementedError
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A model beside a small stand-in for torch, whose inference takes pylint seconds."""
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "torch").mkdir()
    (tmp_path / "torch" / "__init__.py").write_text("from . import autograd, nn\n")
    (tmp_path / "torch" / "autograd.py").write_text(TORCH)
    (tmp_path / "torch" / "nn.py").write_text("class Module:\n    pass\n")
    return tmp_path


def lines(tool: Tool, folder: Path, *arguments: str, **more) -> list[str]:
    run = tool("pylint", *arguments, cwd=folder, **more)
    assert "Traceback" not in run.stderr, run.stderr
    return [line for line in run.stdout.splitlines() if line.startswith("model")]


def test_message_has_id_symbol_place_and_names(tool: Tool, folder: Path):
    (line,) = lines(tool, folder, *ENABLE, f"--enable={OURS}", "model.py")
    assert line.startswith("model.py:37:15: W9101: ") and line.endswith(
        "(invisible-function-apply)"
    )
    assert "Gate" in line and "Model.forward" in line


def test_several_processes(tool: Tool, folder: Path):
    for number in range(4):
        (folder / f"model{number}.py").write_text(MODEL)
    files = [f"model{number}.py" for number in range(4)]
    found = lines(tool, folder, *ENABLE, f"--enable={OURS},arguments-differ", "-j2", *files)
    assert len([line for line in found if "W9101" in line]) == 4
    assert len([line for line in found if "arguments-differ" in line]) == 4


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_every_start_method(method: str, tool: Tool, folder: Path):
    (folder / "start.py").write_text(
        "import multiprocessing, sys\n"
        "from pylint.lint import Run\n"
        "if __name__ == '__main__':\n"
        f"    multiprocessing.set_start_method({method!r}, force=True)\n"
        "    Run(sys.argv[1:])\n"
    )
    (folder / "model2.py").write_text(MODEL)
    arguments = (*ENABLE, f"--enable={OURS},arguments-differ", "-j2", "model.py", "model2.py")
    run = tool("start", *arguments, "--fnmodule-entry-methods=training_step", cwd=folder)
    assert run.stdout.count("W9101") == 4 and run.stdout.count("arguments-differ") == 2, run.stderr


def test_standard_input(tool: Tool, folder: Path):
    shorter = MODEL.replace("return Gate.apply(x, 2) + 1", "return x", 1)
    arguments = (*ENABLE, f"--enable={OURS}", "--from-stdin", "model.py")
    assert lines(tool, folder, *arguments, stdin=shorter) == []
    assert len(lines(tool, folder, *arguments, stdin=MODEL)) == 1


@pytest.mark.parametrize(
    "edit",
    [
        ("(x, 2) + 1", "(x, 2) + 1  # pylint: disable=invisible-function-apply"),
        ("(x, 2) + 1", "(x, 2) + 1  # pylint: disable=W9101"),
        ("class Model", "# pylint: disable=invisible-function-apply\nclass Model"),
        ("        return Gate", "        # pylint: disable-next=W9101\n        return Gate"),
    ],
)
def test_disable_comments(edit: tuple[str, str], tool: Tool, folder: Path):
    (folder / "model.py").write_text(MODEL.replace(*edit))
    assert lines(tool, folder, *ENABLE, f"--enable={OURS}", "model.py") == []


def test_options_in_pyproject(tool: Tool, folder: Path):
    (folder / "pyproject.toml").write_text(
        "[tool.pylint.main]\nload-plugins = ['fnmodule_lint']\ndisable = 'all'\n"
        f"enable = '{OURS}'\nfnmodule-entry-methods = ['training_step']\n"
    )
    assert len(lines(tool, folder, "--score=n", "model.py")) == 2


def test_valid_functions_no_longer_trip_pylint(tool: Tool, folder: Path):
    kin = "--enable=abstract-method,arguments-differ,arguments-renamed,signature-differs"
    found = lines(tool, folder, *ENABLE, kin, "model.py")
    assert [line.split(":")[1] for line in found] == ["31"]
    kept = lines(tool, folder, *ENABLE, kin, "--fnmodule-keep-function-messages=y", "model.py")
    assert {line.split(":")[1] for line in kept} >= {"5", "7", "17", "21", "31"}


def test_unusable_settings_are_one_message(tool: Tool, folder: Path):
    (folder / "pyproject.toml").write_text("[tool.fnmodule-lint]\nnonsense = 1\n")
    found = lines(tool, folder, *ENABLE, "--enable=fnmodule-problem", "model.py")
    assert len(found) == 1 and "nonsense" in found[0]
