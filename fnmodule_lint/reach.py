"""What a call runs into: which functions reach an ``apply``, and by which steps."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fnmodule_lint import known
from fnmodule_lint.findings import Step
from fnmodule_lint.values import Value, Values, function
from fnmodule_lint.world import World

_FUNCTION_PROTOCOL = frozenset(
    {"forward", "backward", "setup_context", "jvp", "vjp", "vmap", "symbolic", "save_for_backward"}
)


class Edge(NamedTuple):
    """A place in a function (an expression) that runs ``target``.

    ``target`` is an "apply", "made" or "fn" value, or an "ext" named in the settings.
    ``handed`` says that the target is an argument there, not the callee.
    """

    place: int
    target: Value
    handed: bool


def prepare(world: World) -> None:
    """Let the world answer ``("reach", function)``."""
    world.define("reach", edges)


def edges(world: World, subject: Value) -> frozenset[Edge]:
    """The edges of a function that end in an ``apply``, by one step or many."""
    fact = world.function(subject)
    found: list[Edge] = []
    for call in fact.calls:
        found.extend(call_edges(world, subject[1], call, subject[3]))
    return frozenset(found)


def call_edges(world: World, file: int, call: int, receiver: Value | None) -> Iterator[Edge]:
    """What one call runs, as callee or as an argument handed on."""
    _, func, args, keywords = world.files[file].exprs[call]
    callees = world.expr(file, func, receiver)
    for target in targets(world, callees):
        yield Edge(call, target, False)
    if takes_without_calling(world, file, func, callees):
        return
    for item in [item for _, item in args] + [item for _, item in keywords]:
        for value in world.expr(file, item, receiver):
            if value[0] in ("apply", "made", "fn"):
                for target in targets(world, [value]):
                    yield Edge(item, target, True)


def takes_without_calling(world: World, file: int, func: int, callees: Values) -> bool:
    """Whether the callee only keeps or inspects the functions that it is given."""
    if any(value[0] == "ext" and value[1] in known.WITHOUT_CALLING for value in callees):
        return True
    expr = world.files[file].exprs[func]
    return expr[0] == "A" and expr[2] in known.COLLECTING_METHODS and not callees


def targets(world: World, callees: Iterable[Value]) -> Iterator[Value]:
    """The values among ``callees`` whose call ends in an ``apply``."""
    for value in callees:
        kind = value[0]
        if kind in ("apply", "made"):
            if not world.is_visible(value[1]) and not is_excluded(world, value[1]):
                yield value
        elif kind == "fn":
            yield from _reaching(world, value)
        elif kind == "ext":
            if value[1] in world.settings.reaching_functions:
                yield value
        elif kind == "cls" and _is_plain(world, value):
            yield from _reaching_methods(world, value, "__init__")
        elif kind == "inst" and value[1][0] == "cls" and _is_plain(world, value[1]):
            yield from _reaching_methods(world, value, "__call__")


def _is_plain(world: World, cls: Value) -> bool:
    return not world.is_module(cls) and not world.is_function(cls)


def _reaching_methods(world: World, base: Value, name: str) -> Iterator[Value]:
    for value in world.get(("attr", base, name)):
        if value[0] == "fn":
            yield from _reaching(world, value)


def _reaching(world: World, value: Value) -> Iterator[Value]:
    if is_module_method(world, value) or _is_function_protocol(world, value):
        return
    if named_as_reaching(world, value):
        yield value
        return
    subject = function(value[1], value[2], value[3])
    if world.get(("reach", subject)):
        yield subject


def named_as_reaching(world: World, value: Value) -> bool:
    """Whether the setting ``reaching-functions`` names the project's function."""
    return any(
        item[0] == "fn" and item[1:3] == value[1:3]
        for dotted in world.settings.reaching_functions
        for item in world.named(dotted)
    )


def method_class(world: World, value: Value) -> Value | None:
    """The class that a method is evaluated for; None for what is no method itself."""
    fact = world.function(value)
    if fact.class_index < 0:
        return None
    return value[3] or world.own_class(value[1], value[2])


def is_module_method(world: World, value: Value) -> bool:
    """Whether the "fn" value is a method of a Module class."""
    cls = method_class(world, value)
    return cls is not None and world.is_module(cls)


def _is_function_protocol(world: World, value: Value) -> bool:
    cls = method_class(world, value)
    name = world.function(value).name
    return cls is not None and world.is_function(cls) and name in _FUNCTION_PROTOCOL


