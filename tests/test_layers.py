"""A layer imports only from layers to its left; nothing heavy is imported at start-up."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "fnmodule_lint"

LAYERS = (
    {"rules.rule", "settings", "known", "values", "solver", "facts"},
    {"rules.invisible", "rules.shells", "rules.contracts"},
    {"rules"},
    {"findings", "source", "project", "imports", "terminal"},
    {"noqa", "plan_files", "dependencies", "import_search"},
    {"extract_signatures", "extract_settle", "syntax"},
    {"extract"},
    {"library"},
    {"class_members", "containers", "external_calls", "handed", "world"},
    {"origins", "reach"},
    {"relevance", "forward", "signatures"},
    {"checks.context"},
    {"checks.registration", "checks.shell_sites", "checks.plans"},
    {"checks.invisible", "checks.shells", "checks.contracts"},
    {"checks"},
    {"fixes", "fixes.edits", "fixes.naming", "fixes.children"},
    {"fixes.trees", "fixes.origins"},
    {"fixes.constructors", "fixes.function_names", "fixes.shell_classes", "fixes.contracts"},
    {"fixes.mounts"},
    {"fixes.sites"},
    {"fixes.stored", "fixes.wrappers", "fixes.usage"},
    {"fixes.planner"},
    {"engine"},
    {"fixes.classes_changed", "fixes.imports_added", "fixes.write", "fixes.plans"},
    {"fixes.rewrite", "fixes.apply"},
    {"json_report", "rule_pages", "doctor", "selection"},
    {"html", "html.graph"},
    {"html.page"},
    {"fingerprints", "baseline", "sarif_report", "ci_reports"},
    {"text_report", "flake8_plugin", "pylint_plugin", "lsp_text"},
    {"lsp_session"},
    {"pylsp_plugin"},
    {"pylint_silence"},
    {"check_command", "report_command", "fix_command", "vendor_command"},
    {"cli"},
    {"__main__"},
)
RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer}
TOGETHER = next(layer for layer in LAYERS if "world" in layer)
"""The world and its parts call each other: one layer, in which cycles are for types only."""


def modules() -> dict[str, Path]:
    found = {}
    for file in PACKAGE.rglob("*.py"):
        parts = file.relative_to(PACKAGE).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        found[name] = file
    return found


def imported(file: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("fnmodule_lint"):
            module = (node.module or "").removeprefix("fnmodule_lint").lstrip(".")
            for alias in node.names:
                inner = f"{module}.{alias.name}".lstrip(".")
                names.add(inner if inner in RANK else module)
    return names - {""}


def test_every_module_has_a_layer():
    assert set(modules()) - {""} == set(RANK)


@pytest.mark.parametrize("name", sorted(RANK))
def test_imports_point_left(name: str):
    for other in imported(modules()[name]):
        same = other in TOGETHER and name in TOGETHER
        assert same or RANK[other] < RANK[name], f"{name} imports {other}"


def test_only_their_own_front_end_imports_the_hosts():
    hosts = {"flake8": {"flake8_plugin"}, "pylint": {"pylint_plugin", "pylint_silence", ""}}
    hosts |= {"astroid": {"pylint_plugin", "pylint_silence"}, "torch": set(), "runtime": set()}
    hosts |= {"pylsp": {"pylsp_plugin"}}
    hosts |= {"libcst": {"fixes.rewrite", "fixes.classes_changed", "fixes.imports_added"}}
    for name, file in modules().items():
        for node in ast.walk(ast.parse(file.read_text())):
            modules_named = []
            if isinstance(node, ast.Import):
                modules_named = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                modules_named = [node.module or ""]
            for module in modules_named:
                assert name in hosts.get(module.partition(".")[0], {name}), f"{name}: {module}"


@pytest.mark.parametrize("module", ["cli", "flake8_plugin", "engine"])
def test_start_up_is_light(module: str):
    code = f"import sys, fnmodule_lint.{module}; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in run.stdout.split()}
    assert loaded.isdisjoint({"torch", "libcst", "pylint", "astroid", "flake8", "pylsp", "runtime"})


def test_runtime_knows_nothing_of_the_linter():
    for file in (PACKAGE.parent / "runtime").rglob("*.py"):
        assert "fnmodule_lint" not in file.read_text()
