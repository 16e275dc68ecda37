"""Small questions about syntax nodes: their parts, names and constants."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any


def _call_parts(node: Any) -> list[ast.expr]:
    parts = [item.value if type(item) is ast.Starred else item for item in node.args]
    if node.keywords:
        parts.extend(item.value for item in node.keywords)
    parts.append(node.func)
    return parts


def _item_parts(node: Any) -> list[ast.expr]:
    return [item.value if type(item) is ast.Starred else item for item in node.elts]


def _not_plain(parts: list[ast.expr]) -> list[ast.expr]:
    """Operands that can hold a call: a bare name or constant has no say in the value."""
    return [part for part in parts if type(part) is not ast.Name and type(part) is not ast.Constant]


def _operand_parts(node: Any) -> list[ast.expr]:
    parts = [node.left, node.right]
    return parts if type(node.op) is ast.Add else _not_plain(parts)


def _subscript_parts(node: Any) -> list[ast.expr]:
    return [node.value] if type(node.slice) is ast.Name else [node.value, node.slice]


def any_parts(node: ast.expr) -> list[ast.expr]:
    """The expressions directly below ``node``, whatever it is."""
    return [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)]


PARTS: dict[type[ast.AST], Callable[[Any], list[ast.expr]]] = {
    ast.Attribute: lambda node: [node.value],
    ast.Call: _call_parts,
    ast.NamedExpr: lambda node: [node.value],
    ast.List: _item_parts,
    ast.Tuple: _item_parts,
    ast.Set: _item_parts,
    ast.BinOp: _operand_parts,
    ast.UnaryOp: lambda node: _not_plain([node.operand]),
    ast.Compare: lambda node: _not_plain([node.left, *node.comparators]),
    ast.BoolOp: lambda node: node.values,
    ast.IfExp: lambda node: [node.test, node.body, node.orelse],
    ast.Subscript: _subscript_parts,
    ast.JoinedStr: lambda node: node.values,
}


def constant_text(node: ast.expr) -> str:
    """The text of a string constant, "" for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def root_name(node: ast.expr) -> str:
    """The name at the left end of a target or expression, "" where there is none."""
    current: Any = node
    while True:
        if isinstance(current, ast.Name):
            return current.id
        if isinstance(current, ast.Attribute | ast.Subscript | ast.Starred):
            current = current.value
        elif isinstance(current, ast.Call):
            current = current.func
        elif isinstance(current, ast.Tuple | ast.List) and current.elts:
            current = current.elts[0]
        else:
            return ""


def type_checking(test: ast.expr) -> str:
    """Whether the test is ``TYPE_CHECKING`` ("yes"), its negation ("no") or neither ("")."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return {"yes": "no", "no": "yes"}.get(_type_checking_name(test.operand), "")
    return _type_checking_name(test)


def _type_checking_name(test: ast.expr) -> str:
    name = test.attr if isinstance(test, ast.Attribute) else getattr(test, "id", "")
    return "yes" if name == "TYPE_CHECKING" else ""
