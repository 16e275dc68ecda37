"""FNM1xx: calls in a Module's forward that end in an ``apply`` no tool can see."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from fnmodule_lint import reach
from fnmodule_lint.checks.context import Context
from fnmodule_lint.findings import Finding, Step
from fnmodule_lint.signatures import function_signature
from fnmodule_lint.values import Value

_STRONGEST = ("FNM104", "FNM101", "FNM103", "FNM102")


@dataclass
class _Site:
    """One place, with what any of the classes that it runs for make of it."""

    unit: Value
    place: int
    code: str
    targets: set[Value] = field(default_factory=set)


def check(context: Context) -> Iterator[Finding]:
    """The findings FNM101 to FNM104."""
    sites: dict[tuple[int, int], _Site] = {}
    for unit in context.units:
        for place, code, target in _unit_sites(context, unit):
            key = (unit[1], place)
            site = sites.setdefault(key, _Site(unit, place, code))
            if _STRONGEST.index(code) < _STRONGEST.index(site.code):
                site.code = code
                site.targets.clear()
            if code == site.code:
                site.targets.add(target)
    for site in sites.values():
        yield _finding(context, site)


def _unit_sites(context: Context, unit: Value) -> Iterator[tuple[int, str, Value]]:
    world = context.world
    _, file, index, receiver, _ = unit
    fact = world.files[file].functions[index]
    own = world.own_class(file, fact.method)
    if own is None or world.is_function(own) or reach.is_excluded(world, own):
        return
    for call in fact.calls:
        func = world.files[file].exprs[call][1]
        for value in world.expr(file, func, receiver):
            if value[0] == "inst" and world.is_function(value[1]):
                yield call, "FNM104", value
        if context.goes_through_fn(file, func) and _is_boundary(context, file, func, receiver):
            continue
        edges = [e for e in reach.call_edges(world, file, call, receiver) if _counts(context, e)]
        direct = [edge for edge in edges if not edge.handed]
        for edge in direct or edges:
            code = "FNM101" if edge.target[0] == "apply" else "FNM102"
            if not edge.handed and fact.name == "forward" and fact.sole_return == call:
                code = "FNM103"
            yield edge.place, code, edge.target


def _mount(context: Context, site: _Site, names: list[str]) -> str:
    """What to mount: the plain shell, or a subclass where several inputs are tensors."""
    if len(names) != 1:
        return f"FunctionModules for {' and '.join(names)}"
    for cls in reach.apply_classes(context.world, site.targets):
        signature = function_signature(context.world, cls)
        if signature is not None and len(signature.tensors) > 1:
            inputs = ", ".join(item.name for item in signature.inputs)
            return f"a `FunctionModule` subclass with `forward(self, {inputs})` for {names[0]}"
    return f"`FunctionModule({names[0]})`"


def _is_boundary(context: Context, file: int, func: int, receiver: Value | None) -> bool:
    """Whether ``_fn`` is a shell's: inside one that is its own, outside it is FNM205."""
    exprs = context.world.files[file].exprs
    bases = context.world.expr(file, exprs[exprs[func][1]][1], receiver)
    return any(b[0] == "inst" and context.world.is_function_module(b[1]) for b in bases)


def _counts(context: Context, edge: reach.Edge) -> bool:
    """Functions written inside a reachable method are part of it: no site of their own."""
    target = edge.target
    if target[0] != "fn":
        return True
    fact = context.world.function(target)
    if fact.method < 0 or fact.class_index >= 0:
        return True
    return target not in context.reachable


def _finding(context: Context, site: _Site) -> Finding:
    world = context.world
    _, file, index, _, _ = site.unit
    names = reach.apply_names(world, site.targets)
    steps: tuple[Step, ...] = ()
    if site.code in ("FNM102", "FNM103"):
        steps = reach.chain(world, site.targets)
    arguments = {
        "call": context.source(file, site.place),
        "function": " or ".join(sorted(names)),
        "mount": _mount(context, site, sorted(names)),
        "owner": context.owner(file, index),
        "chain": " -> ".join(context.describe(step) for step in steps),
    }
    return context.finding(site.code, file, site.place, arguments, steps, index)
