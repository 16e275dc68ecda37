"""The rules' table, and everything made from it, agree."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from pathlib import Path

import pytest

from fnmodule_lint.engine import Engine
from fnmodule_lint.fixes.apply import Fixer
from fnmodule_lint.fixes.rewrite import rewrite
from fnmodule_lint.rule_pages import explain, index, page, table
from fnmodule_lint.rules import RULES

ROOT = Path(__file__).parent.parent
CODES = list(RULES)


def test_codes_are_ordered_and_texts_unique():
    assert sorted(CODES) == CODES
    for name in ("symbol", "title", "message", "why", "pylint_id"):
        values = [getattr(rule, name) for rule in RULES.values()]
        assert len(set(values)) == len(values), name


def test_pylint_ids_are_in_the_plugins_block():
    for rule in RULES.values():
        assert 91 <= int(rule.pylint_id[1:3]) <= 99
        assert rule.pylint_id == f"{rule.severity}9{rule.code[3:]}"


def test_pylint_text_takes_the_same_fields():
    for rule in RULES.values():
        arguments = {field: f"<{field}>" for field in rule.fields}
        assert rule.pylint_text % arguments == rule.message.format(**arguments)


@pytest.mark.parametrize(
    "change",
    [
        {"code": "XYZ1"},
        {"symbol": "NotKebab"},
        {"why": " "},
        {"message": "{nonsense}"},
        {"fix": "perhaps"},
    ],
)
def test_a_malformed_rule_cannot_be_made(change: dict[str, str]):
    with pytest.raises(ValueError, match=r"\S"):
        replace(RULES["FNM101"], **change)


@pytest.mark.parametrize("code", CODES)
def test_examples(code: str, tmp_path: Path):
    rule = RULES[code]
    for name, source, wanted in (("bad", rule.bad, [code]), ("good", rule.good, [])):
        file = tmp_path / name / "example.py"
        file.parent.mkdir()
        file.write_text(source)
        ast.parse(source)
        report = Engine().check_paths([file])
        found = [f.code for f in report.findings if RULES[f.code].default or f.code == code]
        assert found == wanted, name
        assert report.problems == ()


@pytest.mark.parametrize("code", [code for code in CODES if RULES[code].fix != "none"])
def test_the_fix_makes_the_bad_example_the_good_one(code: str, tmp_path: Path):
    file = tmp_path / "example.py"
    file.write_text(RULES[code].bad)
    outcome = Fixer(Engine(), [file], list, rewrite).run(unsafe=RULES[code].fix == "unsafe")
    assert outcome.texts == {str(file): RULES[code].good}
    assert [finding.code for finding in outcome.fixed] == [code]


@pytest.mark.parametrize("code", CODES)
def test_pages_are_the_generated_ones(code: str):
    committed = ROOT / "docs" / "rules" / f"{code}.md"
    assert committed.read_text() == page(RULES[code]), (
        "run: fnmodule-lint rule --markdown docs/rules"
    )


def test_no_page_without_a_rule():
    folder = ROOT / "docs" / "rules"
    assert {file.stem for file in folder.glob("FNM*.md")} == set(CODES)
    assert (folder / "index.md").read_text() == index()


def test_readme_and_changelog_know_every_rule():
    assert table("docs/rules/") in (ROOT / "README.md").read_text()
    assert set(re.findall(r"FNM\d{3}", (ROOT / "CHANGELOG.md").read_text())) >= set(CODES)


def test_every_dependency_has_its_line():
    text = (ROOT / "pyproject.toml").read_text()
    extras = text.partition("[project.optional-dependencies]")[2].partition("test = [")[0]
    needed = re.findall(r"^dependencies = .*$", text, re.M)
    named = set(re.findall(r'"([a-zA-Z][\w-]*)>=', extras + "".join(needed)))
    assert {"flake8", "tomli", "torch"} <= named
    rows = re.findall(r"^\| ([\w, -]+) \|", (ROOT / "docs/dependencies.md").read_text(), re.M)
    assert {name for row in rows for name in row.split(", ")} >= named


def test_explanations_say_everything():
    for rule in RULES.values():
        text = explain(rule)
        assert all(part in text for part in (rule.code, rule.symbol, rule.title, rule.message))
