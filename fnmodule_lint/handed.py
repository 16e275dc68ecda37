"""Values of parameters: ``self``, defaults, and what constructors are handed.

A constructor parameter has its default and every value that the project's files hand to
it, through ``super().__init__`` in a subclass or where the class is constructed. What is
handed to a plain function stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fnmodule_lint.values import NOTHING, Value, Values, instance, project_class

if TYPE_CHECKING:
    from fnmodule_lint.world import World

_Site = tuple[int, int, int]
_OWN_NAMES = frozenset({"cls", "__class__"})
Selector = int | str
"""An argument: by position (``self`` not counted) or by keyword."""


class ConstructionIndex:
    """Where classes are constructed and which classes derive from which."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._calls: dict[str, list[_Site]] | None = None
        self._aliases: dict[str, set[str]] = {}
        self._subclasses: dict[Value, list[Value]] = {}
        self._own_calls: dict[Value, list[_Site]] = {}
        self._in_class: dict[Value, list[_Site]] = {}

    def ready(self) -> None:
        """Build the index; the world's files must all be there."""
        world = self._world
        for cls in world.classes():
            for item in world.mro(cls):
                if item[0] == "cls":
                    self._subclasses.setdefault(item, []).append(cls)
        self._calls = {}
        for file in range(len(world.files)):
            self._index_calls(file, self._calls)
            self._index_aliases(file)

    def subclasses(self, cls: Value) -> list[Value]:
        """``cls`` and every class that derives from it."""
        return self._subclasses.get(cls, [cls])

    def constructions(self, cls: Value) -> Iterator[_Site]:
        """Calls (file, call, arguments to skip) that may construct ``cls``, by name."""
        if self._calls is None:
            return
        name = self._world.class_name(cls)
        names, todo = {name}, [name]
        while todo:
            for alias in self._aliases.get(todo.pop(), ()):
                if alias not in names:
                    names.add(alias)
                    todo.append(alias)
        for item in sorted(names - _OWN_NAMES):
            yield from self._calls.get(item, ())

    def own_constructions(self, cls: Value) -> Iterator[_Site]:
        """Calls of ``cls(...)`` or ``self.__class__(...)`` in the class's own methods."""
        yield from self._own_calls.get(cls, ())

    def constructor_calls(self, cls: Value) -> list[_Site]:
        """Calls of some ``__init__`` inside the class's own methods."""
        return self._in_class.get(cls, [])

    def _index_calls(self, file: int, calls: dict[str, list[_Site]]) -> None:
        world, facts = self._world, self._world.files[file]
        for call, scope in facts.calls:
            _, func, args, _ = facts.exprs[call]
            name = _last_name(facts.exprs[func])
            if name == "__init__":
                owner = world.own_class(file, world.method_of(file, scope))
                if owner is not None:
                    self._in_class.setdefault(owner, []).append((file, call, 0))
            elif name in ("partial", "partialmethod") and args:
                inner = _last_name(facts.exprs[args[0][1]])
                calls.setdefault(inner, []).append((file, call, 1))
            elif name in _OWN_NAMES:
                owner = world.own_class(file, world.method_of(file, scope))
                if owner is not None:
                    self._own_calls.setdefault(owner, []).append((file, call, 0))
            elif name:
                calls.setdefault(name, []).append((file, call, 0))

    def _index_aliases(self, file: int) -> None:
        facts = self._world.files[file]
        for scope in facts.scopes:
            for alias, bindings in scope.bindings.items():
                for binding in bindings:
                    name = ""
                    if binding.kind == "import":
                        name = binding.value[2] or ""
                    elif binding.kind == "value":
                        name = _last_name(facts.exprs[binding.value])
                    if name and name != alias:
                        self._aliases.setdefault(name, set()).add(alias)


def _last_name(expr: tuple[object, ...]) -> str:
    return str(expr[2]) if expr[0] in ("N", "A") else ""


def parameter_values(
    world: World, file: int, index: int, position: int, receiver: Value | None
) -> Values:
    """The values of a parameter of a function evaluated for ``receiver``."""
    fact = world.files[file].functions[index]
    parameter = fact.parameters[position]
    if fact.class_index >= 0 and position == 0 and fact.kind != "static":
        cls = receiver or project_class(file, fact.class_index)
        return frozenset({cls if fact.kind == "class" else instance(cls)})
    if parameter.kind in ("vararg", "kwarg"):
        return NOTHING
    values = world.expr(file, parameter.default, receiver) if parameter.default > 0 else NOTHING
    if fact.class_index >= 0 and fact.name == "__init__":
        values |= world.get(("hand", file, index, parameter.name, receiver))
        if parameter.kind == "positional":
            values |= world.get(("hand", file, index, position - 1, receiver))
    return values


