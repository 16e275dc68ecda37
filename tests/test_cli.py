"""The command line from its user's side."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import Tool

from fnmodule_lint import cli
from fnmodule_lint.rules import RULES

HELPERS = """\
import torch


class Gate(torch.autograd.Function):
    pass


def gate(x):
    return Gate.apply(x)
"""
MODEL = """\
from helpers import Gate, gate
from torch import nn


class Model(nn.Module):
    def forward(self, x):
        x = gate(x)
        return Gate.apply(x) + 1
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "helpers.py").write_text(HELPERS)
    (tmp_path / "model.py").write_text(MODEL)
    return tmp_path


def check(tool: Tool, folder: Path, *arguments: str, **more):
    return tool("fnmodule_lint", "check", *arguments, cwd=folder, **more)


def test_text_marks_the_span_and_shows_the_chain(tool: Tool, folder: Path):
    run = check(tool, folder)
    lines = run.stdout.splitlines()
    assert run.returncode == 1 and run.stderr == ""
    assert lines[0].startswith("model.py:7:13: FNM102 `gate(...)` in Model.forward ends in Gate")
    assert lines[1:3] == ["            x = gate(x)", "                ^^^^^^^"]
    assert lines[3:5] == ["    -> helpers.py:8: gate", "    -> helpers.py:9: Gate.apply"]
    assert lines[5].startswith("model.py:8:16: FNM101 `Gate.apply(...)` in Model.forward")
    assert lines[-1] == "2 findings in 1 file, 2 files checked"


def test_plain_helpers_are_marked_as_unsafe_to_fix(tool: Tool, folder: Path):
    helper = HELPERS.replace(
        "    pass", "    @staticmethod\n    def forward(ctx, x):\n        return x"
    )
    (folder / "helpers.py").write_text(helper)
    lines = check(tool, folder).stdout.splitlines()
    assert "FNM102 [**] `gate(...)`" in lines[0]
    assert any("FNM101 [*] `Gate.apply(...)`" in line for line in lines)
    assert lines[-3:-1] == [
        "[*] 1 fixable with `fnmodule-lint fix`",
        "[**] 1 more fixable with `fnmodule-lint fix --unsafe`",
    ]
    rows = json.loads(check(tool, folder, "--format", "json").stdout)
    assert [row["fix"] for row in rows] == [
        {"title": "Mount Gate as self.gate_fn", "safe": False},
        {"title": "Mount Gate as self.gate_fn", "safe": True},
    ]


def test_json_has_the_documented_fields(tool: Tool, folder: Path):
    run = check(tool, folder, "--format", "json", "model.py")
    first, second = json.loads(run.stdout)
    assert first["chain"] == [
        {"path": "helpers.py", "line": 8, "name": "gate"},
        {"path": "helpers.py", "line": 9, "name": "Gate.apply"},
    ]
    place = [first[key] for key in ("path", "line", "column", "end_line", "end_column")]
    assert place == ["model.py", 7, 13, 7, 20]
    assert (first["code"], first["symbol"]) == ("FNM102", "invisible-function-helper")
    assert second["chain"] == [] and "Gate" in second["message"]


def test_paths_outside_of_the_current_folder_are_absolute(
    tool: Tool, folder: Path, tmp_path_factory
):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    run = check(tool, elsewhere, "--format", "json", str(folder))
    assert {row["path"] for row in json.loads(run.stdout)} == {str(folder / "model.py")}


def test_select_ignore_exclude_and_statistics(tool: Tool, folder: Path):
    def codes(*arguments: str) -> list[str]:
        run = check(tool, folder, "--format", "json", *arguments)
        return [row["code"] for row in json.loads(run.stdout)]

    assert codes("--select", "FNM101") == ["FNM101"]
    assert codes("--select", "fnm1") == ["FNM102", "FNM101"]
    assert codes("--ignore", "FNM101,FNM103") == ["FNM102"]
    assert codes("--exclude", "model.py") == []
    run = check(tool, folder, "--statistics")
    assert f"     1 FNM101 {RULES['FNM101'].title}" in run.stdout


def test_unknown_codes_name_the_known_ones(tool: Tool, folder: Path):
    run = check(tool, folder, "--select", "E501")
    assert run.returncode == 2 and "E501" in run.stderr and "FNM101" in run.stderr


def test_exit_status(tool: Tool, folder: Path):
    assert check(tool, folder, "helpers.py").returncode == 0
    assert check(tool, folder, "model.py").returncode == 1
    assert check(tool, folder, "absent.py", "model.py").returncode == 2


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("# noqa", []),
        ("# NOQA:FNM102", []),
        ("# noqa: E501, FNM1", []),
        ("# noqa: E501", ["FNM102"]),
        ("# noqa: FNM101", ["FNM102"]),
        ("# no qa", ["FNM102"]),
    ],
)
def test_noqa(comment: str, left: list[str], tool: Tool, folder: Path):
    (folder / "model.py").write_text(MODEL.replace("x = gate(x)", f"x = gate(x)  {comment}"))
    run = check(tool, folder, "--format", "json", "--ignore", "FNM101")
    assert [row["code"] for row in json.loads(run.stdout)] == left


