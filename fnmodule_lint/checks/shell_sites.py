"""Where FunctionModules are constructed, and what is known of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from fnmodule_lint.handed import contexts
from fnmodule_lint.values import Value, Values
from fnmodule_lint.world import World


@dataclass(frozen=True)
class Construction:
    """A call that makes a shell of the class ``shell`` (of the project, or external)."""

    file: int
    call: int
    receiver: Value | None
    shell: Value


def constructions(world: World) -> Iterator[Construction]:
    """All shell constructions, in the order of the source, each once."""
    found: dict[tuple[int, int], Construction] = {}
    for shell in _shell_classes(world):
        for file, call, skip in world.construction.constructions(shell):
            if skip or (file, call) in found:
                continue
            func = world.files[file].exprs[call][1]
            for receiver in contexts(world, file, world.call_scope(file, call))[:1]:
                if shell in world.expr(file, func, receiver):
                    found[file, call] = Construction(file, call, receiver, shell)
    for key in sorted(found):
        yield found[key]


def _shell_classes(world: World) -> list[Value]:
    own = [cls for cls in world.classes() if world.is_function_module(cls)]
    return [*own, *sorted(cls for cls in world.roots["shell"] if cls[0] == "ext")]


def given(world: World, site: Construction) -> tuple[int, Values]:
    """The argument that stands for the Function (0: none), and its values."""
    _, _, args, keywords = world.files[site.file].exprs[site.call]
    place = args[0][1] if args and not args[0][0] else 0
    place = next((item for name, item in keywords if name == "fn"), place)
    if place:
        return place, world.expr(site.file, place, site.receiver)
    return 0, _fixed(world, site.shell)


def _fixed(world: World, shell: Value) -> Values:
    """What a subclass's own constructor hands to FunctionModule's."""
    parts = []
    for file, call, _ in world.construction.constructor_calls(shell):
        args = world.files[file].exprs[call][2]
        if args and not args[0][0]:
            parts.append(world.expr(file, args[0][1], shell))
    return world.union(parts)


def functions(world: World, values: Values) -> list[Value]:
    """The Function classes among ``values``, in the order of the source."""
    return sorted(value for value in values if value[0] == "cls" and world.is_function(value))


def shell_instances(world: World, values: Values) -> list[Value]:
    """The instances of FunctionModules among ``values``."""
    return sorted(
        (v for v in values if v[0] == "inst" and world.is_function_module(v[1])), key=repr
    )


def made_by(instance: Value) -> Construction | None:
    """The construction of a shell instance, where it is known."""
    if instance[2] is None:
        return None
    file, call, receiver = instance[2]
    return Construction(file, call, receiver, instance[1])
