"""Whether a class's code depends on what its children are: one more would change what it does."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import TypeGuard

_LISTINGS = frozenset({"children", "named_children", "_modules"})
_LOOKUPS = frozenset({"get", "pop", "__contains__", "__getitem__"})


def goes_through_children(cls: ast.ClassDef) -> bool:
    """Whether a method looks at all children of ``self``, a new one among them.

    Looking up one name is none of that, and neither is a loop that passes over what is no
    instance of some other class.
    """
    return any(_method_does(item) for item in cls.body if isinstance(item, ast.FunctionDef))


def _method_does(method: ast.FunctionDef) -> bool:
    if not method.args.args:
        return False
    own = method.args.args[0].arg
    harmless = {id(node) for node in _harmless(method)}
    return any(
        isinstance(node, ast.Attribute)
        and node.attr in _LISTINGS
        and isinstance(node.value, ast.Name)
        and node.value.id == own
        and id(node) not in harmless
        for node in ast.walk(method)
    )


def _harmless(method: ast.FunctionDef) -> Iterator[ast.expr]:
    for node in ast.walk(method):
        if isinstance(node, ast.Compare):
            if all(isinstance(operator, ast.In | ast.NotIn) for operator in node.ops):
                yield from node.comparators
        elif _looks_up_one(node):
            yield node.value
        elif isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
            child = node.target.elts[-1] if isinstance(node.target, ast.Tuple) else node.target
            passes_over = isinstance(child, ast.Name) and not node.orelse
            if passes_over and all(_is_guarded(item, child) for item in node.body):
                yield node.iter.func


def _looks_up_one(node: ast.AST) -> TypeGuard[ast.Subscript | ast.Attribute]:
    if isinstance(node, ast.Attribute):
        return node.attr in _LOOKUPS
    return isinstance(node, ast.Subscript)


def _is_guarded(statement: ast.stmt, child: ast.expr) -> bool:
    """Whether the statement is ``if isinstance(child, SomeClass)``, with more such after it."""
    if not isinstance(statement, ast.If) or not isinstance(child, ast.Name):
        return False
    test = statement.test
    if not (isinstance(test, ast.Call) and isinstance(test.func, ast.Name)):
        return False
    if test.func.id != "isinstance" or len(test.args) != 2:
        return False
    first, classes = test.args
    if not (isinstance(first, ast.Name) and first.id == child.id):
        return False
    wanted = classes.elts if isinstance(classes, ast.Tuple) else [classes]
    return all(map(_is_narrow, wanted)) and all(_is_guarded(x, child) for x in statement.orelse)


def _is_narrow(cls: ast.expr) -> bool:
    """Whether the class has a name by which a FunctionModule is none of its instances."""
    name = cls.attr if isinstance(cls, ast.Attribute) else getattr(cls, "id", "Module")
    return name not in ("Module", "FunctionModule")
