"""FNM3xx: ``ModuleShardingSpec`` contracts on FunctionModules that will not hold."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator
from dataclasses import dataclass

from fnmodule_lint.checks import shell_sites
from fnmodule_lint.checks.context import Context
from fnmodule_lint.findings import Finding
from fnmodule_lint.handed import contexts
from fnmodule_lint.signatures import shell_signature
from fnmodule_lint.values import Value
from fnmodule_lint.world import World

SPEC = "ModuleShardingSpec"


@dataclass(frozen=True)
class _Spec:
    """A spec call with the last part of its key in the plan."""

    file: int
    call: int
    name: str
    receiver: Value | None


def check(context: Context) -> Iterator[Finding]:
    """The findings FNM301 to FNM305."""
    specs = list(_specs(context.world))
    if not specs:
        return
    shells = _mounted_shells(context.world)
    for spec in specs:
        matching = [
            shell for name in sorted(shells) if _covers(spec.name, name) for shell in shells[name]
        ]
        if matching:
            yield from _spec(context, spec, matching)
    yield from _uncovered(context, specs, shells)


# -- plans -----------------------------------------------------------------------------------


def _specs(world: World) -> Iterator[_Spec]:
    for file, facts in enumerate(world.files):
        calls = {call: scope for call, scope in facts.calls if _is_spec(world, file, call)}
        if not calls:
            continue
        for key, value in _keyed(world, file):
            if value in calls:
                receiver = contexts(world, file, calls[value])[0]
                name = key if isinstance(key, str) else _tail(world, file, key, receiver)
                yield _Spec(file, value, name.rpartition(".")[2], receiver)


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


# -- shells ----------------------------------------------------------------------------------


def _mounted_shells(world: World) -> dict[str, list[Value]]:
    """The shells that Module classes keep, by attribute name."""
    found: dict[str, list[Value]] = {}
    for cls in world.classes():
        if not world.is_module(cls):
            continue
        for name, stores in world.files[cls[1]].classes[cls[2]].stores.items():
            for value, _ in stores:
                shells = shell_sites.shell_instances(world, world.expr(cls[1], value, cls))
                found.setdefault(name, []).extend(shells)
    return {name: shells for name, shells in found.items() if shells}


def _covers(pattern: str, name: str) -> bool:
    """Whether the last part of a key means the attribute ``name``; a bare ``*`` means none."""
    return bool(pattern.strip("*?")) and fnmatch.fnmatchcase(name, pattern)


# -- rules -----------------------------------------------------------------------------------


def _spec(context: Context, spec: _Spec, shells: list[Value]) -> Iterator[Finding]:
    exprs = context.world.files[spec.file].exprs
    keywords = dict(exprs[spec.call][3])
    arguments = {"key": spec.name, "shell": context.world.class_name(shells[0][1])}
    dispatch = keywords.get("region_dispatch")
    if None not in keywords and (dispatch is None or exprs[dispatch] == ("K", True)):
        yield context.finding("FNM301", spec.file, spec.call, arguments)
    yield from _binding(context, spec, shells, keywords, arguments)
    for source, target in (("in_src", "in_dst"), ("out_src", "out_dst")):
        given = _keys(context, spec, keywords.get(source))
        wanted = _keys(context, spec, keywords.get(target))
        if given is not None and wanted is not None and set(given) != set(wanted):
            names = ", ".join(sorted(set(given) ^ set(wanted)))
            more = arguments | {"given": source, "expected": target, "names": names}
            yield context.finding("FNM303", spec.file, keywords[target], more)
    params = keywords.get("params")
    if params is not None and _keys(context, spec, params):
        yield context.finding("FNM304", spec.file, params, arguments)


def _binding(
    context: Context,
    spec: _Spec,
    shells: list[Value],
    keywords: dict[str | None, int],
    arguments: dict[str, str],
) -> Iterator[Finding]:
    source = _keys(context, spec, keywords.get("in_src"))
    target = _keys(context, spec, keywords.get("in_dst"))
    names = list(dict.fromkeys([*(source or ()), *(target or ())]))
    lost = [_unbound(context.world, shell[1], names) for shell in shells]
    if not all(lost):
        return
    place = "in_src" if set(source or ()) & set(lost[0]) else "in_dst"
    signature = shell_signature(context.world, shells[0][1])
    more = {"names": ", ".join(lost[0]), "signature": str(signature or "(*args)")}
    yield context.finding("FNM302", spec.file, keywords[place], arguments | more)


def _unbound(world: World, shell: Value, names: list[str]) -> list[str]:
    """Those ``names`` that no parameter of the shell's forward binds.

    A single name falls back to argument 0; a variadic forward has no names.
    """
    if len(names) <= 1:
        return []
    signature = shell_signature(world, shell)
    known = {item.name for item in signature.inputs} if signature else set()
    return [name for name in names if name not in known]


def _keys(context: Context, spec: _Spec, index: int | None) -> list[str] | None:
    """The keys of a dict, in order; None where they are not all known."""
    if index is None:
        return None
    world = context.world
    values = [v for v in world.expr(spec.file, index, spec.receiver) if v[0] == "seq"]
    if len(values) != 1:
        return None
    _, file, display, receiver = values[0]
    expr = world.files[file].exprs[display]
    if expr[0] == "C":
        return [name for name, _ in expr[3]] if not expr[2] and all(n for n, _ in expr[3]) else None
    if expr[0] != "D":
        return None
    keys = []
    for key, _ in expr[1]:
        texts = [v[1] for v in world.expr(file, key, receiver) if v[0] == "str"]
        if len(texts) != 1:
            return None
        keys.append(texts[0])
    return keys


def _uncovered(
    context: Context, specs: list[_Spec], shells: dict[str, list[Value]]
) -> Iterator[Finding]:
    patterns = {spec.name for spec in specs}
    seen: set[tuple[int, int]] = set()
    for name in sorted(shells):
        if any(_covers(pattern, name) or not pattern.strip("*?") for pattern in patterns):
            continue
        for shell in shells[name]:
            site = shell_sites.made_by(shell)
            if site is not None and (site.file, site.call) not in seen:
                seen.add((site.file, site.call))
                arguments = {"shell": context.world.class_name(shell[1]), "key": name}
                yield context.finding("FNM305", site.file, site.call, arguments)
