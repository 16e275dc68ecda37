from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest

NEEDS = {
    "torch": (
        "with_torch/*",
        "machinery/*",
        "fixing/test_pairs.py",
        "fixing/test_generated.py",
        "fixing/test_vendor.py",
    ),
    "pylsp": ("editor/test_pylsp.py",),
    "mkdocs": ("test_site.py",),
    "pre_commit": ("test_pre_commit.py",),
    "mypy": ("test_quality.py",),
}
"""What is not installed beside the linter on every interpreter that it is tested on."""
collect_ignore_glob = [
    glob for package, globs in NEEDS.items() if find_spec(package) is None for glob in globs
]

FIXTURES = Path(__file__).parent / "fixtures"
Tool = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def fixtures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The fixtures, away from this repository's own project."""
    root = tmp_path_factory.mktemp("fixtures") / "tree"
    shutil.copytree(FIXTURES, root)
    return root


@pytest.fixture(scope="session")
def tool() -> Tool:
    """Run ``python -m ARGUMENTS`` and return the completed process."""

    def run(
        *arguments: object, cwd: Path | None = None, stdin: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", *map(str, arguments)],
            capture_output=True,
            text=True,
            encoding="utf-8",
            cwd=cwd,
            input=stdin,
            timeout=300,
            check=False,
        )

    return run
