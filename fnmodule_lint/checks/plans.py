"""The contracts of a project's plans, from Python code and from plan files alike."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from fnmodule_lint.checks.context import Context
from fnmodule_lint.findings import Span
from fnmodule_lint.handed import contexts
from fnmodule_lint.values import Value
from fnmodule_lint.world import World

SPEC = "ModuleShardingSpec"
DISPATCH = "region_dispatch"


@dataclass(frozen=True)
class Field:
    """One field of a contract, where to report it, and its keys in order if all are known."""

    span: Span
    keys: tuple[str, ...] | None


@dataclass(frozen=True)
class Contract:
    """What a plan says about one key; ``name`` is the key's last part.

    ``dispatches`` says that ``region_dispatch`` is known not to be False; ``setting`` is
    how to write that it is.
    """

    name: str
    span: Span
    fields: Mapping[str, Field]
    dispatches: bool
    setting: str


def contracts(context: Context) -> Iterator[Contract]:
    """All contracts of the project, in the order of its files."""
    yield from _from_code(context)
    for entry in context.plan:
        name = entry.key.rpartition(".")[2]
        dispatch = entry.fields.get(DISPATCH)
        yield Contract(
            name,
            entry.span,
            {key: Field(value.span, value.keys) for key, value in entry.fields.items()},
            dispatch is None or not dispatch.off,
            f"{DISPATCH}: false",
        )


def _from_code(context: Context) -> Iterator[Contract]:
    world = context.world
    for file, facts in enumerate(world.files):
        calls = {call: scope for call, scope in facts.calls if _is_spec(world, file, call)}
        if not calls:
            continue
        for key, value in _keyed(world, file):
            if value in calls:
                receiver = contexts(world, file, calls[value])[0]
                name = key if isinstance(key, str) else _tail(world, file, key, receiver)
                yield _contract(context, file, value, name.rpartition(".")[2], receiver)


def _contract(
    context: Context, file: int, call: int, name: str, receiver: Value | None
) -> Contract:
    exprs = context.world.files[file].exprs
    keywords = dict(exprs[call][3])
    dispatch = keywords.get(DISPATCH)
    fields = {
        key: Field(context.span(file, value), _keys(context.world, file, value, receiver))
        for key, value in keywords.items()
        if key is not None
    }
    if dispatch is None:
        dispatches = None not in keywords
    else:
        dispatches = exprs[dispatch][0] == "K" and exprs[dispatch][1] is not False
    return Contract(name, context.span(file, call), fields, dispatches, f"{DISPATCH}=False")


def _is_spec(world: World, file: int, call: int) -> bool:
    func = world.files[file].exprs[call][1]
    expr = world.files[file].exprs[func]
    if expr[0] in ("N", "A") and expr[2] == SPEC:
        return True
    values = world.expr(file, func, None) if expr[0] == "N" else ()
    return any(value[0] == "ext" and value[1].rpartition(".")[2] == SPEC for value in values)


def _keyed(world: World, file: int) -> Iterator[tuple[int | str, int]]:
    """Every (key, value) of the file's dict displays, ``dict(...)`` calls and item stores."""
    facts = world.files[file]
    for expr in facts.exprs:
        if expr[0] == "D":
            yield from ((key, value) for key, value in expr[1] if key >= 0)
        elif expr[0] == "C":
            callee = facts.exprs[expr[1]]
            if callee[0] in ("N", "A") and callee[2] in ("dict", "update"):
                yield from ((name, value) for name, value in expr[3] if name)
    yield from facts.item_stores


def _tail(world: World, file: int, key: int, receiver: Value | None) -> str:
    """The constant end of a key: of a literal, a constant, an f-string or a sum."""
    ending = ""
    todo = [key]
    while todo:
        index = todo.pop()
        expr = world.files[file].exprs[index]
        if expr[0] == "J":
            todo.extend(expr[1])
            continue
        texts = [v[1] for v in world.expr(file, index, receiver) if v[0] == "str"]
        if len(texts) != 1:
            break
        ending = texts[0] + ending
    return ending


def _keys(world: World, file: int, index: int, receiver: Value | None) -> tuple[str, ...] | None:
    """The keys of a dict, in order; None where they are not all known."""
    values = [v for v in world.expr(file, index, receiver) if v[0] == "seq"]
    if len(values) != 1:
        return None
    _, home, display, owner = values[0]
    expr = world.files[home].exprs[display]
    if expr[0] == "C":
        known = not expr[2] and all(name for name, _ in expr[3])
        return tuple(name for name, _ in expr[3]) if known else None
    if expr[0] != "D":
        return None
    keys = []
    for key, _ in expr[1]:
        texts = [v[1] for v in world.expr(home, key, owner) if v[0] == "str"]
        if len(texts) != 1:
            return None
        keys.append(texts[0])
    return tuple(keys)
