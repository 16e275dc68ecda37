"""The command lines by which VS Code's flake8 and pylint extensions run the hosts.

They hand the buffer over on standard input and read places from the output: flake8 with a format of
its own whose fields are separated by commas, pylint as JSON.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import Tool

from fnmodule_lint.rules import RULES

BAD = RULES["FNM101"].bad
LINE = BAD.splitlines().index("        return Scale.apply(x) + 1") + 1
FLAKE8_FORMAT = "%(row)d,%(col)d,%(code).1s,%(code)s:%(text)s"
FLAKE8_LINE = re.compile(
    r"(?P<line>\d+),(?P<column>-?\d+),(?P<type>\w+),(?P<code>\w+\d+):(?P<message>[^\r]*)"
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """On disk the file is empty: what counts is the buffer."""
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "net.py").touch()
    return tmp_path


def test_flake8(tool: Tool, folder: Path):
    name = str(folder / "net.py")
    run = tool("flake8", f"--format={FLAKE8_FORMAT}", "--stdin-display-name", name, "-",
               cwd=folder, stdin=BAD)  # fmt: skip
    rows = [match for line in run.stdout.splitlines() if (match := FLAKE8_LINE.match(line))]
    ours = [row for row in rows if row["code"] == "FNM101"]
    assert [(int(row["line"]), int(row["column"])) for row in ours] == [(LINE, 16)]
    assert ours[0]["type"] == "F" and "Scale" in ours[0]["message"]


@pytest.mark.parametrize("form", ["json", "json2"])
def test_pylint(form: str, tool: Tool, folder: Path):
    name = str(folder / "net.py")
    run = tool("pylint", "--reports=n", f"--output-format={form}", "--clear-cache-post-run=y",
               "--load-plugins=fnmodule_lint", "--from-stdin", name,
               cwd=folder, stdin=BAD)  # fmt: skip
    shown = json.loads(run.stdout)
    rows = shown if form == "json" else shown["messages"]
    ours = [row for row in rows if row["symbol"] == "invisible-function-apply"]
    assert [(row["line"], row["column"], row["endColumn"]) for row in ours] == [(LINE, 15, 29)]
    assert ours[0].get("message-id", ours[0].get("messageId")) == "W9101"