def handed_values(
    world: World, file: int, index: int, selector: Selector, receiver: Value | None
) -> Values:
    """What the project hands to the argument ``selector`` of a constructor."""
    owner = project_class(file, world.files[file].functions[index].class_index)
    cls = receiver or owner
    parts = []
    for site_file, call, skip in world.construction.constructions(cls):
        callee = world.files[site_file].exprs[call][2][0][1] if skip else None
        func = world.files[site_file].exprs[call][1] if callee is None else callee
        scope = world.call_scope(site_file, call)
        if not _names_class(world, site_file, func, scope, cls):
            continue
        for context in contexts(world, site_file, scope):
            if cls in world.expr(site_file, func, context):
                parts.append(argument(world, site_file, call, selector, skip, context))
    for item in world.mro(cls):
        for site_file, call, _ in world.construction.own_constructions(item):
            if cls in world.expr(site_file, world.files[site_file].exprs[call][1], cls):
                parts.append(argument(world, site_file, call, selector, 0, cls))
    for item in world.mro(cls):
        if item == owner:
            break
        for site_file, call, _ in world.construction.constructor_calls(item):
            func = world.files[site_file].exprs[call][1]
            for value in world.expr(site_file, func, cls):
                if value[0] == "fn" and value[1:3] == (file, index):
                    skip = 0 if value[4] else 1
                    parts.append(argument(world, site_file, call, selector, skip, cls))
    return world.union(parts)


def _names_class(world: World, file: int, func: int, scope: int, cls: Value) -> bool:
    """Whether a callee can be the class, told by its own class's context alone.

    A plain name means the same whatever class the code around it runs for; asking for
    each of a base class's many subclasses would take quadratic time.
    """
    if world.files[file].exprs[func][0] != "N":
        return True
    owner = world.own_class(file, world.method_of(file, scope))
    return cls in world.expr(file, func, owner)


def contexts(world: World, file: int, scope: int) -> list[Value | None]:
    """The receivers that code in ``scope`` can run for."""
    owner = world.own_class(file, world.method_of(file, scope))
    if owner is None:
        return [None]
    return list(world.construction.subclasses(owner))


def argument(
    world: World, file: int, call: int, selector: Selector, skip: int, context: Value | None
) -> Values:
    """The values that a call hands to ``selector``, through ``*`` and ``**`` too."""
    _, _, args, keywords = world.files[file].exprs[call]
    parts = []
    if isinstance(selector, int):
        wanted = selector + skip
        for place, (starred, item) in enumerate(args):
            if starred:
                parts.append(_forwarded(world, file, item, wanted - place, context))
                break
            if place == wanted:
                return world.expr(file, item, context)
    else:
        for name, item in keywords:
            if name == selector:
                return world.expr(file, item, context)
            if name is None:
                parts.append(_spread(world, file, item, selector, context))
    return world.union(parts)


def _forwarded(world: World, file: int, item: int, offset: int, context: Value | None) -> Values:
    """Position ``offset`` of ``*args``, where that is the constructor's own parameter."""
    found = _own_parameter(world, file, item, "vararg")
    if found is None or offset < 0:
        return NOTHING
    fact = world.files[file].functions[found]
    declared = sum(parameter.kind == "positional" for parameter in fact.parameters) - 1
    return world.get(("hand", file, found, declared + offset, context))  # type: ignore[no-any-return]


def _spread(world: World, file: int, item: int, name: str, context: Value | None) -> Values:
    """The key ``name`` of ``**options``: the constructor's own parameter or a dict."""
    found = _own_parameter(world, file, item, "kwarg")
    if found is not None:
        return world.get(("hand", file, found, name, context))  # type: ignore[no-any-return]
    parts = []
    for value in world.expr(file, item, context):
        if value[0] == "seq":
            parts.append(_dict_value(world, value, name))
    return world.union(parts)


def _dict_value(world: World, value: Value, name: str) -> Values:
    _, file, index, receiver = value
    expr = world.files[file].exprs[index]
    if expr[0] == "D":
        items = [(key, item) for key, item in expr[1] if key >= 0]
        wanted = [item for key, item in items if world.files[file].exprs[key] == ("K", name)]
    elif expr[0] == "C":
        wanted = [item for key, item in expr[3] if key == name]
    else:
        wanted = []
    return world.union(world.expr(file, item, receiver) for item in wanted)


def _own_parameter(world: World, file: int, item: int, kind: str) -> int | None:
    """The ``__init__`` whose ``*`` or ``**`` parameter the expression is."""
    expr = world.files[file].exprs[item]
    if expr[0] != "N":
        return None
    scope, bindings = world.find(file, expr[1], expr[2])
    for binding in bindings if scope >= 0 else ():
        if binding.kind == "param":
            fact = world.files[file].functions[binding.value[0]]
            if fact.name == "__init__" and fact.parameters[binding.value[1]].kind == kind:
                return int(binding.value[0])
    return None
