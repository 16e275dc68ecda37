"""Before and after: the rewritten text, and the same numbers under torch."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
import torch
from torch import nn

from fnmodule_lint.engine import Engine
from fnmodule_lint.fixes.apply import Fixer, Outcome
from fnmodule_lint.fixes.rewrite import rewrite
from fnmodule_lint.known import MODULE_ATTRIBUTES
from runtime import FunctionModule

PAIRS = Path(__file__).parent / "pairs"
NAMES = sorted(folder.name for folder in PAIRS.iterdir() if (folder / "before").is_dir())


def fixed(folder: Path, *, unsafe: bool = True) -> Outcome:
    return Fixer(Engine(), [folder], list, rewrite).run(unsafe=unsafe)


@contextmanager
def importing(folder: Path) -> Iterator[None]:
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    importlib.invalidate_caches()
    try:
        yield
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
                del sys.modules[name]


def numbers(folder: Path) -> tuple[nn.Module, list[torch.Tensor]]:
    """The model in ``folder``, and its output with all gradients."""
    with importing(folder):
        torch.manual_seed(0)
        model, inputs = importlib.import_module("model").make()
        leaves = [item.requires_grad_() for item in inputs]
        output = model(*leaves)
        (output * torch.linspace(1, 2, output.numel()).reshape(output.shape)).sum().backward()
    grads = [leaf.grad for leaf in (*leaves, *model.parameters())]
    return model, [output.detach(), *(grad for grad in grads if grad is not None)]


@pytest.fixture
def project(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    folder = tmp_path / request.param
    shutil.copytree(PAIRS / request.param / "before", folder)
    (folder / "setup.cfg").touch()  # the folder is a project of its own
    return folder


@pytest.mark.parametrize("project", NAMES, indirect=True)
def test_text(project: Path):
    outcome = fixed(project)
    after = PAIRS / project.name / "after"
    assert outcome.left == [] and outcome.fixed and outcome.problems == ()
    for file in sorted(project.glob("*.py")):
        text = outcome.texts.get(str(file), file.read_text())
        assert text == (after / file.name).read_text(), file.name


@pytest.mark.parametrize("name", NAMES)
def test_after_is_clean_and_stays_as_it_is(name: str, tmp_path: Path):
    folder = tmp_path / "again"
    shutil.copytree(PAIRS / name / "after", folder)
    outcome = fixed(folder)
    assert outcome.texts == {} and outcome.left == [] and outcome.fixed == []


@pytest.mark.parametrize("name", NAMES)
def test_numbers(name: str):
    before, wanted = numbers(PAIRS / name / "before")
    after, found = numbers(PAIRS / name / "after")
    assert len(wanted) == len(found) > 1
    for one, other in zip(wanted, found, strict=True):
        assert torch.equal(one, other)
    assert list(before.state_dict()) == list(after.state_dict())
    assert any(isinstance(module, FunctionModule) for _, module in after.named_modules())


def test_plain_wrappers_need_unsafe():
    outcome = fixed(PAIRS / "wrapper" / "before", unsafe=False)
    assert outcome.texts == {}
    assert {reason for _, reason in outcome.left} == {
        "moves work into the shell: `--unsafe` does it"
    }


def test_what_nn_module_has_is_known():
    own = {name for name in dir(nn.Module()) if not name.startswith("__")}
    assert own <= MODULE_ATTRIBUTES
