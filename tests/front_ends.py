"""Each front-end as a function from a folder to the places that it reports."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from conftest import Tool
from marks import Place

from fnmodule_lint.rules import RULES

_BY_SYMBOL = {rule.symbol: rule.code for rule in RULES.values()}
_FLAKE8 = re.compile(r"(.+?):(\d+):(\d+): (FNM\d{3}) ")


def relative(path: str, root: Path) -> str:
    return (root / path).resolve().relative_to(root.resolve()).as_posix()


def by_cli(tool: Tool, root: Path, *arguments: str) -> Counter[Place]:
    run = tool(
        "fnmodule_lint", "check", "--format", "json", "--select", "FNM", *arguments, ".", cwd=root
    )
    assert run.returncode in (0, 1), run.stderr
    rows = json.loads(run.stdout)
    return Counter((relative(row["path"], root), row["line"], row["code"]) for row in rows)


def by_flake8(tool: Tool, root: Path, *arguments: str) -> Counter[Place]:
    run = tool("flake8", "--isolated", "--select", "FNM", *arguments, ".", cwd=root)
    assert run.returncode in (0, 1), run.stderr
    matches = [_FLAKE8.match(line) for line in run.stdout.splitlines()]
    assert all(matches), run.stdout
    return Counter((relative(m[1], root), int(m[2]), m[4]) for m in matches if m)


def by_pylint(tool: Tool, root: Path, *arguments: str) -> Counter[Place]:
    enabled = ",".join(_BY_SYMBOL)
    files = sorted(str(file.relative_to(root)) for file in root.rglob("*.py"))
    run = tool(
        "pylint", "--rcfile=/dev/null", "--load-plugins=fnmodule_lint", "--disable=all",
        f"--enable={enabled}", "--output-format=json", "--score=n", *arguments, *files, cwd=root,
    )  # fmt: skip
    assert run.returncode in (0, 4), run.stderr + run.stdout
    rows = json.loads(run.stdout)
    return Counter((relative(r["path"], root), r["line"], _BY_SYMBOL[r["symbol"]]) for r in rows)