def test_noqa_after_a_string_of_several_lines(tool: Tool, folder: Path):
    text = MODEL.replace("gate(x)", 'gate("""\n""")  # noqa: FNM102', 1)
    (folder / "model.py").write_text(text)
    run = check(tool, folder, "--format", "json")
    assert [row["code"] for row in json.loads(run.stdout)] == ["FNM101"]


def test_file_wide_noqa(tool: Tool, folder: Path):
    (folder / "model.py").write_text("# flake8: noqa\n" + MODEL)
    assert check(tool, folder).returncode == 0


def test_standard_input_stands_for_a_file(tool: Tool, folder: Path):
    arguments = ("--format", "json", "--stdin-filename", "model.py", "-")
    run = check(tool, folder, *arguments, stdin=MODEL.replace("gate(x)", "x", 1))
    assert [(row["path"], row["code"]) for row in json.loads(run.stdout)] == [
        ("model.py", "FNM101")
    ]
    run = check(tool, folder, "-", "model.py", stdin="")
    assert run.returncode == 2 and "standard input" in run.stderr


def test_rule_explains_by_code_and_symbol(tool: Tool):
    run = tool("fnmodule_lint", "rule", "FNM101")
    rule = RULES["FNM101"]
    assert run.returncode == 0
    assert all(part in run.stdout for part in (rule.symbol, rule.pylint_id, rule.title))
    assert "Gate" not in run.stdout and "Scale.apply(x) + 1" in run.stdout
    assert tool("fnmodule_lint", "rule", rule.symbol).stdout == run.stdout
    wrong = tool("fnmodule_lint", "rule", "FNM999")
    assert wrong.returncode == 2 and "FNM101" in wrong.stderr


def test_doctor_names_the_hosts_and_the_settings(tool: Tool, folder: Path):
    (folder / "pyproject.toml").write_text("[tool.fnmodule-lint]\nentry-methods = ['step']\n")
    (folder / "setup.cfg").write_text("[flake8]\nfnmodule-search-paths = lib\n")
    run = tool("fnmodule_lint", "doctor", cwd=folder)
    assert run.returncode == 0
    assert "loads the plugin from fnmodule_lint.flake8_plugin" in run.stdout
    assert "* entry-methods = step" in run.stdout
    assert "* fnmodule-search-paths = lib" in run.stdout


def test_doctor_says_what_will_not_work(tool: Tool, tmp_path: Path):
    (tmp_path / "pyproject.toml").write_text('[tool.fnmodule-lint]\nsearch-paths = ["nowhere"]\n')
    (tmp_path / "setup.cfg").write_text("[flake8]\nfnmodule-entry-method = go\n")
    run = tool("fnmodule_lint", "doctor", cwd=tmp_path)
    assert run.returncode == 1
    assert "  ! search-paths: nowhere is no folder" in run.stdout
    assert "  ! fnmodule-entry-method is no option; known: entry-methods" in run.stdout
    (tmp_path / "pyproject.toml").write_text("[tool.fnmodule-lint]\nno = 1\n")
    assert "  ! cannot be used: " in tool("fnmodule_lint", "doctor", cwd=tmp_path).stdout


def test_doctor_reads_what_pylint_reads(tool: Tool, folder: Path):
    (folder / "pyproject.toml").write_text(
        "[tool.pylint.main]\nload-plugins = ['fnmodule_lint']\nfnmodule-search-paths = ['a', 'b']\n"
    )
    (folder / ".pylintrc").write_text("[MAIN]\nload-plugins=other\n")
    lines = tool("fnmodule_lint", "doctor", cwd=folder).stdout.splitlines()
    assert f"{folder}/pyproject.toml: [tool.pylint] loads the plugin into pylint" in lines
    assert "  * fnmodule-search-paths = a, b" in lines
    assert f"{folder}/.pylintrc: [pylint] does not load the plugin into pylint" in lines


def test_a_reader_that_leaves_early_is_no_error(folder: Path):
    source = MODEL.replace("Gate.apply(x) + 1", " + ".join(["Gate.apply(x)"] * 2000))
    (folder / "model.py").write_text(source)
    with subprocess.Popen(
        [sys.executable, "-m", "fnmodule_lint", "check"],
        cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    ) as run:  # fmt: skip
        assert run.stdout is not None and run.stderr is not None
        run.stdout.readline()
        run.stdout.close()
        assert run.stderr.read() == b""
    assert run.returncode == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is full")
