"""The flake8 plugin: options in, ``(line, column, text, type)`` out; no logic of its own."""

from __future__ import annotations

import argparse
import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from fnmodule_lint import __version__
from fnmodule_lint.engine import Engine
from fnmodule_lint.rules import RULES
from fnmodule_lint.settings import OPTIONS

if TYPE_CHECKING:
    from flake8.options.manager import OptionManager

PROBLEM = "FNM000"
"""Stands before what is no finding: a file or a setting that cannot be used."""


class Plugin:
    """What flake8 makes for each file: ``tree`` parsed by flake8, ``lines`` as it read them."""

    name = "fnmodule-lint"
    version = __version__
    _given: ClassVar[dict[str, Any]] = {}
    _told: ClassVar[set[str]] = set()
    _engine: ClassVar[Engine | None] = None

    def __init__(self, tree: ast.Module, filename: str, lines: list[str]) -> None:
        self._tree = tree
        self._filename = filename
        self._lines = lines

    @staticmethod
    def add_options(manager: OptionManager) -> None:
        """Declare ``--fnmodule-...``, also read from flake8's configuration files."""
        for name, help_text in OPTIONS.items():
            manager.add_option(
                f"--fnmodule-{name}",
                default=None,
                metavar="LIST",
                parse_from_config=True,
                comma_separated_list=True,
                help=help_text,
            )
        manager.extend_default_ignore([rule.code for rule in RULES.values() if not rule.default])

    @classmethod
    def parse_options(cls, options: argparse.Namespace) -> None:
        """Keep the options that were given; flake8 calls this in each of its processes."""
        given = {}
        for name in OPTIONS:
            value = getattr(options, f"fnmodule_{name.replace('-', '_')}", None)
            if value is not None:
                given[name] = list(value)
        cls._given = given
        cls._engine = None

    def run(self) -> Iterator[tuple[int, int, str, type[Plugin]]]:
        """The file's findings as flake8 wants them: lines from 1, columns from 0."""
        report = self._shared_engine().check_text(
            Path(self._filename), "".join(self._lines), self._tree
        )
        for finding in report.findings:
            text = f"{finding.code} {finding.message}"
            yield finding.line, finding.column, text, type(self)
        for problem in report.problems:
            if problem.message not in self._told:
                self._told.add(problem.message)
                print(f"fnmodule-lint: {problem.path}: {problem.message}", file=sys.stderr)
            yield max(problem.line, 1), 0, f"{PROBLEM} {problem.message}", type(self)

    @classmethod
    def _shared_engine(cls) -> Engine:
        """One engine a process, so that the project is read once."""
        if cls._engine is None:
            cls._engine = Engine(overrides=cls._given)
        return cls._engine
