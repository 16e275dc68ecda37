"""Names across files and the values that expressions can have.

Flow-insensitive: a name has every value that it is ever bound to. A method is evaluated
for a *receiver*, the class that it is looked up on, so that ``self.m`` means that class's
``m``. Every question is a cell of one :class:`~fnmodule_lint.solver.Solver`.
"""

from __future__ import annotations

import builtins
import sys
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fnmodule_lint import class_members, containers, external_calls, handed, known
from fnmodule_lint.facts import (
    CLASS,
    FUNCTION,
    Binding,
    FileFacts,
    Function,
    live_bindings,
    order_of,
)
from fnmodule_lint.imports import EXTERNAL, Resolver
from fnmodule_lint.library import Library
from fnmodule_lint.settings import Settings
from fnmodule_lint.solver import Key, Solver
from fnmodule_lint.source import SourceError
from fnmodule_lint.values import NOTHING, Value, Values, external, function, instance, project_class

_LONGEST_DOTTED = 12
_STANDARD = frozenset({"builtins", *sys.stdlib_module_names})
_BUILTINS = frozenset(dir(builtins))


class World:
    """The project's files as far as they matter.

    ``open_files`` says that imports may load further files; the analysis proper runs on
    a closed world, whose files were chosen before, so that it cannot depend on what was
    asked first.
    """

    def __init__(
        self, library: Library, resolver: Resolver, settings: Settings, *, open_files: bool
    ) -> None:
        self.settings = settings
        self.open_files = open_files
        self.paths: list[str] = []
        self.files: list[FileFacts] = []
        self._library = library
        self._resolver = resolver
        self._indexes: dict[str, int] = {}
        self._solver = Solver(self._compute)
        self._named: dict[str, Values] = {}
        self.roots: dict[str, Values] = {}
        self._questions: dict[str, Callable[[World, Any], Values]] = {}
        self._call_scopes: dict[int, dict[int, int]] = {}
        self.construction = handed.ConstructionIndex(self)
        self.get = self._solver.get

    def define(self, kind: str, compute: Callable[[World, Any], Any]) -> None:
        """Let cells ``(kind, subject)`` be computed by ``compute(world, subject)``."""
        self._questions[kind] = compute

    # -- files ---------------------------------------------------------------------

    def load(self, path: str) -> int | None:
        """The index of the file at ``path``, None if it cannot be had."""
        index = self._indexes.get(path)
        if index is not None:
            return index if index >= 0 else None
        if not self.open_files:
            return None
        return self.add(path)

    def add(self, path: str) -> int | None:
        """Load the file at ``path`` whatever the world's state; None if it is unreadable."""
        known = self._indexes.get(path)
        if known is not None and known >= 0:
            return known
        try:
            facts = self._library.facts(path)
        except SourceError:
            self._indexes[path] = -1
            return None
        self._indexes[path] = len(self.files)
        self.files.append(facts)
        self.paths.append(path)
        return len(self.files) - 1

    def call_scope(self, file: int, call: int) -> int:
        """The scope that the call expression stands in."""
        scopes = self._call_scopes.get(file)
        if scopes is None:
            scopes = self._call_scopes[file] = dict(self.files[file].calls)
        return scopes.get(call, 0)

    def function(self, value: Value) -> Function:
        """The facts of a "fn" value."""
        return self.files[value[1]].functions[value[2]]

    # -- names ---------------------------------------------------------------------

    def method_of(self, file: int, scope: int) -> int:
        """The method that ``scope`` is part of, -1 outside of classes."""
        index = self.files[file].scopes[scope].function
        return self.files[file].functions[index].method if index >= 0 else -1

    def own_class(self, file: int, method: int) -> Value | None:
        """The class in whose body the method stands."""
        if method < 0:
            return None
        return project_class(file, self.files[file].functions[method].class_index)

    def find(self, file: int, scope: int, name: str) -> tuple[int, list[Binding]]:
        """The scope that binds ``name`` for code in ``scope``, and its bindings there.

        (-1, []) when no scope of the file does.
        """
        scopes = self.files[file].scopes
        index = scope
        while index >= 0:
            where = scopes[index]
            if name in where.global_names:
                index = 0
                where = scopes[0]
            if where.kind != CLASS or index == scope:
                found = where.bindings.get(name)
                if found is not None and name not in where.nonlocal_names:
                    return index, found
            index = where.parent if index else -1
        return -1, []

    def name_values(
        self, file: int, scope: int, name: str, order: int, receiver: Value | None
    ) -> Values:
        """The values of ``name`` read at ``order`` by code in ``scope``."""
        where, bindings = self.find(file, scope, name)
        scopes = self.files[file].scopes
        if where < 0:
            for index in self._enclosing_with_stars(file, scope):
                found = self._star_values(file, index, name)
                if found:
                    return found
            return frozenset({external("builtins." + name)}) if name in _BUILTINS else NOTHING
        if scopes[where].kind == FUNCTION or scopes[where].function >= 0:
            receiver = self._receiver_at(file, scope, where, receiver)
            live = bindings if scopes[where].kind != CLASS else live_bindings(bindings, None)
            return self.union(self.binding_values(file, item, receiver) for item in live)
        if scopes[scope].function >= 0:
            if where == 0:
                return self.get(("name", file, name))  # type: ignore[no-any-return]
            return self.union(
                self.binding_values(file, item, None) for item in live_bindings(bindings, None)
            )
        before = live_bindings(bindings, order)
        return self.union(self.binding_values(file, item, None) for item in before)

    def _enclosing_with_stars(self, file: int, scope: int) -> Iterator[int]:
        scopes = self.files[file].scopes
        while scope >= 0:
            if scopes[scope].stars:
                yield scope
            scope = scopes[scope].parent

    def _receiver_at(
        self, file: int, scope: int, where: int, receiver: Value | None
    ) -> Value | None:
        method = self.method_of(file, where)
        if method == self.method_of(file, scope):
            return receiver
        return self.own_class(file, method)

    def _module_name(self, file: int, name: str) -> Values:
        bindings = self.files[file].scopes[0].bindings.get(name)
        if bindings is None:
            return self._star_values(file, 0, name)
        live = live_bindings(bindings, None)
        return self.union(self.binding_values(file, item, None) for item in live)

    def _star_values(self, file: int, scope: int, name: str) -> Values:
        if name.startswith("__"):
            return NOTHING
        outside = set()
        for star in reversed(self.files[file].scopes[scope].stars):
            target = self.module(file, star.module, star.level)
            if target == EXTERNAL:
                outside.add(external(f"{star.module}.{name}"))
            elif target is not None:
                values = self.module_attribute(target, name)
                if values:
                    return values
        return NOTHING if name in _BUILTINS else frozenset(outside)

    def module(self, file: int, dotted: str, level: int) -> str | None:
        """The module that an import in ``file`` means: a path, EXTERNAL, or None."""
        importer = self.paths[file]
        if level:
            return self._resolver.relative(dotted, level, importer)
        return self._resolver.absolute(dotted, importer)

    def own_module(self, dotted: str) -> str | None:
        """The project's own module ``dotted``, as its top folder imports it; None if none."""
        return self._resolver.from_project(dotted) or None

    def submodule(self, module: str, name: str) -> str | None:
        """The module ``name`` in the package ``module``, None if there is none."""
        return self._resolver.submodule(module, name)

    def module_attribute(self, path: str, name: str) -> Values:
        """The values of ``name`` in the module at ``path``."""
        index = self.load(path)
        values: Values = NOTHING
        if index is not None:
            values = self.get(("name", index, name))
        if not values:
            submodule = self.submodule(path, name)
            if submodule is not None:
                return frozenset({("mod", submodule)})
        return values

    def binding_values(self, file: int, binding: Binding, receiver: Value | None) -> Values:
        """The values that one binding gives."""
        kind, value = binding.kind, binding.value
        if kind == "value":
            return self.expr(file, value, receiver)
        if kind == "import":
            return self._imported(file, *value)
        if kind == "class":
            return frozenset({project_class(file, value)})
        if kind == "def":
            return self.get(("def", file, value, receiver))  # type: ignore[no-any-return]
        if kind == "param":
            return self.get(("param", file, value[0], value[1], receiver))  # type: ignore[no-any-return]
        return NOTHING

    def _imported(
        self, file: int, module: str, level: int, name: str | None, whole: bool
    ) -> Values:
        if name is None and not whole:
            module = module.partition(".")[0]
        target = self.module(file, module, level)
        if target is None:
            return NOTHING
        if target == EXTERNAL:
            return frozenset({external(module if name is None else f"{module}.{name}")})
        if name is None:
            return frozenset({("mod", target)})
        return self.module_attribute(target, name)

    # -- expressions -----------------------------------------------------------------

    def expr(self, file: int, index: int, receiver: Value | None) -> Values:
        """The values of an expression, evaluated for ``receiver``."""
        if index <= 0:
            return NOTHING
        expr = self.files[file].exprs[index]
        kind = expr[0]
        if kind == "K":
            return frozenset({("str", expr[1])}) if isinstance(expr[1], str) else NOTHING
        if kind == "F":
            return frozenset({function(file, expr[1], receiver)})
        if kind in "LDG":
            return frozenset({("seq", file, index, receiver)})
        return self.get(("expr", file, index, receiver))  # type: ignore[no-any-return]

    def _expr(self, file: int, index: int, receiver: Value | None) -> Values:
        expr = self.files[file].exprs[index]
        kind = expr[0]
        if kind == "N":
            span = self.files[file].spans[index]
            return self.name_values(file, expr[1], expr[2], order_of(span[0], span[1]), receiver)
        if kind == "A":
            return self.attribute_values(self.expr(file, expr[1], receiver), expr[2])
        if kind == "C":
            return self._call(file, index, receiver)
        if kind == "O":
            return self.union(self.expr(file, part, receiver) for part in expr[1])
        if kind == "E":
            return containers.elements(self, file, expr[1], receiver)
        if kind == "U":
            return containers.unpacked(self, file, expr[1], expr[2], receiver)
        if kind == "S":
            return containers.subscripted(self, file, index, receiver)
        if kind == "J":
            return containers.joined(self, file, index, receiver)
        return NOTHING

    def union(self, parts: Iterable[Values]) -> Values:
        """The union of value sets."""
        return frozenset().union(*parts)

    def attribute_values(self, bases: Values, name: str) -> Values:
        """The values of the attribute ``name`` of any of ``bases``."""
        found: set[Value] = set()
        for base in bases:
            kind = base[0]
            if kind == "ext":
                if base[1].count(".") < _LONGEST_DOTTED:
                    found.add(external(f"{base[1]}.{name}"))
            elif kind == "mod":
                found |= self.module_attribute(base[1], name)
            elif kind in ("cls", "inst", "super"):
                found |= self.get(("attr", base, name))
        return frozenset(found)

    def _call(self, file: int, index: int, receiver: Value | None) -> Values:
        facts = self.files[file]
        made = facts.made_classes.get(index)
        if made is not None:
            return frozenset({project_class(file, made)})
        found: set[Value] = set(containers.method_result(self, file, index, receiver))
        for callee in self.expr(file, facts.exprs[index][1], receiver):
            found.update(self._result(callee, file, index, receiver))
        return frozenset(found)

    def _result(
        self, callee: Value, file: int, index: int, receiver: Value | None
    ) -> Iterable[Value]:
        kind = callee[0]
        if kind == "cls":
            origin = (file, index, receiver) if self.is_function_module(callee) else None
            return (instance(callee, origin),)
        if kind == "ext":
            return external_calls.result(self, callee[1], file, index, receiver)
        if kind == "fn":
            return self.returned(callee)
        if kind == "inst" and callee[1][0] == "cls" and not self.is_module(callee[1]):
            methods = self.get(("attr", callee, "__call__"))
            return self.union(self.returned(item) for item in methods if item[0] == "fn")
        return ()

    def returned(self, callee: Value) -> Values:
        """What a call of the "fn" value gives; an apply reference counts as made by it."""
        values = self.get(("ret", callee[1], callee[2], callee[3]))
        return frozenset(
            ("made", item[1], callee[1], callee[2]) if item[0] == "apply" else item
            for item in values
        )

    # -- classes ---------------------------------------------------------------------

    def mro(self, cls: Value) -> tuple[Value, ...]:
        """The method resolution order: project classes and external names."""
        return tuple(self.get(("mro", cls)))

    def is_function(self, cls: Value) -> bool:
        """Whether ``cls`` is a Function class (a base itself is not)."""
        return cls[0] == "cls" and "function" in self.get(("kind", cls))

    def is_module(self, cls: Value) -> bool:
        """Whether ``cls`` is a Module class, of the project or external."""
        return "module" in self.get(("kind", cls))

    def is_fully_known(self, cls: Value) -> bool:
        """Whether no base of the project's class is out of sight."""
        for item in self.mro(cls):
            if item[0] == "ext":
                root = item[1].partition(".")[0]
                if not known.is_module_base(item[1]) and root not in _STANDARD:
                    return False
            else:
                bases = self.files[item[1]].classes[item[2]].bases
                if not all(self.expr(item[1], base, None) for base in bases):
                    return False
        return True

    def is_function_module(self, cls: Value) -> bool:
        """Whether ``cls`` is FunctionModule or derives from it."""
        return "shell" in self.get(("kind", cls))

    def is_visible(self, cls: Value) -> bool:
        """Whether the Function class dispatches by itself (setting ``visible-bases``)."""
        return "visible" in self.get(("kind", cls))

    def find_roots(self) -> None:
        """Resolve the dotted names of the settings; must come before the first question."""
        names = class_members.root_names(self.settings)
        for dotted in {*self.settings.reaching_functions, *(n for s in names.values() for n in s)}:
            self._named[dotted] = self._find_named(dotted)
        self.roots = {
            kind: frozenset(external(dotted) for dotted in dotted_names).union(
                *(self._named[dotted] for dotted in dotted_names)
            )
            for kind, dotted_names in names.items()
        }

    def named(self, dotted: str) -> Values:
        """What a dotted name of the settings means: classes or functions of the project."""
        return self._named.get(dotted, NOTHING)

    def _find_named(self, dotted: str) -> Values:
        parts = dotted.split(".")
        for split in range(len(parts) - 1, 0, -1):
            module = self._resolver.from_project(".".join(parts[:split]))
            if module:
                values: Values = frozenset({("mod", module)})
                for name in parts[split:]:
                    values = self.attribute_values(values, name)
                return frozenset(item for item in values if item[0] in ("cls", "fn"))
        return NOTHING

    def class_name(self, cls: Value) -> str:
        """The class's own name."""
        if cls[0] == "cls":
            return self.files[cls[1]].classes[cls[2]].name
        return str(cls[1]).rpartition(".")[2]

    def classes(self) -> Iterator[Value]:
        """Every class of every loaded file."""
        for file, facts in enumerate(self.files):
            for index in range(len(facts.classes)):
                yield project_class(file, index)

    # -- cells -----------------------------------------------------------------------

    def _compute(self, key: Key) -> Any:
        kind = key[0]
        if kind == "expr":
            return self._expr(key[1], key[2], key[3])
        if kind == "name":
            return self._module_name(key[1], key[2])
        if kind == "attr":
            return class_members.attribute(self, key[1], key[2])
        if kind == "def":
            return class_members.decorated(self, key[1], key[2], key[3])
        if kind == "param":
            return handed.parameter_values(self, key[1], key[2], key[3], key[4])
        if kind == "hand":
            return handed.handed_values(self, key[1], key[2], key[3], key[4])
        if kind == "ret":
            returns = self.files[key[1]].functions[key[2]].returns
            return self.union(self.expr(key[1], item, key[3]) for item in returns)
        if kind == "elements":
            return containers.compute_elements(self, key[1], key[2], key[3])
        if kind == "bases":
            return class_members.bases(self, key[1])
        if kind == "mro":
            return class_members.linearise(self, key[1])
        if kind == "kind":
            return class_members.kinds(self, key[1])
        return self._questions[kind](self, key[1])
