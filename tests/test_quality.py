"""The project passes its own linter and the checkers that it is built with."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def run(*arguments: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", *arguments], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_flake8_with_our_plugin():
    run("flake8", "fnmodule_lint", "runtime", "tests")


def test_ruff():
    run("ruff", "check", ".")


def test_mypy():
    run("mypy")


def test_our_linter():
    run("fnmodule_lint", "check", "fnmodule_lint", "runtime")
