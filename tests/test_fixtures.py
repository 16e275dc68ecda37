"""Every fixture gives exactly its marks, from every front-end, in any company."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from pathlib import Path

import pytest
from conftest import Tool
from front_ends import by_cli, by_flake8, by_pylint
from marks import assert_same, expected

from fnmodule_lint.engine import Engine
from fnmodule_lint.rules import RULES
from fnmodule_lint.settings import Settings

FRONT_ENDS = {"cli": by_cli, "flake8": by_flake8, "pylint": by_pylint}
NOT_LINTED = "projects/settings/generated/net.py"


@pytest.fixture(scope="module")
def report(fixtures: Path):
    return Engine().check_paths([fixtures])


def test_engine_gives_the_marks(fixtures: Path, report):
    marks, _ = expected(fixtures)
    found = Counter(
        (Path(f.path).relative_to(fixtures).as_posix(), f.line, f.code) for f in report.findings
    )
    assert report.problems == ()
    assert_same(found, marks)


def test_spans_and_messages(fixtures: Path, report):
    _, carets = expected(fixtures)
    spans = {
        (Path(f.path).relative_to(fixtures).as_posix(), f.line, f.column, f.end_column): f
        for f in report.findings
        if f.line == f.end_line
    }
    for caret in carets:
        finding = spans.get((caret.path, caret.line, caret.column, caret.end_column))
        assert finding is not None, f"{caret}: nothing has this span"
        assert caret.words in finding.message, f"{caret}: {finding.message}"


@pytest.mark.parametrize("name", FRONT_ENDS)
def test_front_end_gives_the_marks(name: str, fixtures: Path, tool: Tool, tmp_path: Path):
    root = tmp_path / "tree"
    shutil.copytree(fixtures, root)
    (root / NOT_LINTED).unlink()
    marks, _ = expected(root)
    assert_same(FRONT_ENDS[name](tool, root), marks)


@pytest.mark.parametrize("name", FRONT_ENDS)
def test_comments_silence_every_finding(name: str, fixtures: Path, tool: Tool, tmp_path: Path):
    root = tmp_path / "tree"
    shutil.copytree(fixtures, root)
    (root / NOT_LINTED).unlink()
    for file in root.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        file.write_text(
            re.sub(r"# expect: ([FNM\d ]+)$", _silence(name), text, flags=re.M), "utf-8"
        )
    assert FRONT_ENDS[name](tool, root) == Counter()


def _silence(front_end: str):
    def comment(match: re.Match[str]) -> str:
        codes = sorted(set(match.group(1).split()))
        if front_end == "pylint":
            return f"# pylint: disable={','.join(RULES[code].symbol for code in codes)}"
        return f"# noqa: {','.join(codes)}"

    return comment


def test_each_file_alone_gives_what_it_gives_with_the_others(fixtures: Path, report):
    together: dict[str, list[object]] = {}
    for finding in report.findings:
        together.setdefault(finding.path, []).append(finding)
    for file in sorted(fixtures.rglob("*.py")):
        if file.relative_to(fixtures).as_posix() == NOT_LINTED:
            continue
        alone = Engine().check_paths([file])
        assert list(alone.findings) == together.get(str(file), []), file
        text = Engine().check_text(file, file.read_bytes())
        assert text.findings == alone.findings, file


def test_the_order_of_arguments_does_not_matter(fixtures: Path, report):
    files = sorted(fixtures.rglob("*.py"), reverse=True)
    files.remove(fixtures / NOT_LINTED)
    assert Engine().check_paths(files).findings == report.findings


def test_every_rule_has_a_fixture_and_a_span(fixtures: Path):
    marks, carets = expected(fixtures)
    assert {code for _, _, code in marks} == set(RULES)
    lines = {(caret.path, caret.line) for caret in carets}
    assert {code for path, line, code in marks if (path, line) in lines} == set(RULES)


def test_negative_fixtures_say_why(fixtures: Path):
    marks, _ = expected(fixtures)
    marked = {path for path, _, _ in marks}
    for file in fixtures.rglob("*.py"):
        name = file.relative_to(fixtures).as_posix()
        if name.startswith("silent/") or (
            name not in marked and "Model" in file.read_text() and "/scripts/" not in name
        ):
            assert file.read_text().startswith("# "), f"{name} must say why it is silent"


def test_given_settings_decide_for_every_project(fixtures: Path):
    file = fixtures / "projects" / "settings" / "model.py"
    default = Engine(Settings()).check_paths([file])
    assert default.findings == ()
    named = Engine(Settings(module_bases=("vendor.Layer",))).check_paths([file])
    functions = {dict(finding.arguments)["function"] for finding in named.findings}
    assert functions == {"SkippedFunction", "Visible"}
