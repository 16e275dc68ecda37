"""Parameters, method kinds and one-call bodies of ``def`` and ``lambda`` nodes."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from fnmodule_lint.facts import Parameter

_PROPERTIES = frozenset({"property", "cached_property", "abstractproperty", "lazy_property"})
_PROPERTY_PARTS = frozenset({"setter", "deleter"})
_IMPLICIT_CLASS = frozenset({"__new__", "__init_subclass__", "__class_getitem__"})


def parameters(node: Any, lower: Callable[[ast.expr], int]) -> list[Parameter]:
    """The parameters of ``node``; ``lower`` turns a default into its table index (-1: none)."""
    args: ast.arguments = node.args
    positional = [*args.posonlyargs, *args.args]
    defaults: list[ast.expr | None] = [None] * (len(positional) - len(args.defaults))
    defaults.extend(args.defaults)
    annotated = getattr(node, "name", "") in ("forward", "setup_context")
    found = []
    for argument, default in zip(positional, defaults, strict=True):
        found.append(_parameter(argument, "positional", default, annotated, lower))
    if args.vararg:
        found.append(_parameter(args.vararg, "vararg", None, annotated, lower))
    for argument, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append(_parameter(argument, "keyword", default, annotated, lower))
    if args.kwarg:
        found.append(_parameter(args.kwarg, "kwarg", None, annotated, lower))
    return found


def _parameter(
    argument: ast.arg,
    kind: str,
    default: ast.expr | None,
    annotated: bool,
    lower: Callable[[ast.expr], int],
) -> Parameter:
    index = -1 if default is None else lower(default)
    annotation = argument.annotation if annotated else None
    return Parameter(argument.arg, kind, index, annotation_text(annotation))


def annotation_text(node: ast.expr | None) -> str:
    """The source of an annotation, "" for none or for one too deep to print."""
    if node is None:
        return ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    try:
        return ast.unparse(node)
    except (RecursionError, ValueError):
        return ""


def method_kind(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    """How a method binds, by its decorators' last names.

    One of "plain", "static", "class", "property", "setter" (a further part of a property
    of the same name) and "overload" (a signature for type checkers only).
    """
    if node.name in _IMPLICIT_CLASS:
        return "class"
    for decorator in node.decorator_list:
        target = decorator.func if isinstance(decorator, ast.Call) else decorator
        name = target.attr if isinstance(target, ast.Attribute) else getattr(target, "id", "")
        if name in ("staticmethod", "abstractstaticmethod"):
            return "static"
        if name in ("classmethod", "abstractclassmethod"):
            return "class"
        if name in _PROPERTIES:
            return "property"
        if name in _PROPERTY_PARTS and isinstance(target, ast.Attribute):
            return "setter"
        if name == "overload":
            return "overload"
    return "plain"


def sole_call(node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.Call | None:
    """The call that the whole body returns, docstring aside, all arguments simple."""
    body = node.body
    if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:] if isinstance(body[0].value.value, str) else body
    if len(body) != 1 or not isinstance(body[0], ast.Return):
        return None
    call = body[0].value
    if not isinstance(call, ast.Call):
        return None
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    return call if all(_simple(value) for value in values) else None


def _simple(root: ast.expr) -> bool:
    """A name, attribute, constant, ``*name`` or a tuple or list of these."""
    todo = [root]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Starred | ast.Attribute):
            todo.append(node.value)
        elif isinstance(node, ast.Tuple | ast.List):
            todo.extend(node.elts)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant):
            continue
        elif not isinstance(node, ast.Name | ast.Constant):
            return False
    return True
