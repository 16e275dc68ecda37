"""FNM101 and FNM103: the call goes through a shell that the class registers."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from fnmodule_lint.checks.context import Context
from fnmodule_lint.facts import FUNCTION
from fnmodule_lint.fixes.edits import Declined, Edit, Fix, Replace
from fnmodule_lint.fixes.mounts import Mounted, Mounts
from fnmodule_lint.fixes.origins import Origin, origin
from fnmodule_lint.fixes.trees import Trees
from fnmodule_lint.signatures import Signature, function_forward
from fnmodule_lint.values import Value


@dataclass(frozen=True)
class Site:
    """A finding's expression: its file, index, the scope it stands in, and its class.

    ``called`` says that the expression is a call, and not a reference handed on.
    """

    file: int
    place: int
    scope: int
    user: Value
    called: bool

    def reference(self, context: Context) -> int:
        """The expression that is, or names, the ``apply``."""
        if not self.called:
            return self.place
        return int(context.world.files[self.file].exprs[self.place][1])


def plan(context: Context, trees: Trees, mounts: Mounts, site: Site) -> Fix | Declined:
    """The fix of one site."""
    reference = site.reference(context)
    found = origin(context.world, site.file, reference)
    if found is None or not found.is_apply:
        return Declined("the Function is chosen at run time")
    self_name = self_at(context, site)
    if isinstance(self_name, Declined):
        return self_name
    mounted = mounts.mount(site.user, found)
    if isinstance(mounted, Declined):
        return mounted
    problem = call_problem(context, trees, site, mounted.signature, found.cls)
    if problem:
        return Declined(problem)
    replaced = _replaced(context, site, found, reference)
    name = f"{self_name}.{mounted.attribute}"
    edits: list[Edit] = [*mounted.edits, Replace(context.span(site.file, replaced), name)]
    return Fix(title(context, found.cls, mounted), tuple(edits))


def title(context: Context, function: Value, mounted: Mounted) -> str:
    """What an editor's menu says."""
    return f"Mount {context.world.class_name(function)} as self.{mounted.attribute}"


def self_at(context: Context, site: Site) -> str | Declined:
    """The name of ``self`` where the site stands."""
    world = context.world
    method = world.method_of(site.file, site.scope)
    fact = world.files[site.file].functions[method]
    if fact.kind not in ("plain", "property") or not fact.parameters:
        return Declined(f"{context.owner(site.file, method)} has no self")
    name = fact.parameters[0].name
    where, bindings = world.find(site.file, site.scope, name)
    if where != fact.scope or len(bindings) != 1 or fact.parameters[0].kind != "positional":
        return Declined(f"{name} means something else there")
    return name


def _replaced(context: Context, site: Site, found: Origin, reference: int) -> int:
    """What to rewrite: the reference, or the local name's value that it stands for."""
    world = context.world
    expr = world.files[site.file].exprs[reference]
    if expr[0] == "N" and found.written[0] == site.file:
        where, _ = world.find(site.file, expr[1], expr[2])
        scope = world.files[site.file].scopes[where]
        method = world.method_of(site.file, site.scope)
        if scope.kind == FUNCTION and world.method_of(site.file, where) == method:
            return found.written[1]
    return reference


def call_problem(
    context: Context, trees: Trees, site: Site, signature: Signature | None, function: Value
) -> str:
    """Why the call cannot go through a shell with this signature; "" if it can."""
    if not site.called or signature is None:
        return "" if site.called or signature is None else _handed_problem(signature)
    _, _, args, keywords = context.world.files[site.file].exprs[site.place]
    name = context.world.class_name(function)
    names = [item.name for item in signature.inputs]
    if any(key is None or key not in names for key, _ in keywords):
        return f"a keyword argument of the call is no parameter of {name}.forward"
    starred = any(is_starred for is_starred, _ in args)
    count = len(args) + len(keywords)
    if not starred and not signature.takes(count):
        return f"the call does not fit {name}.forward{signature}"
    partial = starred or count < len(signature.inputs)
    optional = signature.least < len(signature.inputs)
    if partial and optional and not returns_all_gradients(context, trees, function, signature):
        return (
            f"{name}.forward has defaults that this call leaves out, and its backward may "
            "return gradients for the given inputs only"
        )
    return ""


def _handed_problem(signature: Signature) -> str:
    if signature.least < len(signature.inputs):
        return "a reference to a Function with defaults is handed on: its call is not in sight"
    return ""


def returns_all_gradients(
    context: Context, trees: Trees, function: Value, signature: Signature
) -> bool:
    """Whether every ``return`` of ``backward`` is a tuple of one value an input."""
    found = function_forward(context.world, function)
    node = trees.class_node(function)
    if found is None or node is None:
        return False
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "backward":
            returns = [part for part in ast.walk(item) if isinstance(part, ast.Return)]
            return bool(returns) and all(
                isinstance(part.value, ast.Tuple)
                and len(part.value.elts) == len(signature.inputs)
                and not any(isinstance(e, ast.Starred) for e in part.value.elts)
                for part in returns
            )
    return False
