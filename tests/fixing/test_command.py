"""``fnmodule-lint fix`` from its user's side: bytes, modes, exit status, words."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import Tool

from fnmodule_lint.fixes.write import write
from fnmodule_lint.rules import RULES
from fnmodule_lint.source import SourceError

BAD, GOOD = RULES["FNM101"].bad, RULES["FNM101"].good


def fix(tool: Tool, folder: Path, *arguments: str):
    return tool("fnmodule_lint", "fix", *arguments, cwd=folder)


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.encode(),
        lambda text: b"\xef\xbb\xbf" + text.encode(),
        lambda text: text.replace("\n", "\r\n").encode(),
        lambda text: text.rstrip("\n").encode(),
        lambda text: text.replace("    ", "\t").encode(),
        lambda text: ("# coding: latin-1\n# \xe9\n" + text).encode("latin-1"),
        lambda text: ("# \u6f22\n" + text).encode(),
    ],
    ids=["plain", "mark", "crlf", "no last newline", "tabs", "latin-1", "utf-8"],
)
def test_bytes_are_kept(change, tool: Tool, tmp_path: Path):
    file = tmp_path / "net.py"
    file.write_bytes(change(BAD))
    file.chmod(0o750)
    run = fix(tool, tmp_path)
    assert run.returncode == 0, run.stdout + run.stderr
    assert file.read_bytes() == change(GOOD)
    assert stat.S_IMODE(file.stat().st_mode) == 0o750
    assert [item.name for item in tmp_path.iterdir()] == ["net.py"]


def test_columns_after_wide_characters(tool: Tool, tmp_path: Path):
    text = BAD.replace("return Scale", 'return len("\u6f22\U0001f600") * Scale')
    (tmp_path / "net.py").write_text(text, encoding="utf-8")
    assert fix(tool, tmp_path).returncode == 0
    written = (tmp_path / "net.py").read_text(encoding="utf-8")
    assert 'return len("\u6f22\U0001f600") * self.scale_fn(x) + 1' in written


def test_a_link_stays_a_link(tool: Tool, tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "net.txt").write_text(BAD)
    (tmp_path / "net.py").symlink_to("real/net.txt")
    assert fix(tool, tmp_path).returncode == 0
    assert (tmp_path / "net.py").is_symlink()
    assert (tmp_path / "real" / "net.txt").read_text() == GOOD


def test_diff_writes_nothing(tool: Tool, tmp_path: Path):
    file = tmp_path / "net.py"
    file.write_text(BAD)
    run = fix(tool, tmp_path, "--diff")
    assert run.returncode == 1 and file.read_text() == BAD
    assert "-        return Scale.apply(x) + 1\n+        return self.scale_fn(x) + 1" in run.stdout
    assert "would fix 1 finding in 1 file, 0 left" in run.stderr
    patched = subprocess.run(
        ["git", "apply", "-p0"], input=run.stdout, text=True, cwd=tmp_path, check=False
    )
    assert patched.returncode == 0 and file.read_text() == GOOD


def test_select_and_noqa_narrow(tool: Tool, tmp_path: Path):
    file = tmp_path / "net.py"
    file.write_text(BAD)
    assert fix(tool, tmp_path, "--select", "FNM2").returncode == 0
    silenced = BAD.replace("+ 1", "+ 1  # noqa: FNM101")
    file.write_text(silenced)
    assert fix(tool, tmp_path).returncode == 0
    assert file.read_text() == silenced


def test_what_is_left_has_its_reason(tool: Tool, tmp_path: Path):
    (tmp_path / "net.py").write_text(BAD.replace("nn.Module", "nn.Sequential"))
    run = fix(tool, tmp_path)
    assert run.returncode == 1
    first, last = run.stdout.splitlines()
    assert first.startswith("net.py:13:16: FNM101 not fixed: Block is an nn.Sequential")
    assert last == "fixed 0 findings in 0 files, 1 left"


def test_what_cannot_be_linted_is_said_and_the_rest_is_fixed(tool: Tool, tmp_path: Path):
    (tmp_path / "net.py").write_text(BAD)
    (tmp_path / "broken.py").write_text("def (\n")
    run = fix(tool, tmp_path)
    assert run.returncode == 2 and "broken.py:1:" in run.stderr
    assert (tmp_path / "net.py").read_text() == GOOD


def test_a_file_that_changed_meanwhile_is_not_overwritten(tmp_path: Path):
    file = tmp_path / "net.py"
    file.write_text("mine")
    with pytest.raises(SourceError, match="changed on disk"):
        write(str(file), "yours", b"as it was")
    assert file.read_text() == "mine" and os.listdir(tmp_path) == ["net.py"]


def test_without_libcst_it_names_the_command(tmp_path: Path):
    (tmp_path / "net.py").write_text(BAD)
    code = (
        "import sys; sys.modules['libcst'] = None; from fnmodule_lint.cli import main; "
        "sys.exit(main(['fix']))"
    )
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 2 and "pip install 'fnmodule-lint[fix]'" in run.stderr
