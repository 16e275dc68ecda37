"""What calls of names outside of the project give, where that is known."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fnmodule_lint import containers, known
from fnmodule_lint.values import NOTHING, Value, Values, external, instance

if TYPE_CHECKING:
    from fnmodule_lint.world import World


def result(world: World, dotted: str, file: int, call: int, receiver: Value | None) -> Values:
    """The values of the call expression ``call``, whose callee is the external ``dotted``."""
    args = world.files[file].exprs[call][2]
    first = args[0][1] if args and not args[0][0] else 0
    if dotted in known.KEEPS_FIRST:
        return world.expr(file, first, receiver)
    if dotted == "builtins.super":
        return _super(world, file, call, receiver)
    if dotted == "builtins.getattr" and len(args) >= 2:
        return _getattr(world, file, call, receiver)
    if dotted == "builtins.type" and len(args) == 1:
        return frozenset(v[1] for v in world.expr(file, first, receiver) if v[0] == "inst")
    if dotted in known.IMPORTS_BY_NAME and args:
        return _imported_by_name(world, file, first, receiver)
    if dotted == "builtins.next":
        return containers.elements(world, file, first, receiver)
    if dotted == "builtins.dict":
        return frozenset({("seq", file, call, receiver)})
    if dotted == "typing.cast" and len(args) == 2:
        return world.expr(file, args[1][1], receiver)
    if dotted.endswith("with_metaclass"):
        return world.union(world.expr(file, item, receiver) for _, item in args[1:])
    last = dotted.rpartition(".")[2]
    if last.lstrip("_")[:1].isupper():
        return frozenset({instance(external(dotted), (file, call, receiver))})
    return NOTHING


def _getattr(world: World, file: int, call: int, receiver: Value | None) -> Values:
    args = world.files[file].exprs[call][2]
    parts = [world.expr(file, item, receiver) for _, item in args[2:3]]
    base = world.expr(file, args[0][1], receiver)
    for value in world.expr(file, args[1][1], receiver):
        if value[0] == "str":
            parts.append(world.attribute_values(base, value[1]))
    return world.union(parts)


def _imported_by_name(world: World, file: int, name: int, receiver: Value | None) -> Values:
    found = set()
    for value in world.expr(file, name, receiver):
        if value[0] == "str" and not value[1].startswith("."):
            module = world.module(file, value[1], 0)
            if module is not None:
                found.add(("mod", module) if module else external(value[1]))
    return frozenset(found)


def _super(world: World, file: int, call: int, receiver: Value | None) -> Values:
    scope = world.call_scope(file, call)
    method = world.method_of(file, scope)
    owner = world.own_class(file, method)
    if owner is None:
        return NOTHING
    args = world.files[file].exprs[call][2]
    named = world.expr(file, args[0][1], receiver) if args else frozenset({owner})
    on_instance = world.files[file].functions[method].kind not in ("static", "class")
    return frozenset(
        ("super", cls, receiver or owner, on_instance) for cls in named if cls[0] == "cls"
    )
