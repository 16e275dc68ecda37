"""Any bytes give findings or one clear message, and never stop the other files."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest
from conftest import Tool

GOOD = """\
import torch
from torch import nn


class Gate(torch.autograd.Function):
    pass


class Model(nn.Module):
    def forward(self, x):
        return Gate.apply(x) + 1
"""
SEED = "import torch\nBASE = torch.autograd.Function\n"


def lint(tool: Tool, folder: Path, *paths: str):
    run = tool(
        "fnmodule_lint", "check", "--format", "json", *(paths or ("bad.py", "good.py")), cwd=folder
    )
    assert "Traceback" not in run.stderr
    return run, json.loads(run.stdout)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.py").write_text(GOOD)
    return tmp_path


BROKEN = {
    "syntax error": (b"x = 1\ndef f(:\n", ":2:", "syntax error"),
    "syntax error in a seed": (SEED.encode() + b"class (:\n", ":3:", "syntax error"),
    "NUL byte": (b"x = 1\ny = '\0'\n", ":2:", "NUL"),
    "undecodable byte in the first line": (b"y = '\xff'\n", ":1:", "0xff"),
    "undecodable byte in the second line": (b"\ny = '\xff'\n", ":2:", "0xff"),
    "undecodable byte": (b"x = 1\n\ny = '\xff'\n", ":3:", "0xff"),
    "unknown coding cookie": (b"# -*- coding: klingon -*-\n", ":1:", "klingon"),
    "wrong coding cookie": (b"# coding: ascii\nx = '\xc3\xa9'\n", ":2:", "ascii"),
    "too many parentheses": (b"x = " + b"(" * 5000 + b")" * 5000 + b"\n", "bad.py", ""),
    "too many indents": (
        "".join(" " * i + "if x:\n" for i in range(500)).encode() + b" " * 500 + b"x\n",
        "bad.py:",
        "",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_one_message_and_the_other_file_is_linted(case: str, folder: Path, tool: Tool):
    data, place, words = BROKEN[case]
    (folder / "bad.py").write_bytes(data)
    run, rows = lint(tool, folder)
    assert run.returncode == 2
    assert [row["path"] for row in rows] == ["good.py"]
    messages = run.stderr.splitlines()
    assert len(messages) == 1, messages
    assert messages[0].startswith("bad.py") and place in messages[0] and words in messages[0]


LEGAL = {
    "byte order mark": b"\xef\xbb\xbf" + GOOD.encode(),
    "CRLF": GOOD.replace("\n", "\r\n").encode(),
    "CR": GOOD.replace("\n", "\r").encode(),
    "latin-1 cookie": b"# coding: latin-1\n# \xe9\n" + GOOD.encode(),
    "form feed": GOOD.replace("\n\n\n", "\n\x0c\n\n").encode(),
    "long sum": GOOD.encode() + b"\nTOTAL = " + b" + ".join([b"1"] * 2000) + b"\n",
    "long call chain": GOOD.encode() + b"\nCHAIN = x" + b".f()" * 1000 + b"\n",
    "long elif chain": GOOD.encode()
    + b"if x == 0:\n    pass\n"
    + b"".join(b"elif x == %d:\n    pass\n" % i for i in range(800)),
}


@pytest.mark.parametrize("case", LEGAL)
def test_legal_source_is_linted(case: str, folder: Path, tool: Tool):
    (folder / "bad.py").write_bytes(LEGAL[case])
    run, rows = lint(tool, folder)
    assert (run.returncode, run.stderr) == (1, "")
    assert [row["path"] for row in rows] == ["bad.py", "good.py"]
    assert rows[0]["column"] == rows[1]["column"] == 16


def test_sites_in_deep_code_are_found(folder: Path, tool: Tool):
    deep = GOOD.replace("Gate.apply(x) + 1", " + ".join(["Gate.apply(x)"] * 300))
    chain = GOOD.replace("Gate.apply(x) + 1", "Gate.apply(x)" + ".f()" * 600)
    (folder / "bad.py").write_text(deep)
    (folder / "good.py").write_text(chain)
    run, rows = lint(tool, folder)
    assert run.stderr == "" and [row["path"] for row in rows] == ["bad.py"] * 300 + ["good.py"]


def test_a_long_chain_of_helpers(folder: Path, tool: Tool):
    helpers = ["def h0(x):\n    return Gate.apply(x)\n"]
    helpers += [f"def h{i}(x):\n    return h{i - 1}(x)\n" for i in range(1, 1500)]
    source = GOOD.replace("class Model", "\n".join(helpers) + "\nclass Model")
    (folder / "good.py").write_text(source.replace("Gate.apply(x) + 1", "h1499(x) + 1"))
    run, rows = lint(tool, folder, "good.py")
    assert run.stderr == "" and [row["code"] for row in rows] == ["FNM102"]
    assert len(rows[0]["chain"]) == 1501


def test_empty_file_and_folder_without_python(folder: Path, tool: Tool):
    (folder / "bad.py").write_bytes(b"")
    (folder / "empty").mkdir()
    (folder / "empty" / "notes.txt").write_text("x")
    assert lint(tool, folder, "bad.py")[0].returncode == 0
    run = tool("fnmodule_lint", "check", "empty", cwd=folder)
    assert (run.returncode, run.stdout) == (0, "no findings, 0 files checked\n")


def test_missing_path(folder: Path, tool: Tool):
    run, rows = lint(tool, folder, "absent.py", "good.py")
    assert run.returncode == 2 and len(rows) == 1
    assert run.stderr == "absent.py: error: no such file or folder\n"


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_unreadable_file(folder: Path, tool: Tool):
    (folder / "bad.py").write_text(GOOD)
    (folder / "bad.py").chmod(0)
    run, rows = lint(tool, folder)
    assert run.returncode == 2 and len(rows) == 1 and "cannot be read" in run.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="needs FIFOs and symbolic links")
def test_what_is_no_regular_file(folder: Path, tool: Tool):
    os.mkfifo(folder / "bad.py")
    run, rows = lint(tool, folder)
    assert run.returncode == 2 and len(rows) == 1
    assert run.stderr == "bad.py: error: not a regular file\n"
    (folder / "bad.py").unlink()
    (folder / "loop").symlink_to(folder)
    (folder / "a.py").symlink_to("b.py")
    (folder / "b.py").symlink_to("a.py")
    run, rows = lint(tool, folder, ".")
    assert run.returncode == 1 and [row["path"] for row in rows] == ["good.py"]


def test_two_files_with_one_module_name(folder: Path, tool: Tool):
    for name in ("one", "two"):
        (folder / name).mkdir()
        (folder / name / "model.py").write_text(GOOD)
    (folder / "setup.cfg").write_text("")
    run, rows = lint(tool, folder, ".")
    assert run.stderr == ""
    assert [row["path"] for row in rows] == ["good.py", "one/model.py", "two/model.py"]


def test_broken_settings_say_what_to_write(folder: Path, tool: Tool):
    (folder / "pyproject.toml").write_text("[tool.fnmodule-lint]\nfunction-base = ['x']\n")
    run, rows = lint(tool, folder, "good.py")
    assert run.returncode == 2 and rows == []
    assert "function-base" in run.stderr and "function-bases" in run.stderr
    (folder / "pyproject.toml").write_text("[tool.fnmodule-lint\n")
    run, rows = lint(tool, folder, "good.py")
    assert run.returncode == 2 and "pyproject.toml" in run.stderr


def test_flake8_and_pylint_survive_a_broken_neighbour(folder: Path, tool: Tool):
    (folder / "bad.py").write_bytes(SEED.encode() + b"class (:\n")
    run = tool("flake8", "--isolated", "--select", "FNM,E9", "bad.py", "good.py", cwd=folder)
    assert "good.py:11:16: FNM101" in run.stdout and "Traceback" not in run.stderr
    run = tool(
        "pylint", "--rcfile=/dev/null", "--load-plugins=fnmodule_lint", "--disable=all",
        "--enable=invisible-function-apply", "bad.py", "good.py", cwd=folder,
    )  # fmt: skip
    assert "good.py:11:15: W9101" in run.stdout and "Traceback" not in run.stderr
