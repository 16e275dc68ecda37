"""Contracts in YAML plan files: the same rules, at the YAML file's own lines."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from conftest import Tool

from fnmodule_lint.engine import Engine, Report

MODEL = """\
import torch
from runtime import FunctionModule
from torch import nn


class Norm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x


class Mix(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        return x * weight


class MixShell(FunctionModule):
    def forward(self, x, weight):
        return self._fn.apply(x, weight)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm_fn = FunctionModule(Norm)
        self.mix_fn = MixShell(Mix)
        self.spare_fn = FunctionModule(Norm)

    def forward(self, x, w):
        return self.mix_fn(self.spare_fn(self.norm_fn(x)), w)
"""

PLAN = """\
model: {hidden: 128}
anchors:
  both: &both {x: shard(1), weight: replicate}
training:
  plan_overrides:
    "layers.*.norm_fn":  # expect: FNM301
      in_src: {anything: shard(1)}
      in_dst: {anything: replicate}
    ...mix_fn:
      region_dispatch: off
      in_src:  # expect: FNM302
        x: shard(1)
        w: replicate
      in_dst: {x: replicate, w: replicate}
    layers.0.mix_fn:
      region_dispatch: false
      in_src: *both
      in_dst:  # expect: FNM303
        <<: *both
        extra: replicate
    layers.1.mix_fn: &good
      region_dispatch: false
      in_src: *both
      in_dst: *both
    layers.2.mix_fn:
      <<: *good
    layers.3.norm_fn:
      region_dispatch: false
      params: {weight: replicate}  # expect: FNM304
    layers.4.norm_fn:
      region_dispatch: false
      params: {}
    "layers.5.norm_fn":  # expect: FNM301
      region_dispatch: true
    layers.6.norm_fn:  # noqa: FNM301
    layers.7.mlp:
      in_src: {y: shard(1), z: shard(1)}
"""


def project(root: Path, plan: str, plan_files: str = '"configs/*.yaml"') -> Path:
    (root / "configs").mkdir(parents=True)
    (root / "model.py").write_text(MODEL)
    (root / "configs" / "plan.yaml").write_text(plan, "utf-8")
    (root / "pyproject.toml").write_text(f"[tool.fnmodule-lint]\nplan-files = [{plan_files}]\n")
    return root


def places(report: Report, name: str) -> list[tuple[int, str]]:
    return [(f.line, f.code) for f in report.findings if Path(f.path).name == name]


def marks(text: str) -> list[tuple[int, str]]:
    return [
        (number, code)
        for number, line in enumerate(text.splitlines(), 1)
        for code in re.findall(r"# expect: (FNM\d+)", line)
    ]


def test_each_entry_is_reported_at_its_own_line(tmp_path: Path, tool: Tool):
    root = project(tmp_path, PLAN)
    run = tool("fnmodule_lint", "check", root)
    found = re.findall(r"plan\.yaml:(\d+):\d+: (FNM\d+)", run.stdout)
    # The extra key of line 20 binds to nothing either, and only in_dst has it.
    assert [(int(line), code) for line, code in found] == sorted([*marks(PLAN), (18, "FNM302")])
    assert run.returncode == 1
    assert "add `region_dispatch: false`" in run.stdout
    assert '    "layers.*.norm_fn":  # expect: FNM301' in run.stdout


def test_a_plan_is_linted_where_it_is_asked_for(tmp_path: Path):
    root = project(tmp_path, PLAN)
    assert places(Engine().check_paths([root / "model.py"]), "plan.yaml") == []
    named = Engine().check_paths([root / "configs" / "plan.yaml"])
    below = Engine().check_paths([root])
    assert places(named, "plan.yaml") == places(below, "plan.yaml") != []
    assert (named.files, below.files) == (1, 2)
    assert below.problems == named.problems == ()


def test_keys_of_a_yaml_plan_cover_shells(tmp_path: Path):
    root = project(tmp_path, PLAN)
    assert places(Engine().check_paths([root]), "model.py") == [(28, "FNM305")]
    file = root / "configs" / "plan.yaml"
    file.write_text(PLAN + "    layers.8.spare_fn: {region_dispatch: false}\n")
    assert places(Engine().check_paths([root]), "model.py") == []


@pytest.mark.parametrize(
    ("plan", "message"),
    [
        ("a: [1,\n  }", "not YAML"),
        ("a: \x00", "not YAML"),
        ("\t- x", "not YAML"),
        ("a: " + "[" * 5000, "nested too deeply"),
    ],
)
def test_what_cannot_be_read_is_one_problem(plan: str, message: str, tmp_path: Path):
    report = Engine().check_paths([project(tmp_path, plan)])
    assert [Path(problem.path).name for problem in report.problems] == ["plan.yaml"]
    assert message in report.problems[0].message
    assert report.findings == ()


@pytest.mark.parametrize(
    "plan",
    [
        "",
        "--- !!python/object/apply:os.abort []\n",
        "plan_overrides: !!python/object/apply:os.abort []\n",
        "plan_overrides: 3\n",
        "plan_overrides: [a, {b: 1}]\n",
        "? [a, b]\n: {plan_overrides: {? {x: 1} : 2, 3: {}}}\n",
        "plan_overrides: &a {x_fn: *a, <<: *a}\n",
        "plan_overrides: {norm_fn: {region_dispatch: false, in_src: [x], params: 7}}\n",
    ],
)
def test_odd_plans_say_nothing(plan: str, tmp_path: Path):
    report = Engine().check_paths([project(tmp_path, plan)])
    assert report.problems == ()
    assert places(report, "plan.yaml") == []


def test_line_numbers_are_those_of_an_editor(tmp_path: Path):
    plan = "a: 'x\u2028y\u0085z'\nplan_overrides:\n  norm_fn: {}\n"
    assert places(Engine().check_paths([project(tmp_path, plan)]), "plan.yaml") == [(3, "FNM301")]


def test_a_plan_that_is_not_there_is_a_problem(tmp_path: Path):
    report = Engine().check_paths([project(tmp_path, PLAN, '"plans/*.yaml"')])
    assert [Path(problem.path).name for problem in report.problems] == ["pyproject.toml"]
    assert "plans/*.yaml" in report.problems[0].message


def test_without_pyyaml_the_message_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setitem(sys.modules, "yaml", None)
    report = Engine().check_paths([project(tmp_path, PLAN)])
    assert [problem.message for problem in report.problems] == [
        "plan-files needs PyYAML: pip install 'fnmodule-lint[yaml]'"
    ]


def test_flake8_and_pylint_know_the_option(tmp_path: Path, tool: Tool):
    root = project(tmp_path, PLAN)
    text = (root / "pyproject.toml").read_text().replace("configs", "nowhere")
    (root / "pyproject.toml").write_text(text)
    option = "--fnmodule-plan-files=configs/plan.yaml"
    flake8 = tool("flake8", "--isolated", "--select=FNM", option, "model.py", cwd=root)
    assert [line.split()[:2] for line in flake8.stdout.splitlines()] == [
        ["model.py:28:25:", "FNM305"]
    ]
    pylint = tool(
        "pylint", "--rcfile=/dev/null", "--load-plugins=fnmodule_lint", "--disable=all",
        "--enable=shell-without-contract", "--score=n", option, "model.py", cwd=root,
    )  # fmt: skip
    assert "model.py:28:24: W9305" in pylint.stdout
