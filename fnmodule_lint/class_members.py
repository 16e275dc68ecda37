"""Bases, method resolution order, kinds and attributes of classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from fnmodule_lint import known
from fnmodule_lint.facts import Binding, live_bindings
from fnmodule_lint.settings import Settings
from fnmodule_lint.values import NOTHING, Value, Values, function, instance

if TYPE_CHECKING:
    from fnmodule_lint.world import World


def bases(world: World, cls: Value) -> tuple[Value, ...]:
    """The classes that ``cls`` derives from; a conditional base counts as each arm."""
    facts = world.files[cls[1]]
    found: list[Value] = []
    for base in facts.classes[cls[2]].bases:
        values = [v for v in world.expr(cls[1], base, None) if v[0] in ("cls", "ext") and v != cls]
        found.extend(sorted(values, key=lambda value: (value[0], str(value[1]), value[2:])))
    return tuple(dict.fromkeys(found))


def linearise(world: World, cls: Value) -> tuple[Value, ...]:
    """The C3 order of ``cls``; depth first where C3 has no answer."""
    direct = world.get(("bases", cls))
    lines = [list(world.mro(base)) if base[0] == "cls" else [base] for base in direct]
    merged = _merge([*lines, list(direct)])
    if merged is None:
        merged = list(dict.fromkeys(item for line in lines for item in line))
    return (cls, *(item for item in merged if item != cls))


def _merge(lines: list[list[Value]]) -> list[Value] | None:
    merged: list[Value] = []
    lines = [line for line in lines if line]
    while lines:
        tails = {item for line in lines for item in line[1:]}
        head = next((line[0] for line in lines if line[0] not in tails), None)
        if head is None:
            return None
        merged.append(head)
        lines = [rest for line in lines if (rest := [item for item in line if item != head])]
    return merged


def kinds(world: World, cls: Value) -> frozenset[str]:
    """What ``cls`` is: any of "function", "module", "shell", "visible"."""
    found = {kind for kind, roots in world.roots.items() if cls in roots}
    if cls[0] == "ext":
        if known.is_module_base(cls[1]):
            found.add("module")
    else:
        found.update(*(world.get(("kind", base)) for base in world.get(("bases", cls))))
    if "shell" in found:
        found.add("module")
    return frozenset(found)


def root_names(settings: Settings) -> dict[str, set[str]]:
    """The dotted names of the classes from which a kind is inherited, by kind."""
    return {
        "shell": {*settings.function_module, *known.HYPERPARALLEL_FUNCTION_MODULES},
        "function": {
            *known.FUNCTION_BASES,
            *known.HYPERPARALLEL_FUNCTION_BASES,
            *settings.function_bases,
        },
        "module": {*settings.module_bases, "torch.nn.Module"},
        "visible": {*settings.visible_bases},
    }


def class_bindings(world: World, order: Iterable[Value], name: str) -> tuple[Value, list[Binding]]:
    """The first class of ``order`` whose body binds ``name``, and the bindings.

    (("ext", ""), []) when none does.
    """
    for cls in order:
        if cls[0] != "cls":
            continue
        facts = world.files[cls[1]]
        scope = facts.scopes[facts.classes[cls[2]].scope]
        found = scope.bindings.get(name)
        if found:
            return cls, live_bindings(found, None)
    return ("ext", ""), []


def attribute(world: World, base: Value, name: str) -> Values:
    """The values of ``base.name`` for a class, an instance or ``super()``."""
    kind, cls = base[0], base[1]
    if kind == "cls":
        return _attribute_of(world, base, base, name, on_instance=False)
    if kind == "inst":
        if name == "__class__":
            return frozenset({cls})
        if cls[0] != "cls":
            return NOTHING
        return _attribute_of(world, cls, cls, name, on_instance=True) | _stored(world, cls, name)
    order = world.mro(base[2])
    after = order[order.index(cls) + 1 :] if cls in order else world.mro(cls)[1:]
    return _looked_up(world, after, base[2], name, on_instance=base[3])


def _attribute_of(
    world: World, cls: Value, receiver: Value, name: str, *, on_instance: bool
) -> Values:
    if name == "apply" and world.is_function(cls):
        return frozenset({("apply", cls)})
    return _looked_up(world, world.mro(cls), receiver, name, on_instance=on_instance)


def _looked_up(
    world: World, order: Iterable[Value], receiver: Value, name: str, *, on_instance: bool
) -> Values:
    owner, bindings = class_bindings(world, order, name)
    found: set[Value] = set()
    for binding in bindings:
        if binding.kind == "def":
            values = world.get(("def", owner[1], binding.value, receiver))
            found.update(_bound(world, values, owner, binding.value, receiver, on_instance))
        else:
            for value in world.binding_values(owner[1], binding, None):
                found.add(_own_method(world, value, owner, receiver, on_instance))
    return frozenset(found)


def _own_method(
    world: World, value: Value, owner: Value, receiver: Value, on_instance: bool
) -> Value:
    """A method that the class body gives a second name (``forward = _impl``), or ``value``."""
    if value[0] != "fn" or value[1] != owner[1] or value[3] is not None:
        return value
    fact = world.function(value)
    if fact.class_index != owner[2] or fact.kind != "plain":
        return value
    return function(value[1], value[2], receiver, on_instance)


def _bound(
    world: World, values: Values, owner: Value, index: int, receiver: Value, on_instance: bool
) -> Iterator[Value]:
    kind = world.files[owner[1]].functions[index].kind
    if kind == "property" and on_instance:
        yield from world.returned(function(owner[1], index, receiver))
        return
    bound = kind == "class" or (kind == "plain" and on_instance)
    for value in values:
        if value[0] == "fn" and value[1:3] == (owner[1], index):
            yield function(owner[1], index, receiver, bound)
        else:
            yield value


def _stored(world: World, cls: Value, name: str) -> Values:
    """What methods of the class or its bases assign to ``self.name``."""
    parts: list[Values] = []
    for item in world.mro(cls):
        if item[0] == "cls":
            stores = world.files[item[1]].classes[item[2]].stores.get(name, ())
            parts.extend(world.expr(item[1], value, cls) for value, _ in stores)
    return world.union(parts)


def property_functions(world: World, base: Value, name: str) -> Iterator[Value]:
    """The functions behind ``base.name`` where that is a property."""
    if base[0] == "inst" and base[1][0] == "cls":
        order, receiver = world.mro(base[1]), base[1]
    elif base[0] == "super":
        full = world.mro(base[2])
        order, receiver = full[full.index(base[1]) + 1 :] if base[1] in full else (), base[2]
    else:
        return
    owner, bindings = class_bindings(world, order, name)
    for binding in bindings:
        if binding.kind == "def":
            if world.files[owner[1]].functions[binding.value].kind == "property":
                yield function(owner[1], binding.value, receiver)


def decorated(world: World, file: int, index: int, receiver: Value | None) -> Values:
    """A function and what its project decorators put in its place."""
    fact = world.files[file].functions[index]
    found: set[Value] = {function(file, index, receiver)}
    for decorator in fact.decorators:
        for value in world.expr(file, decorator, receiver):
            if value[0] == "fn":
                found |= {item for item in world.returned(value) if item[0] in ("fn", "made")}
            elif value[0] == "cls" and not world.is_module(value) and not world.is_function(value):
                found.add(instance(value))
    return frozenset(found)
