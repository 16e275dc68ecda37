"""What the README claims is what the tool does and what the tests show."""

from __future__ import annotations

import re
from pathlib import Path

from conftest import Tool

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text()
HELD_BY_EACH_TEST = "the_twins_are_the_same_model"


def section(title: str) -> str:
    return README.split(f"## {title}\n")[1].split("\n## ")[0]


def test_before_and_after(tool: Tool, tmp_path: Path):
    before, after = re.findall(r"```python\n(.*?)```", section("Before and after"), re.DOTALL)
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "block.py").write_text(before)
    run = tool("fnmodule_lint", "fix", cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert (tmp_path / "block.py").read_text() == after


def test_what_becomes_visible_is_what_is_tested():
    table = [line for line in section("What becomes visible").splitlines() if line[:1] == "|"]
    rows = table[2:]
    named = [re.findall(r"`test_(\w+)` \|$", row) for row in rows]
    assert all(len(names) == 1 for names in named)
    written = set()
    for file in (ROOT / "tests" / "machinery").glob("test_*.py"):
        for name in re.findall(r"^def test_(\w+)\(", file.read_text(), re.MULTILINE):
            written.add(re.sub(r"_(on_the_shell|ignores_the_bare_call)$", "", name))
    assert {names[0] for names in named} == written - {HELD_BY_EACH_TEST}


def test_every_command_is_described(tool: Tool):
    shown = tool("fnmodule_lint", "--help").stdout
    commands = re.findall(r"^ {4}(\w+) ", shown.split("commands:")[1], re.MULTILINE)
    assert {"check", "fix", "rule"} <= set(commands)
    for name in commands:
        assert f"`fnmodule-lint {name}" in section("Install"), name