def is_excluded(world: World, cls: Value) -> bool:
    """Whether the setting ``exclude-classes`` names the class."""
    globs = world.settings.exclude_classes
    return bool(globs) and any(fnmatch.fnmatchcase(world.class_name(cls), glob) for glob in globs)


def apply_names(world: World, found: Iterable[Value]) -> set[str]:
    """The names of the Functions that any of ``found`` ends in."""
    ends = _ends(world, found)
    return {
        value[1]
        if value[0] == "ext"
        else world.function(value).name
        if value[0] == "fn"
        else world.class_name(value[1])
        for value in ends
    }


def apply_classes(world: World, found: Iterable[Value]) -> list[Value]:
    """The Function classes of the project that any of ``found`` ends in, in order."""
    return sorted({value[1] for value in _ends(world, found) if value[0] not in ("ext", "fn")})


def _ends(world: World, found: Iterable[Value]) -> set[Value]:
    """The last values on every way down: applies, instances, and names of the settings."""
    ends: set[Value] = set()
    seen: set[Value] = set()
    todo = list(found)
    while todo:
        value = todo.pop()
        if value in seen:
            continue
        seen.add(value)
        if value[0] != "fn":
            ends.add(value)
            continue
        if named_as_reaching(world, value):
            ends.add(value)
        todo.extend(edge.target for edge in world.get(("reach", value)))
    return ends


def chain(world: World, start: Iterable[Value]) -> tuple[Step, ...]:
    """The shortest way from one of ``start`` down to an ``apply``; ties by place."""
    level: list[tuple[Value, tuple[Step, ...]]] = [
        (value, ()) for value in sorted(start, key=lambda item: _place(world, item))
    ]
    seen: set[Value] = set()
    while level:
        following: list[tuple[Value, tuple[Step, ...]]] = []
        for value, before in level:
            if value in seen:
                continue
            seen.add(value)
            if value[0] != "fn":
                return (*before, *_last_steps(world, value))
            here = (*before, _step(world, value))
            ways = world.get(("reach", value))
            for edge in sorted(ways, key=lambda item: _edge_place(world, value, item)):
                if edge.target[0] == "apply":
                    return (*here, _apply_step(world, value[1], edge.place, edge.target[1]))
                following.append((edge.target, here))
            if not ways:
                return here
        level = following
    return ()


def _edge_place(world: World, value: Value, edge: Edge) -> tuple[object, ...]:
    return (
        edge.target[0] != "apply",
        world.files[value[1]].spans[edge.place],
        _place(world, edge.target),
    )


def _place(world: World, value: Value) -> tuple[object, ...]:
    if value[0] == "fn":
        fact = world.function(value)
        return (value[0], world.paths[value[1]], fact.line, fact.column, repr(value[3]))
    if value[0] == "ext":
        return (value[0], value[1], 0, 0, "")
    facts = world.files[value[1][1]].classes[value[1][2]]
    return (value[0], world.paths[value[1][1]], facts.line, facts.column, repr(value[2:]))


def _step(world: World, value: Value) -> Step:
    fact = world.function(value)
    return Step(world.paths[value[1]], fact.line, function_name(world, value[1], value[2]))


def _apply_step(world: World, file: int, place: int, cls: Value) -> Step:
    line = world.files[file].spans[place][0]
    return Step(world.paths[file], line, f"{world.class_name(cls)}.apply")


def _last_steps(world: World, value: Value) -> tuple[Step, ...]:
    if value[0] == "ext":
        return (Step("", 0, value[1]),)
    if value[0] == "apply":
        cls = value[1]
        line = world.files[cls[1]].classes[cls[2]].line
        return (Step(world.paths[cls[1]], line, f"{world.class_name(cls)}.apply"),)
    _, cls, file, index = value
    fact = world.files[file].functions[index]
    line = world.files[file].spans[fact.returns[0]][0] if fact.returns else fact.line
    return (
        Step(world.paths[file], fact.line, function_name(world, file, index)),
        Step(world.paths[file], line or fact.line, f"{world.class_name(cls)}.apply"),
    )


def function_name(world: World, file: int, index: int) -> str:
    """A function's name, with its class's before it."""
    facts = world.files[file]
    fact = facts.functions[index]
    if fact.class_index >= 0:
        return f"{facts.classes[fact.class_index].name}.{fact.name}"
    return fact.name
