"""Registering shells: one a Function in each class, under a name that nothing else has."""

from __future__ import annotations

from dataclasses import dataclass

from fnmodule_lint.checks import shell_sites
from fnmodule_lint.fixes import naming
from fnmodule_lint.fixes.constructors import Constructors
from fnmodule_lint.fixes.edits import Declined, Edit, Mount
from fnmodule_lint.fixes.function_names import name_function
from fnmodule_lint.fixes.origins import Origin
from fnmodule_lint.fixes.shell_classes import ShellClasses
from fnmodule_lint.fixes.trees import Trees
from fnmodule_lint.signatures import Signature, shell_signature
from fnmodule_lint.values import Value
from fnmodule_lint.world import World


@dataclass(frozen=True)
class Mounted:
    """A shell that a class has, or will have: ``self.attribute``."""

    attribute: str
    edits: tuple[Edit, ...]
    signature: Signature | None


class Mounts:
    """Plans the mounts of one world; asked twice, it gives the same answer."""

    def __init__(self, world: World, trees: Trees) -> None:
        self._world = world
        self.constructors = Constructors(world, trees)
        self.shells = ShellClasses(world, trees)
        self._planned: dict[tuple[Value, Value], Mounted] = {}
        self._attributes: dict[Value, set[str]] = {}

    def mount(self, user: Value, found: Origin) -> Mounted | Declined:
        """A shell for the Function ``found`` in the Module class ``user``."""
        for cls in self._world.mro(user):
            if (cls, found.cls) in self._planned:
                planned = self._planned[cls, found.cls]
                # The class's own constructor still has to be one that registers.
                here = self.constructors.of(user)
                return here if isinstance(here, Declined) else planned
        existing = self._existing(user, found.cls)
        if existing is not None:
            return existing
        made = self._new(user, found)
        if isinstance(made, Mounted):
            self._planned[user, found.cls] = made
        return made

    def value(self, user: Value, found: Origin, scope: int) -> tuple[str, Mounted] | Declined:
        """The construction of a shell for ``found``, written in ``scope`` of ``user``."""
        file = user[1]
        shell = self.shells.for_function(file, found.cls, user)
        if isinstance(shell, Declined):
            return shell
        taken = self.shells.taken(file)
        named = name_function(self._world, file, user, found, scope, taken)
        if isinstance(named, Declined):
            return named
        edits = (*named.edits, *shell.edits)
        return f"{shell.name}({named.source})", Mounted("", edits, shell.signature)

    def _new(self, user: Value, found: Origin) -> Mounted | Declined:
        constructor = self.constructors.of(user)
        if isinstance(constructor, Declined):
            return constructor
        made = self.value(user, found, constructor.scope)
        if isinstance(made, Declined):
            return made
        construction, mounted = made
        attribute = naming.attribute_name(self._world.class_name(found.cls), self._taken(user))
        edit = Mount(
            constructor.place,
            attribute,
            construction,
            constructor.self_name,
            constructor.after,
            constructor.parameters,
            constructor.handed,
        )
        self._attributes.setdefault(user, set()).add(attribute)
        return Mounted(attribute, (*mounted.edits, edit), mounted.signature)

    def _existing(self, user: Value, function: Value) -> Mounted | None:
        """An attribute that every instance has, which is a shell of this Function alone."""
        world = self._world
        for cls in world.mro(user):
            if cls[0] != "cls":
                continue
            facts = world.files[cls[1]]
            for attribute, stores in sorted(facts.classes[cls[2]].stores.items()):
                if len(stores) != 1 or facts.functions[stores[0][1]].name != "__init__":
                    continue
                if facts.exprs[stores[0][0]][0] != "C":
                    continue
                shells = shell_sites.shell_instances(world, world.expr(cls[1], stores[0][0], cls))
                site = shell_sites.made_by(shells[0]) if len(shells) == 1 else None
                if site is None:
                    continue
                if shell_sites.functions(world, shell_sites.given(world, site)[1]) == [function]:
                    return Mounted(attribute, (), shell_signature(world, site.shell))
        return None

    def _taken(self, user: Value) -> set[str]:
        """Attributes of the class's family: bound, stored or read anywhere in its files."""
        world = self._world
        family = {*world.mro(user), *world.construction.subclasses(user)}
        names: set[str] = set()
        for cls in family:
            names |= self._attributes.get(cls, set())
            if cls[0] == "cls":
                facts = world.files[cls[1]]
                names.update(facts.scopes[facts.classes[cls[2]].scope].bindings)
                names.update(facts.classes[cls[2]].stores)
                names.update(str(expr[2]) for expr in facts.exprs if expr[0] == "A")
        return names
