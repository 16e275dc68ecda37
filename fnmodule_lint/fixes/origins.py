"""Which Function an expression is, where that does not depend on the run.

The world knows every value that an expression can have; a rewrite needs the one that it
always has. What a condition, a parameter or a loop decides is chosen at run time.
"""

from __future__ import annotations

from dataclasses import dataclass

from fnmodule_lint.facts import FUNCTION, Binding, live_bindings
from fnmodule_lint.imports import EXTERNAL
from fnmodule_lint.values import Value
from fnmodule_lint.world import World

_DEEPEST = 20


@dataclass(frozen=True)
class Origin:
    """What an expression is: a Function class, or its ``apply``.

    ``written`` is the expression (file, index) that spells ``A.apply`` or ``A``, where one
    does: at the site itself, or at the binding of the name that is used there.
    """

    cls: Value
    is_apply: bool
    written: tuple[int, int]


def origin(world: World, file: int, index: int, depth: int = 0) -> Origin | None:
    """The Function that the expression always is; None where that is not certain."""
    if index <= 0 or depth > _DEEPEST:
        return None
    expr = world.files[file].exprs[index]
    if expr[0] == "N":
        return _of_name(world, file, index, depth)
    if expr[0] != "A":
        return None
    base = origin(world, file, expr[1], depth + 1)
    if base is not None:
        if expr[2] == "apply" and not base.is_apply:
            return Origin(base.cls, True, (file, index))
        return None
    return _of_module_attribute(world, file, index, depth)


def _of_name(world: World, file: int, index: int, depth: int) -> Origin | None:
    expr = world.files[file].exprs[index]
    scope, bindings = world.find(file, expr[1], expr[2])
    if scope < 0:
        return _starred(world, file, index)
    live = bindings
    if world.files[file].scopes[scope].kind != FUNCTION:
        live = live_bindings(bindings, None)
    if len(live) != 1:
        return None
    return _of_binding(world, file, live[0], (file, index), depth)


def _of_binding(
    world: World, file: int, binding: Binding, at: tuple[int, int], depth: int
) -> Origin | None:
    if not binding.straight:
        return None
    if binding.kind == "class":
        cls = ("cls", file, binding.value)
        return Origin(cls, False, at) if world.is_function(cls) else None
    if binding.kind == "value":
        return origin(world, file, binding.value, depth + 1)
    if binding.kind == "import":
        module, level, name, _ = binding.value
        target = world.module(file, module, level)
        if name is None or target is None or target == EXTERNAL:
            return None
        return _of_member(world, target, name, at, depth)
    return None


def origin_of_member(world: World, path: str, name: str) -> Origin | None:
    """The Function, or its ``apply``, that the module at ``path`` always has as ``name``."""
    return _of_member(world, path, name, (-1, 0), 0)


def _of_member(
    world: World, path: str, name: str, at: tuple[int, int], depth: int
) -> Origin | None:
    file = world.load(path)
    if file is None:
        return None
    bindings = world.files[file].scopes[0].bindings.get(name, [])
    live = live_bindings(bindings, None)
    if len(live) != 1:
        return None
    found = _of_binding(world, file, live[0], at, depth + 1)
    if found is not None and not found.is_apply:
        return Origin(found.cls, False, at)
    return found


def _starred(world: World, file: int, index: int) -> Origin | None:
    """A name from ``from module import *``, where only one class can be meant."""
    values = world.expr(file, index, None)
    if len(values) != 1:
        return None
    (value,) = values
    if value[0] == "cls" and world.is_function(value):
        return Origin(value, False, (file, index))
    return None


def _of_module_attribute(world: World, file: int, index: int, depth: int) -> Origin | None:
    """``module.A`` and ``Outer.A``."""
    expr = world.files[file].exprs[index]
    bases = world.expr(file, expr[1], None)
    if len(bases) != 1:
        return None
    (base,) = bases
    if base[0] == "mod":
        return _of_member(world, base[1], expr[2], (file, index), depth)
    if base[0] == "cls":
        facts = world.files[base[1]]
        bindings = facts.scopes[facts.classes[base[2]].scope].bindings.get(expr[2], [])
        if len(bindings) == 1 and bindings[0].kind == "class":
            return _of_binding(world, base[1], bindings[0], (file, index), depth)
    return None
