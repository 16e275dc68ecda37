"""The hooks, run by the real pre-commit from a repository of this checkout's files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fnmodule_lint.rules import RULES

pytestmark = pytest.mark.machinery

ROOT = Path(__file__).parent.parent
BAD, GOOD = RULES["FNM101"].bad, RULES["FNM101"].good
PARTS = ("fnmodule_lint", "runtime", "pyproject.toml", "pytest_fnmodule.py", "README.md", "LICENSE")


def git(folder: Path, *arguments: str) -> None:
    identity = ["-c", "user.name=tests", "-c", "user.email=tests@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


def repository(folder: Path) -> Path:
    folder.mkdir()
    git(folder, "init", "-q")
    return folder


@pytest.fixture(scope="module")
def hooks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = repository(tmp_path_factory.mktemp("hooks") / "repository")
    for name in (*PARTS, ".pre-commit-hooks.yaml"):
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__")
            )
        else:
            shutil.copy(ROOT / name, folder / name)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", "hooks")
    return folder


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = repository(tmp_path / "project")
    (folder / "net.py").write_text(BAD)
    git(folder, "add", "-A")
    return folder


def run(hook: str, hooks: Path, project: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "pre_commit", "try-repo", str(hooks), hook, "--all-files"],
        cwd=project,
        env=os.environ | {"PRE_COMMIT_HOME": str(hooks.parent / "home")},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


def test_check(hooks: Path, project: Path):
    done = run("fnmodule-lint", hooks, project)
    assert done.returncode == 1 and "net.py:13:16: FNM101" in done.stdout, done.stdout
    (project / "net.py").write_text(GOOD)
    done = run("fnmodule-lint", hooks, project)
    assert done.returncode == 0, done.stdout + done.stderr


def test_fix(hooks: Path, project: Path):
    done = run("fnmodule-lint-fix", hooks, project)
    assert "files were modified by this hook" in done.stdout, done.stdout + done.stderr
    assert (project / "net.py").read_text() == GOOD
