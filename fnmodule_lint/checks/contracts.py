"""FNM3xx: contracts on FunctionModules that will not hold."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator

from fnmodule_lint.checks import shell_sites
from fnmodule_lint.checks.context import Context
from fnmodule_lint.checks.plans import Contract, contracts
from fnmodule_lint.findings import Finding
from fnmodule_lint.signatures import shell_signature, takes_positional
from fnmodule_lint.values import Value
from fnmodule_lint.world import World


def check(context: Context) -> Iterator[Finding]:
    """The findings FNM301 to FNM305."""
    found = list(contracts(context))
    if not found:
        return
    shells = _mounted_shells(context.world)
    for contract in found:
        matching = [
            shell
            for name in sorted(shells)
            if _covers(contract.name, name)
            for shell in shells[name]
        ]
        if matching:
            yield from _contract(context, contract, matching)
    yield from _uncovered(context, found, shells)


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


def _contract(context: Context, contract: Contract, shells: list[Value]) -> Iterator[Finding]:
    arguments = {
        "key": contract.name,
        "shell": context.world.class_name(shells[0][1]),
        "setting": contract.setting,
    }
    if contract.dispatches:
        yield context.finding_at("FNM301", contract.span, arguments)
    yield from _binding(context, contract, shells, arguments)
    for source, target in (("in_src", "in_dst"), ("out_src", "out_dst")):
        given, wanted = _keys(contract, source), _keys(contract, target)
        if given is not None and wanted is not None and set(given) != set(wanted):
            names = ", ".join(sorted(set(given) ^ set(wanted)))
            more = arguments | {"given": source, "expected": target, "names": names}
            yield context.finding_at("FNM303", contract.fields[target].span, more)
    if _keys(contract, "params"):
        yield context.finding_at("FNM304", contract.fields["params"].span, arguments)


def _keys(contract: Contract, field: str) -> tuple[str, ...] | None:
    return contract.fields[field].keys if field in contract.fields else None


def _binding(
    context: Context, contract: Contract, shells: list[Value], arguments: dict[str, str]
) -> Iterator[Finding]:
    source, target = _keys(contract, "in_src") or (), _keys(contract, "in_dst") or ()
    names = list(dict.fromkeys([*source, *target]))
    lost = [_unbound(context.world, shell[1], names) for shell in shells]
    if not all(lost):
        return
    place = "in_src" if set(source) & set(lost[0]) else "in_dst"
    shell = shells[0][1]
    variadic = "(*args)" if takes_positional(context.world, shell) else "()"
    signature = str(shell_signature(context.world, shell) or variadic)
    more = {"names": ", ".join(lost[0]), "signature": signature}
    yield context.finding_at("FNM302", contract.fields[place].span, arguments | more)


def _unbound(world: World, shell: Value, names: list[str]) -> list[str]:
    """Those ``names`` that no parameter of the shell's forward binds.

    A single name falls back to argument 0, where there is one; a variadic forward has no
    names.
    """
    if len(names) <= 1 and takes_positional(world, shell):
        return []
    signature = shell_signature(world, shell)
    known = {item.name for item in signature.inputs} if signature else set()
    return [name for name in names if name not in known]


def _uncovered(
    context: Context, found: list[Contract], shells: dict[str, list[Value]]
) -> Iterator[Finding]:
    patterns = {contract.name for contract in found}
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