@pytest.mark.parametrize("shell", ["> /dev/full", ">&- <&- -", ">&- 2>&- absent.py"])
def test_output_that_goes_nowhere(shell: str, folder: Path):
    command = f'exec "$0" -m fnmodule_lint check {shell}'
    run = subprocess.run(
        ["sh", "-c", command, sys.executable],
        cwd=folder, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert run.returncode == 2 and run.stdout == ""
    assert len(run.stderr.splitlines()) <= 1 and "Traceback" not in run.stderr


def test_a_long_line_is_shown_around_the_span(tool: Tool, folder: Path):
    long = "'" + "a" * 5000 + "', Gate.apply(x), '" + "b" * 5000 + "'"
    (folder / "model.py").write_text(MODEL.replace("Gate.apply(x) + 1", long))
    run = check(tool, folder, "--select", "FNM101")
    _, shown, carets, _ = run.stdout.splitlines()
    assert len(shown) < 200 and shown.startswith("    ...") and shown.endswith("...")
    assert shown[carets.index("^") : len(carets)] == "Gate.apply(x)"


def test_carets_stand_below_wide_and_unprintable_characters(tool: Tool, folder: Path):
    odd = "'\u6f22\u0301\x1b[31m', Gate.apply(x)"  # two columns, none, and one for ESC
    (folder / "model.py").write_text(MODEL.replace("Gate.apply(x) + 1", odd), encoding="utf-8")
    _, shown, carets, _ = check(tool, folder, "--select", "FNM101").stdout.splitlines()
    assert "\x1b" not in shown
    assert carets.index("^") == shown.index("Gate")  # the wide one makes up for the combining one
    assert carets.count("^") == len("Gate.apply(x)")


def test_progress_is_for_long_runs_on_a_terminal(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(cli, "_QUIET_SECONDS", 0.05)

    def told(seconds: float, *, terminal: bool) -> str:
        stream = io.StringIO()
        monkeypatch.setattr(stream, "isatty", lambda: terminal, raising=False)
        progress = cli._Progress(stream)
        progress("analysing here")
        time.sleep(seconds)
        progress.end()
        time.sleep(0.2)  # long enough for a timer that goes on to be heard
        return stream.getvalue()

    assert told(0.5, terminal=True) == "analysing here ...\n"
    assert told(0.0, terminal=True) == ""
    assert told(0.5, terminal=False) == ""


def test_the_examples_are_as_the_readme_says(tool: Tool):
    root = Path(__file__).parent.parent
    run = tool("fnmodule_lint", "check", "examples", cwd=root)
    closing = run.stdout.splitlines()[-1]
    said = re.search(r"It ends with `(.*?)`", (root / "README.md").read_text())
    assert said is not None and closing.startswith(said[1] + ",") and run.returncode == 1
    run = tool("fnmodule_lint", "check", "--format", "json", "examples", cwd=root)
    rows = json.loads(run.stdout)
    assert {row["path"].split("/")[1] for row in rows} == {"blind"}
    assert {row["code"] for row in rows} == {"FNM101", "FNM102", "FNM103"}


def test_version_and_usage(tool: Tool):
    assert tool("fnmodule_lint", "--version").stdout.startswith("fnmodule-lint ")
    assert tool("fnmodule_lint").returncode == 2


def test_an_excluded_file_is_linted_with_its_package_when_named(tool: Tool, folder: Path):
    package = folder / "package"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "helpers.py").write_text(HELPERS)
    (package / "model.py").write_text(MODEL.replace("from helpers", "from .helpers"))
    (folder / "pyproject.toml").write_text("[tool.fnmodule-lint]\nexclude = ['package']\n")

    def paths(*arguments: str) -> list[str]:
        run = check(tool, folder, "--format", "json", *arguments)
        return [row["path"] for row in json.loads(run.stdout)]

    assert paths(".") == ["model.py"] * 2
    assert paths("package") == paths("package/model.py") == ["package/model.py"] * 2


def test_what_an_outer_project_excludes_is_not_walked_into(tool: Tool, folder: Path):
    inner = folder / "examples" / "inner"
    inner.mkdir(parents=True)
    (inner / "pyproject.toml").write_text("[project]\n")
    (inner / "helpers.py").write_text(HELPERS)
    (inner / "model.py").write_text(MODEL)
    (folder / "pyproject.toml").write_text("[tool.fnmodule-lint]\nexclude = ['examples']\n")
    run = check(tool, folder, "--format", "json", ".")
    assert {row["path"] for row in json.loads(run.stdout)} == {"model.py"}
    run = check(tool, folder, "--format", "json", "examples")
    assert {row["path"] for row in json.loads(run.stdout)} == {"examples/inner/model.py"}


def test_exclude_takes_a_list_and_repeats(tool: Tool, tmp_path: Path):
    for name in ("a", "b", "c", "d"):
        (tmp_path / f"{name}.py").write_text(RULES["FNM101"].bad)
    run = tool(
        "fnmodule_lint", "check", "--exclude", "a.py, b.py", "--exclude", "c.py", cwd=tmp_path
    )
    assert run.stdout.endswith("1 finding in 1 file, 1 file checked\n")
