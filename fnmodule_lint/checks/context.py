"""What every check needs: the closed world, the reachable methods, and a way to report."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from fnmodule_lint import reach
from fnmodule_lint.findings import Finding, Span, Step
from fnmodule_lint.forward import forward_reachable
from fnmodule_lint.library import Library
from fnmodule_lint.plan_files import PlanSpec
from fnmodule_lint.rules import RULES
from fnmodule_lint.source import code_point_column, split_lines
from fnmodule_lint.values import Value
from fnmodule_lint.world import World

_LONGEST_SOURCE = 60


@dataclass(frozen=True)
class Standing:
    """Where a finding stands in the facts: an expression of a file, in a function (or -1)."""

    file: int
    place: int
    function: int


class Context:
    """One analysis of one project.

    ``root`` is the project's folder. ``entries`` are the top-level names, with their
    files' paths, whose classes' forwards can reach anything that matters. ``plan`` holds
    the entries of the project's plan files. ``standings`` grows with the findings that
    are made, for those who fix them.
    """

    def __init__(
        self,
        world: World,
        library: Library,
        root: str,
        entries: set[tuple[str, str]],
        plan: Sequence[PlanSpec] = (),
    ) -> None:
        self.world = world
        self.plan = plan
        self.library = library
        self.standings: dict[Finding, Standing] = {}
        self._root = root
        self._entries = entries
        self._lines: dict[int, list[str]] = {}

    @cached_property
    def reachable(self) -> set[Value]:
        """The methods and inner functions that some Module's forward reaches."""
        return forward_reachable(self.world, self._entries)

    @cached_property
    def reachable_places(self) -> set[tuple[int, int]]:
        """The reachable functions as (file, function), whatever class they run for."""
        return {(unit[1], unit[2]) for unit in self.reachable}

    @cached_property
    def units(self) -> list[Value]:
        """The reachable functions, in the order of the source."""
        return sorted(self.reachable, key=lambda unit: (unit[1], unit[2], repr(unit[3])))

    def lines(self, file: int) -> list[str]:
        """The file's lines."""
        if file not in self._lines:
            self._lines[file] = split_lines(self.library.text(self.world.paths[file]))
        return self._lines[file]

    def source(self, file: int, index: int) -> str:
        """The source of an expression on one line, shortened; of a call, without arguments."""
        exprs = self.world.files[file].exprs
        calls = 0
        while exprs[index][0] == "C" and exprs[index][1] > 0:
            index, calls = exprs[index][1], calls + 1
        return self._text(file, index) + "(...)" * min(calls, 2)

    def _text(self, file: int, index: int) -> str:
        line, column, end_line, end_column = self.world.files[file].spans[index]
        text = self.lines(file)[line - 1].encode()
        end = end_column if end_line == line else len(text)
        found = text[column:end].decode(errors="replace").strip()
        if end_line != line or len(found) > _LONGEST_SOURCE:
            return found[: _LONGEST_SOURCE - 3] + "..."
        return found

    def owner(self, file: int, index: int) -> str:
        """The method that a function is part of, as ``Class.method``."""
        method = self.world.files[file].functions[index].method
        return reach.function_name(self.world, file, method if method >= 0 else index)

    def describe(self, step: Step) -> str:
        """A step of a chain as one phrase, with a path relative to the project."""
        if not step.path:
            return step.name
        path = os.path.relpath(step.path, self._root).replace(os.sep, "/")
        return f"{step.name} at {path}:{step.line}"

    def goes_through_fn(self, file: int, func: int) -> bool:
        """Whether a callee is ``<something>._fn.apply``."""
        exprs = self.world.files[file].exprs
        return bool(
            exprs[func][0] == "A"
            and exprs[func][2] == "apply"
            and exprs[exprs[func][1]][0] == "A"
            and exprs[exprs[func][1]][2] == "_fn"
        )

    def finding(
        self,
        code: str,
        file: int,
        place: int,
        arguments: Mapping[str, str],
        chain: tuple[Step, ...] = (),
        function: int = -1,
    ) -> Finding:
        """A finding at an expression, with those ``arguments`` that the rule's message has.

        ``function`` is the one that the expression stands in, where a fix has to know it.
        """
        found = self.finding_at(code, self.span(file, place), arguments, chain)
        self.standings[found] = Standing(file, place, function)
        return found

    def span(self, file: int, place: int) -> Span:
        """Where an expression stands."""
        line, column, end_line, end_column = self.world.files[file].spans[place]
        lines = self.lines(file)
        return Span(
            self.world.paths[file],
            line,
            code_point_column(lines[line - 1], column),
            end_line,
            code_point_column(lines[end_line - 1], end_column),
        )

    def finding_at(
        self, code: str, span: Span, arguments: Mapping[str, str], chain: tuple[Step, ...] = ()
    ) -> Finding:
        """A finding at a place of any file, with those ``arguments`` that the message has."""
        fields = RULES[code].fields
        return Finding(
            path=span.path,
            line=span.line,
            column=span.column,
            code=code,
            end_line=span.end_line,
            end_column=span.end_column,
            arguments=tuple(sorted((k, v) for k, v in arguments.items() if k in fields)),
            chain=chain,
        )
