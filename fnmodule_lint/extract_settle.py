"""What of a file's facts can be told only after its last statement."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from fnmodule_lint.facts import ALWAYS_LAST, CLASS, FUNCTION, FileFacts, Scope


class Store(NamedTuple):
    """``base.attribute = value``, by code in ``scope``."""

    base: int
    attribute: str
    value: int
    scope: int


class Collected(NamedTuple):
    """``value`` (with ``many``: its elements) put into the collection ``base``."""

    base: int
    many: bool
    value: int


def settle(facts: FileFacts, stores: Iterable[Store], collected: Iterable[Collected]) -> None:
    """Complete ``facts``: scoping statements, what ``self`` keeps, collections, sole returns."""
    for where in facts.scopes:
        _hand_over(facts, where)
    for store in stores:
        target = _self_class(facts, store.base)
        if target >= 0:
            kept = facts.classes[target].stores.setdefault(store.attribute, [])
            kept.append((store.value, facts.scopes[store.scope].function))
    for item in collected:
        _collect(facts, *item)
    for fact in facts.functions:
        if fact.sole_return == -2:
            fact.sole_return = fact.returns[0] if len(fact.returns) == 1 else -1
        if fact.sole_return >= 0 and facts.exprs[fact.sole_return][0] != "C":
            fact.sole_return = -1


def _hand_over(facts: FileFacts, scope: Scope) -> None:
    """Move what ``global`` and ``nonlocal`` names are bound to where they live."""
    for name in sorted(scope.global_names & scope.bindings.keys()):
        moved = scope.bindings.pop(name)
        target = facts.scopes[0].bindings.setdefault(name, [])
        target.extend(b._replace(order=ALWAYS_LAST, straight=False) for b in moved)
    for name in sorted(scope.nonlocal_names & scope.bindings.keys()):
        index = scope.parent
        while index > 0 and not _binds_locally(facts, index, name):
            index = facts.scopes[index].parent
        if index > 0:
            moved = scope.bindings.pop(name)
            facts.scopes[index].bindings[name].extend(moved)


def _binds_locally(facts: FileFacts, index: int, name: str) -> bool:
    scope = facts.scopes[index]
    return scope.kind == FUNCTION and name in scope.bindings and name not in scope.nonlocal_names


def _collect(facts: FileFacts, base: int, many: bool, value: int) -> None:
    expr = facts.exprs[base]
    if expr[0] == "N":
        scope = _binding_scope(facts, expr[1], expr[2])
        facts.scopes[scope].elements.setdefault(expr[2], []).append((many, value))
    elif expr[0] == "A":
        target = _self_class(facts, expr[1])
        if target >= 0:
            elements = facts.classes[target].elements
            elements.setdefault(expr[2], []).append((many, value))


def _binding_scope(facts: FileFacts, scope: int, name: str) -> int:
    index = scope
    while index > 0:
        where = facts.scopes[index]
        if name in where.global_names:
            return 0
        if name in where.bindings and (where.kind != CLASS or index == scope):
            return index
        index = where.parent
    return 0


def _self_class(facts: FileFacts, base: int) -> int:
    """The class whose ``self`` (or ``cls``) the expression is, -1 for none."""
    expr = facts.exprs[base]
    if expr[0] != "N":
        return -1
    scope = facts.scopes[_binding_scope(facts, expr[1], expr[2])]
    if scope.kind != FUNCTION:
        return -1
    fact = facts.functions[scope.function]
    if fact.class_index < 0 or fact.kind == "static" or not fact.parameters:
        return -1
    return fact.class_index if fact.parameters[0].name == expr[2] else -1
