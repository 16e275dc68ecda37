"""Elements of lists, tuples, dicts, comprehensions and torch's module containers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fnmodule_lint.values import NOTHING, Value, Values

if TYPE_CHECKING:
    from fnmodule_lint.world import World

_ONE_OF = frozenset({"get", "pop", "setdefault", "popitem"})
_SAME = frozenset({"values", "copy", "items", "children"})


def elements(world: World, file: int, index: int, receiver: Value | None) -> Values:
    """What iterating over the expression gives."""
    return world.get(("elements", file, index, receiver))  # type: ignore[no-any-return]


def compute_elements(world: World, file: int, index: int, receiver: Value | None) -> Values:
    """The value of the cell behind :func:`elements`."""
    parts = [_all_items(world, value) for value in world.expr(file, index, receiver)]
    return world.union([*parts, _collected(world, file, index, receiver)])


def _all_items(world: World, value: Value) -> Values:
    if value[0] == "inst" and value[1][0] == "ext" and value[2] is not None:
        return _contained(world, value[2])
    if value[0] != "seq":
        return NOTHING
    _, file, index, receiver = value
    expr = world.files[file].exprs[index]
    if expr[0] == "G":
        return world.expr(file, expr[1], receiver)
    if expr[0] == "L":
        return _listed(world, file, expr[1], receiver)
    if expr[0] == "D":
        return world.union(
            world.expr(file, item, receiver) if key >= 0 else elements(world, file, item, receiver)
            for key, item in expr[1]
        )
    if expr[0] == "C":
        return _contained(world, (file, index, receiver))
    return NOTHING


def _listed(
    world: World, file: int, items: Iterable[tuple[bool, int]], receiver: Value | None
) -> Values:
    return world.union(
        elements(world, file, item, receiver) if starred else world.expr(file, item, receiver)
        for starred, item in items
    )


def _contained(world: World, origin: Value) -> Values:
    """What ``ModuleList([...])``, ``Sequential(...)`` or ``dict(...)`` was made of."""
    file, call, receiver = origin
    _, _, args, keywords = world.files[file].exprs[call]
    parts = []
    for starred, item in args:
        values = elements(world, file, item, receiver)
        if not starred and not values:
            values = world.expr(file, item, receiver)
        parts.append(values)
    parts.extend(world.expr(file, item, receiver) for name, item in keywords if name)
    return world.union(parts)


def _collected(world: World, file: int, index: int, receiver: Value | None) -> Values:
    """What ``append``, ``update`` or item assignment put into the named collection."""
    expr = world.files[file].exprs[index]
    if expr[0] == "N":
        scope, _ = world.find(file, expr[1], expr[2])
        if scope < 0:
            return NOTHING
        stores = world.files[file].scopes[scope].elements.get(expr[2], ())
        return _stored_items(world, file, stores, receiver)
    if expr[0] != "A":
        return NOTHING
    parts = []
    for base in world.expr(file, expr[1], receiver):
        if base[0] in ("inst", "cls"):
            cls = base[1] if base[0] == "inst" else base
            for item in world.mro(cls) if cls[0] == "cls" else ():
                if item[0] == "cls":
                    found = world.files[item[1]].classes[item[2]].elements.get(expr[2], ())
                    parts.append(_stored_items(world, item[1], found, cls))
        elif base[0] == "mod":
            loaded = world.load(base[1])
            if loaded is not None:
                found = world.files[loaded].scopes[0].elements.get(expr[2], ())
                parts.append(_stored_items(world, loaded, found, None))
    return world.union(parts)


def _stored_items(
    world: World, file: int, stores: Iterable[tuple[bool, int]], receiver: Value | None
) -> Values:
    return world.union(
        elements(world, file, value, receiver) if many else world.expr(file, value, receiver)
        for many, value in stores
    )


def unpacked(world: World, file: int, index: int, position: int, receiver: Value | None) -> Values:
    """The item at ``position`` (-1: any) of what the expression gives when unpacked."""
    expr = world.files[file].exprs[index]
    if expr[0] == "E":
        paired = _paired(world, file, expr[1], position, receiver)
        if paired is not None:
            return paired
    values = world.expr(file, index, receiver)
    return world.union(_item(world, value, position) for value in values)


def _paired(
    world: World, file: int, index: int, position: int, receiver: Value | None
) -> Values | None:
    """The item of a pair that ``items``, ``enumerate`` or ``zip`` yields; None for others."""
    expr = world.files[file].exprs[index]
    if expr[0] != "C":
        return None
    callee, args = world.files[file].exprs[expr[1]], expr[2]
    if callee[0] == "A" and callee[2] in ("items", "named_children"):
        return elements(world, file, callee[1], receiver) if position == 1 else NOTHING
    if callee[0] == "N" and callee[2] == "enumerate" and args:
        return elements(world, file, args[0][1], receiver) if position == 1 else NOTHING
    if callee[0] == "N" and callee[2] == "zip" and 0 <= position < len(args):
        return elements(world, file, args[position][1], receiver)
    return None


def _item(world: World, value: Value, position: int) -> Values:
    if value[0] == "seq" and position >= 0:
        _, file, index, receiver = value
        expr = world.files[file].exprs[index]
        if expr[0] == "L":
            plain = not any(starred for starred, _ in expr[1][: position + 1])
            if plain and position < len(expr[1]):
                return world.expr(file, expr[1][position][1], receiver)
    return _all_items(world, value)


def subscripted(world: World, file: int, index: int, receiver: Value | None) -> Values:
    """The values of ``base[key]``; a subscripted class is itself (``Module[Tensor]``)."""
    _, base, key = world.files[file].exprs[index]
    key_expr = world.files[file].exprs[key]
    found: set[Value] = set()
    for value in world.expr(file, base, receiver):
        if value[0] in ("cls", "ext"):
            found.add(value)
        elif key_expr[0] == "K":
            found |= _keyed(world, value, key_expr[1])
        else:
            found |= _all_items(world, value)
    return frozenset(found) | _collected(world, file, base, receiver)


def _keyed(world: World, value: Value, key: object) -> Values:
    if value[0] == "seq" and isinstance(key, int):
        return _item(world, value, key)
    if value[0] == "seq":
        _, file, index, receiver = value
        expr = world.files[file].exprs[index]
        if expr[0] == "D":
            for name, item in expr[1]:
                if name >= 0 and world.files[file].exprs[name] == ("K", key):
                    return world.expr(file, item, receiver)
    return _all_items(world, value)


def joined(world: World, file: int, index: int, receiver: Value | None) -> Values:
    """Concatenated lists: either of them."""
    found: set[Value] = set()
    for part in world.files[file].exprs[index][1]:
        found.update(v for v in world.expr(file, part, receiver) if v[0] == "seq")
    return frozenset(found)


def method_result(world: World, file: int, index: int, receiver: Value | None) -> Values:
    """What a method of a collection gives: ``table.get(key)``, ``table.values()``."""
    _, func, args, _ = world.files[file].exprs[index]
    callee = world.files[file].exprs[func]
    if callee[0] != "A":
        return NOTHING
    if callee[2] in _ONE_OF:
        default = [world.expr(file, item, receiver) for _, item in args[1:]]
        return world.union([elements(world, file, callee[1], receiver), *default])
    if callee[2] in _SAME:
        return frozenset(v for v in world.expr(file, callee[1], receiver) if v[0] == "seq")
    return NOTHING
