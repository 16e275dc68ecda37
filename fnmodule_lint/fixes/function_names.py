"""How code in a class's ``__init__`` can name a Function, with the import that it may need."""

from __future__ import annotations

import os
from dataclasses import dataclass

from fnmodule_lint.facts import CLASS, FileFacts
from fnmodule_lint.fixes.edits import Declined, Edit, Import
from fnmodule_lint.fixes.origins import Origin, origin_of_member
from fnmodule_lint.imports import EXTERNAL
from fnmodule_lint.values import Value
from fnmodule_lint.world import World


@dataclass(frozen=True)
class Named:
    """An expression for a Function class, and what has to be added for it."""

    source: str
    edits: tuple[Edit, ...] = ()


def name_function(
    world: World, file: int, user: Value, found: Origin, init_scope: int, taken: set[str]
) -> Named | Declined:
    """How the ``__init__`` of the class ``user`` in ``file`` can name ``found.cls``.

    ``init_scope`` is the scope of an existing ``__init__``, else -1; ``taken`` are the
    names that mean something in the file already.
    """
    facts = world.files[file]
    spelled = spelling(facts, _class_expression(world, found)) if found.written[0] == file else ""
    if spelled and _is_visible(world, file, user, found, init_scope, spelled):
        return Named(spelled)
    for name in sorted(facts.scopes[0].bindings):
        known = origin_of_member(world, world.paths[file], name)
        if known is not None and known.cls == found.cls and not known.is_apply:
            if _is_free_in(facts, init_scope, name):
                return Named(name)
    return _imported(world, file, found.cls, taken)


def spelling(facts: FileFacts, index: int) -> str:
    """A dotted name as it is written; "" for any other expression."""
    expr = facts.exprs[index]
    if expr[0] == "N":
        return str(expr[2])
    if expr[0] == "A":
        base = spelling(facts, expr[1])
        return f"{base}.{expr[2]}" if base else ""
    return ""


def _class_expression(world: World, found: Origin) -> int:
    file, index = found.written
    expr = world.files[file].exprs[index]
    if found.is_apply and expr[0] == "A" and expr[2] == "apply":
        return int(expr[1])
    return index


def _is_visible(
    world: World, file: int, user: Value, found: Origin, init_scope: int, spelled: str
) -> bool:
    """Whether the name means the same in ``__init__`` as where it is written."""
    facts = world.files[file]
    root = spelled.partition(".")[0]
    index = _class_expression(world, found)
    while facts.exprs[index][0] == "A":
        index = facts.exprs[index][1]
    scope, _ = world.find(file, facts.exprs[index][1], root)
    if scope < 0:
        return _is_free_in(facts, init_scope, root)
    outer = facts.classes[user[2]].parent
    while outer >= 0 and (outer != scope or facts.scopes[outer].kind == CLASS):
        outer = facts.scopes[outer].parent if outer else -1
    return outer == scope and _is_free_in(facts, init_scope, root)


def _is_free_in(facts: FileFacts, scope: int, name: str) -> bool:
    return scope < 0 or name not in facts.scopes[scope].bindings


def _imported(world: World, file: int, cls: Value, taken: set[str]) -> Named | Declined:
    """An import of a Function from a module that the file imports from, or from its own."""
    name = world.class_name(cls)
    if name in taken:
        return Declined(f"the name {name} means something else in this file")
    own = world.files[cls[1]].scopes[0].bindings.get(name, [])
    if cls[1] == file or len(own) != 1 or own[0].kind != "class":
        return Declined(f"{name} cannot be named in __init__")
    path = world.paths[file]
    for bindings in world.files[file].scopes[0].bindings.values():
        for binding in bindings:
            if binding.kind != "import" or binding.value[2] is None:
                continue
            module, level, _, _ = binding.value
            target = world.module(file, module, level)
            if target and target != EXTERNAL:
                known = origin_of_member(world, target, name)
                if known is not None and known.cls == cls:
                    return Named(name, (Import(path, "." * level + module, name),))
    module = _relative_module(world, file, world.paths[cls[1]])
    if module:
        return Named(name, (Import(path, module, name),))
    return Declined(f"there is no import through which this file can name {name}")


def _relative_module(world: World, file: int, target: str) -> str:
    """``target`` as a relative import of ``file`` names it, where one package holds both."""
    folder = os.path.dirname(world.paths[file])
    dots = "."
    while os.path.isfile(os.path.join(folder, "__init__.py")):
        if target.startswith(folder + os.sep):
            inner = os.path.relpath(target, folder).removesuffix(".py")
            parts = [part for part in inner.split(os.sep) if part != "__init__"]
            found = world.module(file, ".".join(parts), len(dots))
            return dots + ".".join(parts) if found == target else ""
        folder, dots = os.path.dirname(folder), dots + "."
    return ""
