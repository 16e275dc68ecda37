"""Which methods a Module's forward reaches.

A unit of reach is a method, or a function written inside one, together with the class
that it runs for: ``self.m`` in an inherited method means that class's ``m``.
"""

from __future__ import annotations

from collections.abc import Iterable

from fnmodule_lint import class_members, reach
from fnmodule_lint.values import Value, function, instance
from fnmodule_lint.world import World

_ROOTS = ("forward", "__call__")


def forward_reachable(world: World, entries: set[tuple[str, str]]) -> set[Value]:
    """The "fn" values (unbound, with receiver) that some Module's forward reaches.

    Only Module classes in the definitions of ``entries`` (path, top-level name) are
    looked at.
    """
    search = _Search(world)
    for cls in world.classes():
        owner = world.files[cls[1]].classes[cls[2]].owner
        if (world.paths[cls[1]], owner) not in entries:
            continue
        if (
            world.is_module(cls)
            and not world.is_function(cls)
            and not reach.is_excluded(world, cls)
        ):
            for name in (*_ROOTS, *world.settings.entry_methods):
                search.use(world.get(("attr", instance(cls), name)), cls)
    search.run()
    return search.reached


class _Search:
    def __init__(self, world: World) -> None:
        self._world = world
        self._todo: list[Value] = []
        self._inner: dict[tuple[Value | None, int, int], set[Value]] = {}
        self.reached: set[Value] = set()

    def use(self, values: Iterable[Value], receiver: Value | None) -> None:
        for value in values:
            if value[0] == "fn":
                self._use_function(value, receiver)

    def _use_function(self, value: Value, receiver: Value | None) -> None:
        world = self._world
        _, file, index, own, bound = value
        fact = world.files[file].functions[index]
        if fact.class_index >= 0:
            if not reach.is_module_method(world, value):
                return
            if not bound and own and receiver and receiver != own and own in world.mro(receiver):
                own = receiver
            self._add(function(file, index, own or world.own_class(file, index)))
        elif fact.method >= 0:
            cls = own or world.own_class(file, fact.method)
            if cls is not None and world.is_module(cls):
                self._add_inner(function(file, index, cls), function(file, fact.method, cls))

    def _add_inner(self, inner: Value, method: Value) -> None:
        """A function written inside a method is reached only if the method is."""
        if method in self.reached:
            self._add(inner)
        else:
            self._inner.setdefault(method, set()).add(inner)

    def _add(self, unit: Value) -> None:
        if unit not in self.reached:
            self.reached.add(unit)
            self._todo.append(unit)
            for inner in sorted(self._inner.pop(unit, ()), key=repr):
                self._add(inner)

    def run(self) -> None:
        while self._todo:
            unit = self._todo.pop()
            _, file, index, receiver, _ = unit
            fact = self._world.files[file].functions[index]
            for load in fact.loads:
                self._load(file, load, receiver)
            for call in fact.calls:
                func = self._world.files[file].exprs[call][1]
                self.use(self._world.expr(file, func, receiver), receiver)

    def _load(self, file: int, load: int, receiver: Value | None) -> None:
        world = self._world
        expr = world.files[file].exprs[load]
        if expr[0] == "N" and not self._may_be_inner(file, expr):
            return
        self.use(world.expr(file, load, receiver), receiver)
        if expr[0] == "A":
            for base in world.expr(file, expr[1], receiver):
                if base[0] in ("inst", "super"):
                    self.use(class_members.property_functions(world, base, expr[2]), receiver)

    def _may_be_inner(self, file: int, expr: tuple[object, ...]) -> bool:
        """Whether a name is bound in a function, so that it can be an inner function."""
        scope, bindings = self._world.find(file, expr[1], expr[2])  # type: ignore[arg-type]
        return scope > 0 and any(binding.kind in ("def", "value") for binding in bindings)
