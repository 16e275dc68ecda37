"""FNM2xx: FunctionModules constructed or used so that the boundary is lost."""

from __future__ import annotations

from collections.abc import Iterator

from fnmodule_lint import known
from fnmodule_lint.checks import shell_sites
from fnmodule_lint.checks.context import Context
from fnmodule_lint.checks.registration import Registration
from fnmodule_lint.checks.shell_sites import Construction
from fnmodule_lint.findings import Finding
from fnmodule_lint.handed import contexts
from fnmodule_lint.signatures import (
    Signature,
    function_signature,
    shell_forward,
    shell_signature,
)
from fnmodule_lint.values import Value, Values


def check(context: Context) -> Iterator[Finding]:
    """The findings FNM201 to FNM207."""
    registrations: dict[int, Registration] = {}
    sites = list(shell_sites.constructions(context.world))
    if not sites:
        return
    for site in sites:
        if site.file not in registrations:
            registrations[site.file] = Registration(context.world.files[site.file])
        yield from _construction(context, site, registrations[site.file])
    seen: set[tuple[int, int, str]] = set()
    for file, call, receiver in _module_calls(context):
        for finding in _call(context, file, call, receiver):
            key = (file, call, finding.code)
            if key not in seen:
                seen.add(key)
                yield finding


# -- constructions ---------------------------------------------------------------------------


def _construction(
    context: Context, site: Construction, registration: Registration
) -> Iterator[Finding]:
    world = context.world
    place, values = shell_sites.given(world, site)
    found = shell_sites.functions(world, values)
    shell = world.class_name(site.shell)
    if place and not found and _is_no_function(context, values):
        text = context.source(site.file, place)
        yield context.finding("FNM202", site.file, site.call, {"shell": shell, "given": text})
    for function in found[:1]:
        yield from _inputs(context, site, function)
    problem = _unregistered(context, site, registration)
    if problem:
        arguments = {
            "shell": shell,
            "given": context.source(site.file, site.call),
            "names": problem,
        }
        yield context.finding("FNM203", site.file, site.call, arguments)


def _is_no_function(context: Context, values: Values) -> bool:
    """Whether all values are known, and known to be no Function class."""
    return bool(values) and all(
        value[0] in ("apply", "made", "inst", "fn", "str", "seq")
        or (value[0] == "cls" and context.world.is_fully_known(value))
        or (value[0] == "ext" and known.is_module_base(value[1]))
        for value in values
    )


def _inputs(context: Context, site: Construction, function: Value) -> Iterator[Finding]:
    world = context.world
    signature = function_signature(world, function)
    if signature is None:
        return
    arguments = {
        "shell": world.class_name(site.shell),
        "function": world.class_name(function),
        "signature": str(signature),
    }
    explicit = shell_forward(world, site.shell)
    if explicit is not None:
        handed = _handed_counts(context, site)
        wrong = [count for count in handed if not signature.takes(count)]
        if wrong:
            arguments["given"] = str(wrong[0])
            yield context.finding("FNM204", site.file, site.call, arguments)
        return
    if signature.most is None:
        return
    tensors = signature.tensors
    arguments["names"] = ", ".join(item.name for item in tensors)
    if len(tensors) >= 2:
        yield context.finding("FNM201", site.file, site.call, arguments)
    elif len(tensors) == 1 and signature.inputs[0] != tensors[0]:
        arguments["expected"] = signature.inputs[0].name
        yield context.finding("FNM207", site.file, site.call, arguments)


def _handed_counts(context: Context, site: Construction) -> list[int]:
    """With how many arguments the shell's own ``forward`` calls ``self._fn.apply``."""
    world = context.world
    counts = []
    for value in world.get(("attr", site.shell, "forward")):
        if value[0] != "fn":
            continue
        for call in world.function(value).calls:
            _, func, args, keywords = world.files[value[1]].exprs[call]
            plain = not keywords and not any(starred for starred, _ in args)
            if plain and context.goes_through_fn(value[1], func):
                counts.append(len(args))
    return counts


