"""The pylint plugin: one raw-file checker a rule family, made from the rules' table.

pylint wants equal first two digits within a checker, hence one for each family. Nothing
is analysed here; astroid's tree is not looked at.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from astroid import nodes
from pylint.checkers import BaseRawFileChecker
from pylint.lint import PyLinter

from fnmodule_lint.engine import Engine, Report
from fnmodule_lint.findings import Problem
from fnmodule_lint.rules import RULES, Rule
from fnmodule_lint.settings import OPTIONS

KEEP_OPTION = "fnmodule-keep-function-messages"
PROBLEM_SYMBOL = "fnmodule-problem"
_PROBLEM = {
    "E9199": (
        "%(problem)s",
        PROBLEM_SYMBOL,
        "fnmodule-lint could not lint the file, or could not use its settings.",
    )
}


class Session:
    """The engine of one process, and its report on the module at hand."""

    def __init__(self) -> None:
        self._given: dict[str, tuple[str, ...]] | None = None
        self._engine = Engine()
        self._told: set[str] = set()
        self._module: tuple[str, bytes] | None = None
        self._report = Report()

    def engine(self, linter: PyLinter) -> Engine:
        """The engine for the linter's options."""
        given = _given_options(linter)
        if given != self._given:
            self._given = given
            self._engine = Engine(overrides=given)
            self._module = None
        return self._engine

    def tell(self, problem: Problem) -> None:
        """Say a problem on standard error too, once: a narrow selection hides the message."""
        if problem.message not in self._told:
            self._told.add(problem.message)
            print(f"fnmodule-lint: {problem.path}: {problem.message}", file=sys.stderr)

    def report(self, linter: PyLinter, node: nodes.Module) -> Report:
        """The report on a module, made once for all families."""
        engine = self.engine(linter)
        with node.stream() as stream:
            source = stream.read()
        module = (str(node.file), source)
        if module != self._module:
            self._report = engine.check_text(Path(module[0]), source)
            self._module = module
        return self._report


SESSION = Session()


def _given_options(linter: PyLinter) -> dict[str, tuple[str, ...]]:
    given = {}
    for name in OPTIONS:
        value = getattr(linter.config, f"fnmodule_{name.replace('-', '_')}", None)
        if value:
            given[name] = tuple(value)
    return given


class _FamilyChecker(BaseRawFileChecker):
    """Reports the findings of one family."""

    family = ""
    tells_problems = False

    def process_module(self, node: nodes.Module) -> None:
        """Report what the engine found in the module."""
        report = SESSION.report(self.linter, node)
        if self.tells_problems:
            for problem in report.problems:
                SESSION.tell(problem)
                line = max(problem.line, 1)
                self.add_message(PROBLEM_SYMBOL, line=line, args={"problem": problem.message})
        for finding in report.findings:
            if finding.code.startswith(self.family):
                self.add_message(
                    finding.symbol,
                    line=finding.line,
                    args=dict(finding.arguments),
                    col_offset=finding.column,
                    end_lineno=finding.end_line,
                    end_col_offset=finding.end_column,
                )


def _message(rule: Rule) -> tuple[Any, ...]:
    return (rule.pylint_text, rule.symbol, rule.why, {"default_enabled": rule.default})


def _messages(family: str) -> dict[str, Any]:
    return {
        rule.pylint_id: _message(rule) for rule in RULES.values() if rule.code.startswith(family)
    }


def _options() -> tuple[tuple[str, dict[str, Any]], ...]:
    declared: list[tuple[str, dict[str, Any]]] = [
        (f"fnmodule-{name}", {"default": (), "type": "csv", "metavar": "<list>", "help": text})
        for name, text in OPTIONS.items()
    ]
    declared.append(
        (
            KEEP_OPTION,
            {
                "default": False,
                "type": "yn",
                "metavar": "<y or n>",
                "help": "keep abstract-method, arguments-differ etc. on autograd Functions",
            },
        )
    )
    return tuple(declared)


def _checker(family: str, *, first: bool) -> type[_FamilyChecker]:
    members: dict[str, Any] = {
        "name": f"fnmodule-{family.lower()}",
        "family": family,
        "msgs": _messages(family),
        "__doc__": f"The rules {family}xx.",
    }
    if first:
        members["options"] = _options()
        members["msgs"] |= _PROBLEM
        members["tells_problems"] = True
    return type(f"Family{family}Checker", (_FamilyChecker,), members)


def register(linter: PyLinter) -> None:
    """Register one checker for each family that has rules."""
    families = sorted({code[:4] for code in RULES})
    for position, family in enumerate(families):
        linter.register_checker(_checker(family, first=position == 0)(linter))
