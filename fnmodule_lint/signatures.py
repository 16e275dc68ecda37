"""What Functions and shells take: how many arguments, and which can be tensors."""

from __future__ import annotations

import re
from dataclasses import dataclass

from fnmodule_lint.class_members import class_bindings
from fnmodule_lint.facts import Function, Parameter
from fnmodule_lint.values import Value
from fnmodule_lint.world import World

_NOT_TENSORS = frozenset(
    {"int", "float", "bool", "str", "None", "dtype", "device", "ProcessGroup", "complex", "bytes"}
)
_WRAPPER = re.compile(r"(?:\w+\.)*(?:Optional|Union)\[(.*)\]", re.DOTALL)


@dataclass(frozen=True)
class Input:
    """One input of a Function: its name, and whether it can be a tensor."""

    name: str
    tensor: bool


@dataclass(frozen=True)
class Signature:
    """The positional inputs of a ``forward``; ``most`` is None where it takes any number."""

    inputs: tuple[Input, ...]
    least: int
    most: int | None

    def takes(self, count: int) -> bool:
        """Whether ``count`` positional arguments fit."""
        return self.least <= count and (self.most is None or count <= self.most)

    @property
    def tensors(self) -> list[Input]:
        """The inputs that can be tensors."""
        return [item for item in self.inputs if item.tensor]

    def __str__(self) -> str:
        names = [item.name for item in self.inputs]
        return f"({', '.join(names if self.most is not None else [*names, '*args'])})"


def function_signature(world: World, cls: Value) -> Signature | None:
    """What the Function class's own ``forward`` takes after ``ctx``; None if not known.

    With ``setup_context`` there is no ``ctx``: all parameters count.
    """
    found = function_forward(world, cls)
    if found is None:
        return None
    file, index, skipped = found
    return _signature(world, file, world.files[file].functions[index].parameters[skipped:])


def function_forward(world: World, cls: Value) -> tuple[int, int, int] | None:
    """A Function class's ``forward`` as (file, function, parameters before the inputs)."""
    owner, index = _method_index(world, cls, "forward")
    if index < 0:
        return None
    is_class_method = world.files[owner[1]].functions[index].kind == "class"
    takes_ctx = _method_index(world, cls, "setup_context")[1] < 0
    return owner[1], index, is_class_method + takes_ctx


def shell_forward(world: World, cls: Value) -> Function | None:
    """The explicit ``forward`` of a FunctionModule subclass; None for a variadic one."""
    _, fact = _method(world, cls, "forward")
    if fact is None or cls in world.roots["shell"]:
        return None
    named = [p for p in fact.parameters[1:] if p.kind == "positional"]
    return fact if named else None


def shell_signature(world: World, cls: Value) -> Signature | None:
    """What an explicit shell ``forward`` takes; None for a variadic shell."""
    owner, fact = _method(world, cls, "forward")
    if fact is None or shell_forward(world, cls) is None:
        return None
    return _signature(world, owner[1], fact.parameters[1:])


def takes_positional(world: World, cls: Value) -> bool:
    """Whether a shell's ``forward`` has an argument 0; one that is not in sight has."""
    _, fact = _method(world, cls, "forward")
    if fact is None or cls in world.roots["shell"]:
        return True
    return any(p.kind in ("positional", "vararg") for p in fact.parameters[1:])


def _method(world: World, cls: Value, name: str) -> tuple[Value, Function | None]:
    owner, index = _method_index(world, cls, name)
    return owner, world.files[owner[1]].functions[index] if index >= 0 else None


def _method_index(world: World, cls: Value, name: str) -> tuple[Value, int]:
    order = world.mro(cls) if cls[0] == "cls" else ()
    owner, bindings = class_bindings(world, order, name)
    for binding in bindings:
        if binding.kind == "def":
            return owner, int(binding.value)
    return owner, -1


def _signature(world: World, file: int, parameters: list[Parameter]) -> Signature:
    positional = [p for p in parameters if p.kind == "positional"]
    inputs = tuple(Input(p.name, _can_be_tensor(world, file, p)) for p in positional)
    least = sum(p.default < 0 for p in positional)
    variadic = any(p.kind == "vararg" for p in parameters)
    return Signature(inputs, least, None if variadic else len(positional))


def _can_be_tensor(world: World, file: int, parameter: Parameter) -> bool:
    if parameter.default >= 0:
        default = world.files[file].exprs[parameter.default]
        if default[0] == "K" and default[1] is not None:
            return False
        if default == ("?",):
            return False
    return not _names_no_tensor(parameter.annotation)


def _names_no_tensor(annotation: str) -> bool:
    if not annotation:
        return False
    text = annotation.strip()
    wrapped = _WRAPPER.fullmatch(text)
    if wrapped:
        text = wrapped.group(1).replace(",", "|")
    parts = [part.strip().rpartition(".")[2] for part in text.split("|")]
    return all(part in _NOT_TENSORS for part in parts)
