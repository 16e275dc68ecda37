"""``fnmodule-lint vendor``: one file in the user's package, which fixes then import."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import Tool

from fnmodule_lint.rules import RULES

BAD = RULES["FNM101"].bad


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with a src layout and a ``runtime`` of its own."""
    (tmp_path / "pyproject.toml").touch()
    for package in ("net", "runtime"):
        (tmp_path / "src" / package).mkdir(parents=True)
        (tmp_path / "src" / package / "__init__.py").touch()
    (tmp_path / "src" / "net" / "model.py").write_text(BAD)
    return tmp_path


def vendor(tool: Tool, folder: Path, *arguments: str):
    return tool("fnmodule_lint", "vendor", *arguments, cwd=folder)


def test_fixes_import_the_copy(tool: Tool, project: Path):
    refused = tool("fnmodule_lint", "fix", cwd=project)
    assert refused.returncode == 1 and "run `fnmodule-lint vendor`" in refused.stdout
    run = vendor(tool, project, "src/net")
    assert run.returncode == 0, run.stderr
    table = run.stdout[run.stdout.index("[tool") :]
    assert table == (
        '[tool.fnmodule-lint]\nfunction-module = ["net.function_module.FunctionModule"]\n'
    )
    (project / "pyproject.toml").write_text(table)
    assert tool("fnmodule_lint", "fix", cwd=project).returncode == 0
    fixed = (project / "src" / "net" / "model.py").read_text()
    assert "from net.function_module import FunctionModule\n" in fixed
    check = "from net.model import Block; import torch; m = Block(); print(list(m.named_modules()))"
    shown = tool("timeit", "-n1", "-r1", "-s", check, cwd=project / "src")
    assert "scale_fn" in shown.stdout, shown.stderr


def test_twice_is_once(tool: Tool, project: Path):
    vendor(tool, project, "src/net")
    text = (project / "src" / "net" / "function_module.py").read_text()
    again = vendor(tool, project, "src/net/function_module.py")
    assert again.returncode == 0 and "is there already" in again.stdout
    assert (project / "src" / "net" / "function_module.py").read_text() == text


def test_other_entries_stay(tool: Tool, project: Path):
    (project / "pyproject.toml").write_text(
        '[tool.fnmodule-lint]\nfunction-module = ["runtime.FunctionModule", "a.Shell"]\n'
    )
    run = vendor(tool, project, "src/net")
    assert '["net.function_module.FunctionModule", "a.Shell"]' in run.stdout


def test_another_file_is_not_overwritten(tool: Tool, project: Path):
    mine = project / "src" / "net" / "function_module.py"
    mine.write_text("mine = 1\n")
    run = vendor(tool, project, "src/net")
    assert run.returncode == 2 and "exists and is another file" in run.stderr
    assert mine.read_text() == "mine = 1\n"


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("nowhere", "is no folder"),
        ("src/net/2d.py", "'2d' is no module name"),
    ],
)
def test_where_it_cannot_be(path: str, words: str, tool: Tool, project: Path):
    run = vendor(tool, project, path)
    assert run.returncode == 2 and words in run.stderr and "Traceback" not in run.stderr
