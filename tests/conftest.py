from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

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
