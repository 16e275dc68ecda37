"""Where a dotted name comes from, by imports alone: quicker and coarser than the world."""

from __future__ import annotations

from fnmodule_lint.facts import Binding, Expr, Mention
from fnmodule_lint.imports import EXTERNAL
from fnmodule_lint.world import World

Origin = tuple[int, str]
"""A top-level name of a file."""


def origins(world: World, file: int, mention: Mention) -> set[Origin | str]:
    """The top-level names, or external dotted names, that the mention may mean.

    Follows imports, re-exports and star imports through the project's files.
    """
    return _Search(world).of(file, mention)


class _Search:
    def __init__(self, world: World) -> None:
        self._world = world
        self._seen: set[tuple[object, ...]] = set()
        self._found: set[Origin | str] = set()
        self._todo: list[tuple[str, tuple[str, ...]]] = []

    def of(self, file: int, mention: Mention) -> set[Origin | str]:
        first, rest = mention.chain[0], mention.chain[1:]
        scope, bindings = self._world.find(file, mention.scope, first)
        if scope < 0:
            self._stars(file, first, rest)
        for binding in bindings:
            self._binding(file, scope, first, binding, rest)
        while self._todo:
            path, chain = self._todo.pop()
            self._in_module(path, chain)
        return self._found

    def _binding(
        self, file: int, scope: int, name: str, binding: Binding, rest: tuple[str, ...]
    ) -> None:
        if binding.kind != "import":
            if scope == 0:
                self._found.add((file, name))
            if binding.kind == "value":
                self._alias(file, binding.value, rest)
            return
        module, level, imported, whole = binding.value
        if imported is None and not whole:
            module = module.partition(".")[0]
        chain = rest if imported is None else (imported, *rest)
        self._module(file, module, level, chain)

    def _alias(self, file: int, value: int, rest: tuple[str, ...]) -> None:
        """Follow ``name = other.name``; only a module or class can have a rest."""
        exprs = self._world.files[file].exprs
        module = _imported_by_name(exprs, value)
        if module:
            self._module(file, module, 0, rest)
            return
        parts: list[str] = []
        while exprs[value][0] == "A":
            parts.append(exprs[value][2])
            value = exprs[value][1]
        if exprs[value][0] != "N" or not rest:
            return
        _, scope, first = exprs[value]
        chain = (first, *reversed(parts), *rest)
        if (file, chain) in self._seen:
            return
        self._seen.add((file, chain))
        where, bindings = self._world.find(file, scope, first)
        for binding in bindings:
            self._binding(file, where, first, binding, chain[1:])

    def _module(self, file: int, module: str, level: int, chain: tuple[str, ...]) -> None:
        target = self._world.module(file, module, level)
        if target == EXTERNAL:
            dotted = ".".join((module, *chain))
            self._found.add(dotted)
            for extra in range(1, len(chain)):
                self._found.add(".".join((module, *chain[:-extra])))
        elif target is not None:
            self._push(target, chain)

    def _push(self, path: str, chain: tuple[str, ...]) -> None:
        if chain and (path, chain) not in self._seen:
            self._seen.add((path, chain))
            self._todo.append((path, chain))

    def _in_module(self, path: str, chain: tuple[str, ...]) -> None:
        name, rest = chain[0], chain[1:]
        file = self._world.load(path)
        bindings = (
            self._world.files[file].scopes[0].bindings.get(name) if file is not None else None
        )
        if file is not None:
            if bindings is None:
                self._stars(file, name, rest)
            for binding in bindings or ():
                self._binding(file, 0, name, binding, rest)
        submodule = self._world.submodule(path, name)
        if submodule is not None:
            self._push(submodule, rest)

    def _stars(self, file: int, name: str, rest: tuple[str, ...]) -> None:
        for scope in self._world.files[file].scopes:
            for star in scope.stars:
                self._module(file, star.module, star.level, (name, *rest))


def _imported_by_name(exprs: list[Expr], index: int) -> str:
    """The module that ``importlib.import_module("name")`` or its like gives, or ""."""
    expr = exprs[index]
    if expr[0] != "C" or not expr[2]:
        return ""
    func, argument = exprs[expr[1]], exprs[expr[2][0][1]]
    named = func[0] in ("N", "A") and func[2] in ("import_module", "importorskip")
    return str(argument[1]) if named and argument[0] == "K" else ""
