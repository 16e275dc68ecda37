"""Syntax trees of the few files that are fixed, looked up by position."""

from __future__ import annotations

import ast

from fnmodule_lint.fixes.edits import Place
from fnmodule_lint.library import Library
from fnmodule_lint.source import code_point_column, parse, split_lines
from fnmodule_lint.values import Value
from fnmodule_lint.world import World

FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


class Trees:
    """Parsed files, each parsed when it is first asked for."""

    def __init__(self, world: World, library: Library) -> None:
        self._world = world
        self._library = library
        self._modules: dict[int, ast.Module] = {}
        self._nodes: dict[int, dict[tuple[int, int], ast.AST]] = {}
        self._lines: dict[int, list[str]] = {}

    def class_node(self, cls: Value) -> ast.ClassDef | None:
        """The ``class`` statement of a class; None for one made by ``type(...)``."""
        fact = self._world.files[cls[1]].classes[cls[2]]
        node = self._all(cls[1]).get((fact.line, fact.column))
        return node if isinstance(node, ast.ClassDef) else None

    def function_node(self, file: int, index: int) -> FunctionNode | None:
        """The ``def`` of a function; None for a lambda."""
        fact = self._world.files[file].functions[index]
        node = self._all(file).get((fact.line, fact.column))
        return node if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else None

    def call_node(self, file: int, place: int) -> ast.Call | None:
        """The call at an expression of the facts."""
        span = self._world.files[file].spans[place]
        for node in ast.walk(self.module(file)):
            if isinstance(node, ast.Call) and span == (
                node.lineno,
                node.col_offset,
                node.end_lineno,
                node.end_col_offset,
            ):
                return node
        return None

    def module(self, file: int) -> ast.Module:
        """The file's tree."""
        if file not in self._modules:
            path = self._world.paths[file]
            self._modules[file] = parse(self._library.text(path), path)
        return self._modules[file]

    def _all(self, file: int) -> dict[tuple[int, int], ast.AST]:
        """The definitions of a file by line and UTF-8 column."""
        if file not in self._nodes:
            kinds = (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
            self._nodes[file] = {
                (node.lineno, node.col_offset): node
                for node in ast.walk(self.module(file))
                if isinstance(node, kinds)
            }
        return self._nodes[file]

    def text(self, file: int) -> str:
        """The file's text."""
        return self._library.text(self._world.paths[file])

    def place(self, cls: Value) -> Place | None:
        """Where a class is written."""
        node = self.class_node(cls)
        if node is None:
            return None
        column = self.column(cls[1], node.lineno, node.col_offset)
        return Place(self._world.paths[cls[1]], node.lineno, column)

    def column(self, file: int, line: int, utf8_offset: int) -> int:
        """A column in code points."""
        return code_point_column(self._source_lines(file)[line - 1], utf8_offset)

    def source(self, file: int, node: ast.expr) -> str:
        """The source of an expression as it is written."""
        lines = self._source_lines(file)
        first, last = node.lineno - 1, (node.end_lineno or node.lineno) - 1
        start, end = node.col_offset, node.end_col_offset or 0
        if first == last:
            return lines[first].encode()[start:end].decode()
        parts = [lines[first].encode()[start:].decode(), *lines[first + 1 : last]]
        return "\n".join([*parts, lines[last].encode()[:end].decode()])

    def _source_lines(self, file: int) -> list[str]:
        if file not in self._lines:
            text = self._library.text(self._world.paths[file])
            self._lines[file] = split_lines(text.removeprefix("\ufeff"))
        return self._lines[file]
