"""Colours and links at a real terminal, and none elsewhere."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

import pytest

from fnmodule_lint.rules import RULES

COMMAND = [sys.executable, "-m", "fnmodule_lint", "check"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "net.py").write_text(RULES["FNM101"].bad)
    return tmp_path


def at_a_terminal(folder: Path, **environment: str) -> str:
    above, below = pty.openpty()
    try:
        plain = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        subprocess.run(
            COMMAND,
            cwd=folder,
            stdout=below,
            env=plain | {"TERM": "xterm"} | environment,
            check=False,
        )
        os.close(below)
        shown = b""
        while True:
            try:
                data = os.read(above, 4096)
            except OSError:  # the other end is closed
                break
            if not data:
                break
            shown += data
        return shown.decode().replace("\r\n", "\n")
    finally:
        os.close(above)


def piped(folder: Path) -> str:
    return subprocess.run(COMMAND, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_colours_and_a_link(project: Path):
    shown = at_a_terminal(project)
    assert f"\x1b]8;;{(project / 'net.py').as_uri()}\x1b\\" in shown
    assert "\x1b[1;31mFNM101\x1b[0m" in shown
    bare = re.sub(r"\x1b\]8;;.*?\x1b\\|\x1b\[[\d;]*m", "", shown)
    assert bare == piped(project)


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_who_does_not_want_them(environment: dict[str, str], project: Path):
    assert at_a_terminal(project, **environment) == piped(project)


def test_none_in_a_pipe(project: Path):
    assert "\x1b" not in piped(project) and "FNM101" in piped(project)
