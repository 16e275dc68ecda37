"""flake8 itself, as people run it."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Tool

HELPERS = """\
import torch


class Gate(torch.autograd.Function):
    pass


def gate(x):
    return Gate.apply(x)
"""
MODEL = """\
from helpers import Gate, gate
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        x = gate(x)
        return Gate.apply(x) + 1

    def training_step(self, x):
        return gate(x) + 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "model.py").write_text(MODEL)
    (tmp_path / "setup.cfg").write_text("[flake8]\nselect = FNM\n")
    return tmp_path


def places(tool: Tool, folder: Path, *arguments: str, **more) -> list[str]:
    run = tool("flake8", *arguments, cwd=folder, **more)
    assert run.returncode in (0, 1) and run.stderr == "", run.stderr
    return [" ".join(line.split()[:2]) for line in run.stdout.splitlines()]


FOUND = ["model.py:7:13: FNM102", "model.py:8:16: FNM101"]


def test_columns_count_from_one_in_its_output(tool: Tool, folder: Path):
    assert places(tool, folder, "model.py") == FOUND


def test_standard_input_with_and_without_a_display_name(tool: Tool, folder: Path):
    shorter = MODEL.replace("x = gate(x)", "pass", 1)
    named = places(tool, folder, "--stdin-display-name", "model.py", "-", stdin=shorter)
    assert named == ["model.py:8:16: FNM101"]
    absent = places(tool, folder, "--stdin-display-name", "no/such.py", "-", stdin=MODEL)
    assert absent == [place.replace("model.py", "no/such.py") for place in FOUND]
    assert places(tool, folder, "-", stdin=MODEL) == [p.replace("model.py", "stdin") for p in FOUND]


@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_several_processes(method: str, tool: Tool, folder: Path):
    for number in range(6):
        (folder / f"model{number}.py").write_text(MODEL)
    (folder / "setup.cfg").write_text(
        "[flake8]\nselect = FNM\nfnmodule-entry-methods = training_step\n"
    )
    (folder / "start.py").write_text(
        "import multiprocessing, sys\n"
        "from flake8.main.cli import main\n"
        "if __name__ == '__main__':\n"
        f"    multiprocessing.set_start_method({method!r}, force=True)\n"
        "    sys.exit(main(sys.argv[1:]))\n"
    )
    files = [f"model{number}.py" for number in range(6)]
    run = tool("start", "-j", "2", *files, cwd=folder)
    assert run.stderr == ""
    assert run.stdout.count("FNM102") == 12 and run.stdout.count("FNM101") == 6


def test_noqa_and_per_file_ignores(tool: Tool, folder: Path):
    (folder / "model.py").write_text(MODEL.replace("x = gate(x)", "x = gate(x)  # noqa: FNM102"))
    assert places(tool, folder, "model.py") == FOUND[1:]
    assert places(tool, folder, "--per-file-ignores", "model.py:FNM1", "model.py") == []
    assert places(tool, folder, "--disable-noqa", "model.py") == FOUND


def test_options_in_its_configuration_and_on_the_command_line(tool: Tool, folder: Path):
    more = [*FOUND, "model.py:11:16: FNM102"]
    option = "--fnmodule-entry-methods=training_step"
    assert places(tool, folder, option, "model.py") == more
    (folder / "setup.cfg").write_text("[flake8]\nselect = FNM\nfnmodule-exclude-classes = Mod*\n")
    assert places(tool, folder, "model.py") == []


def test_options_complete_the_project_table(tool: Tool, folder: Path):
    (folder / "pyproject.toml").write_text(
        "[tool.fnmodule-lint]\nentry-methods = ['training_step']\nexclude-classes = ['Gate']\n"
    )
    assert places(tool, folder, "model.py") == []
    assert len(places(tool, folder, "--fnmodule-exclude-classes=None", "model.py")) == 3


def test_the_tree_that_flake8_shares_is_left_as_it_is():
    import ast

    from fnmodule_lint.flake8_plugin import Plugin

    tree = ast.parse(MODEL)
    before = ast.dump(tree, include_attributes=True)
    list(Plugin(tree, "model.py", MODEL.splitlines(keepends=True)).run())
    assert ast.dump(tree, include_attributes=True) == before


def test_unusable_settings_are_one_diagnostic(tool: Tool, folder: Path):
    (folder / "pyproject.toml").write_text("[tool.fnmodule-lint]\nnonsense = 1\n")
    run = tool("flake8", "model.py", cwd=folder)
    assert run.returncode == 1 and "FNM000" in run.stdout and "nonsense" in run.stdout
    assert "Traceback" not in run.stderr
