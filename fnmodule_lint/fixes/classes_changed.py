"""Mounts and new shell classes, as LibCST statements in the source's own indentation."""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from fnmodule_lint.fixes.edits import Mount, NewClass


class Unwritable(Exception):
    """Source in which an edit cannot be made; its text goes on after "not fixed: "."""


BLANK = cst.EmptyLine(indent=False)


def with_init(tree: cst.Module, node: cst.ClassDef, mounts: Sequence[Mount]) -> cst.ClassDef:
    """The class with an ``__init__`` before its first method that registers ``mounts``."""
    if not isinstance(node.body, cst.IndentedBlock):
        raise Unwritable(f"the body of {node.name.value} is on its own line with `class`")
    first, indent = mounts[0], tree.default_indent
    head = f"def __init__({first.self_name}{', ' if first.parameters else ''}{first.parameters}):"
    lines = [f"super().__init__({first.handed})", *map(_assignment, mounts)]
    source = "\n".join([head, *(indent + line for line in lines)])
    init = _statement(tree, source)
    body = list(node.body.body)
    index = next((i for i, item in enumerate(body) if isinstance(item, cst.FunctionDef)), len(body))
    body.insert(index, init.with_changes(leading_lines=[BLANK] if index else []))
    if index + 1 < len(body):
        body[index + 1] = _after_blank(body[index + 1], 1)
    return node.with_changes(body=node.body.with_changes(body=body))


def with_mounts(
    tree: cst.Module, function: cst.FunctionDef, index: int, mounts: Sequence[Mount]
) -> cst.FunctionDef:
    """The ``__init__`` with ``mounts`` registered after the statement at ``index``."""
    block = function.body
    if not isinstance(block, cst.IndentedBlock):
        raise Unwritable("the body of __init__ is on its own line with `def`")
    body = list(block.body)
    body[index + 1 : index + 1] = [_statement(tree, _assignment(mount)) for mount in mounts]
    return function.with_changes(body=block.with_changes(body=body))


def around(
    tree: cst.Module, node: cst.ClassDef, new: Sequence[NewClass], *, top: bool
) -> list[cst.BaseStatement]:
    """The class with shell classes before and after it."""
    blanks = 2 if top else 1
    before = [_shell(tree, item) for item in new if item.before]
    after = [_shell(tree, item) for item in new if not item.before]
    if before:
        lines = list(node.leading_lines)
        own = []
        while lines and lines[0].comment is None:
            own.append(lines.pop(0))
        before[0] = before[0].with_changes(leading_lines=own)
        node = node.with_changes(leading_lines=[*[BLANK] * blanks, *lines])
    spaced = [item.with_changes(leading_lines=[BLANK] * blanks) for item in (*before[1:], *after)]
    return [*before[:1], *spaced[: len(before[1:])], node, *spaced[len(before[1:]) :]]


def _shell(tree: cst.Module, new: NewClass) -> cst.ClassDef:
    body = (tree.default_indent * depth + line for depth, line in new.lines)
    statement = _statement(tree, "\n".join([f"class {new.name}({new.base}):", *body]))
    assert isinstance(statement, cst.ClassDef)
    return statement


def _assignment(mount: Mount) -> str:
    return f"{mount.self_name}.{mount.attribute} = {mount.value}"


def _statement(tree: cst.Module, source: str) -> cst.BaseStatement:
    # The parser's line ends would be kept: without them the module's own are written.
    config = cst.PartialParserConfig(
        default_indent=tree.default_indent, default_newline="\n", encoding="utf-8"
    )
    return cst.parse_statement(source, config=config)


def _after_blank(statement: cst.BaseStatement, count: int) -> cst.BaseStatement:
    lines = list(getattr(statement, "leading_lines", ()))
    if lines and lines[0].comment is None:
        return statement
    return statement.with_changes(leading_lines=[*[BLANK] * count, *lines])