def _unregistered(context: Context, site: Construction, registration: Registration) -> str:
    scopes = context.world.files[site.file].scopes
    function = scopes[context.world.call_scope(site.file, site.call)].function
    if (site.file, function) in context.reachable_places:
        return "made anew on each forward"
    return registration.problem(site.call)


# -- calls -----------------------------------------------------------------------------------


def _module_calls(context: Context) -> Iterator[tuple[int, int, Value | None]]:
    """Every call in a method of a Module class, for each class that it can run for."""
    world = context.world
    for file, facts in enumerate(world.files):
        for call, scope in facts.calls:
            owner = world.own_class(file, world.method_of(file, scope))
            if owner is None or facts.exprs[facts.exprs[call][1]][0] not in ("A", "N", "S"):
                continue
            for receiver in contexts(world, file, scope):
                if receiver is not None and world.is_module(receiver):
                    yield file, call, receiver


def _call(context: Context, file: int, call: int, receiver: Value | None) -> Iterator[Finding]:
    world = context.world
    exprs = world.files[file].exprs
    func = exprs[exprs[call][1]]
    for shell in shell_sites.shell_instances(world, world.expr(file, exprs[call][1], receiver)):
        yield from _shell_call(context, file, call, receiver, shell)
        return
    if func[0] != "A":
        return
    through = func[1]
    if func[2] == "apply" and exprs[through][0] == "A" and exprs[through][2] == "_fn":
        through = exprs[through][1]
    shells = shell_sites.shell_instances(world, world.expr(file, through, receiver))
    own = world.own_class(file, world.method_of(file, world.call_scope(file, call)))
    if not shells or own is None or world.is_function_module(own):
        return
    arguments = {"call": context.source(file, call), "shell": context.source(file, through)}
    if func[2] == "forward" or through != func[1]:
        yield context.finding("FNM205", file, call, arguments)
    elif func[2] == "apply" and not _takes_function(context, file, call, receiver):
        yield context.finding("FNM206", file, call, arguments)


def _takes_function(context: Context, file: int, call: int, receiver: Value | None) -> bool:
    """Whether the first argument is a known function: a legitimate ``Module.apply``."""
    world = context.world
    args = world.files[file].exprs[call][2]
    if len(args) != 1 or args[0][0]:
        return False
    return any(value[0] in ("fn", "ext") for value in world.expr(file, args[0][1], receiver))


def _shell_call(
    context: Context, file: int, call: int, receiver: Value | None, shell: Value
) -> Iterator[Finding]:
    world = context.world
    _, func, args, keywords = world.files[file].exprs[call]
    if any(starred for starred, _ in args) or any(name is None for name, _ in keywords):
        return
    site = shell_sites.made_by(shell)
    found = shell_sites.functions(world, shell_sites.given(world, site)[1]) if site else []
    known_signature = function_signature(world, found[0]) if found else None
    explicit = shell_signature(world, shell[1])
    expected: Signature | None = explicit or known_signature
    arguments = {
        "call": context.source(file, call),
        "shell": context.source(file, func),
        "function": world.class_name(found[0]) if found else "its Function",
    }
    if explicit is None and (known_signature is None or known_signature.most is None):
        tensors = [item for _, item in args if not _is_literal(context, file, item)]
        if len(tensors) >= 2:
            arguments["names"] = ", ".join(context.source(file, item) for item in tensors)
            arguments["signature"] = "(*args)"
            yield context.finding("FNM201", file, call, arguments)
    elif expected is not None and not expected.takes(len(args) + len(keywords)):
        arguments["given"] = str(len(args) + len(keywords))
        arguments["signature"] = str(expected)
        yield context.finding("FNM204", file, call, arguments)


def _is_literal(context: Context, file: int, item: int) -> bool:
    return context.world.files[file].exprs[item][0] in ("K", "L", "D", "?")
