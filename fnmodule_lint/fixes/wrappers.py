"""FNM102 and FNM103 through a plain wrapper: the shell is called in its place.

A plain wrapper is a module-level function that only returns one ``A.apply(...)`` over its
own parameters and literals. What is called moves from it to the shell, so that patching
the wrapper no longer has an effect: unsafe, but for a module that is itself no more than
a shell written by hand.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass

from fnmodule_lint.checks.context import Context
from fnmodule_lint.fixes.edits import Declined, Fix, Replace
from fnmodule_lint.fixes.mounts import Mounts
from fnmodule_lint.fixes.origins import Origin, origin
from fnmodule_lint.fixes.sites import Site, returns_all_gradients, self_at, title
from fnmodule_lint.fixes.trees import FunctionNode, Trees
from fnmodule_lint.values import Value

_NOT_PLAIN = "does more than return one apply of its own parameters"


@dataclass(frozen=True)
class _Wrapper:
    """A wrapper's Function, parameters with defaults, and what it hands to ``apply``."""

    found: Origin
    parameters: dict[str, ast.expr | None]
    handed: list[ast.expr]


def plan(
    context: Context, trees: Trees, mounts: Mounts, site: Site, *, safe: bool
) -> Fix | Declined:
    """The fix of one site that calls a wrapper."""
    world = context.world
    reference = site.reference(context)
    values = world.expr(site.file, reference, site.user)
    helpers = [value for value in values if value[0] == "fn"]
    if len(values) != 1 or len(helpers) != 1:
        return Declined("the helper is chosen at run time")
    name = world.function(helpers[0]).name
    if not site.called:
        return Declined(f"{name} is handed on: its call is not in sight")
    wrapper = _read(context, trees, helpers[0])
    if wrapper is None:
        return Declined(f"{name} {_NOT_PLAIN}")
    self_name = self_at(context, site)
    if isinstance(self_name, Declined):
        return self_name
    call = trees.call_node(site.file, site.place)
    arguments = None if call is None else _mapped(trees, site.file, call, wrapper)
    if call is None or arguments is None:
        return Declined(f"the arguments of this call of {name} cannot be mapped one by one")
    mounted = mounts.mount(site.user, wrapper.found)
    if isinstance(mounted, Declined):
        return mounted
    signature = mounted.signature
    if signature is not None and len(arguments) != len(signature.inputs):
        if not returns_all_gradients(context, trees, wrapper.found.cls, signature):
            return Declined(f"{name} leaves out defaults of the Function's forward")
    source = f"{self_name}.{mounted.attribute}({', '.join(arguments)})"
    edit = Replace(context.span(site.file, site.place), source)
    function: Value = wrapper.found.cls
    return Fix(title(context, function, mounted), (*mounted.edits, edit), safe=safe)


def _read(context: Context, trees: Trees, helper: Value) -> _Wrapper | None:
    world = context.world
    _, file, index, _, _ = helper
    fact = world.files[file].functions[index]
    node = trees.function_node(file, index)
    if node is None or fact.class_index >= 0 or fact.parent != 0 or node.decorator_list:
        return None
    call = _sole_apply(node)
    parameters = _parameters(node)
    if call is None or parameters is None or len(fact.calls) != 1:
        return None
    found = origin(world, file, world.files[file].exprs[fact.calls[0]][1])
    handed = call.args
    plain = all(
        isinstance(item, ast.Constant) or (isinstance(item, ast.Name) and item.id in parameters)
        for item in handed
    )
    if found is None or not found.is_apply or call.keywords or not plain:
        return None
    return _Wrapper(found, parameters, handed)


def _sole_apply(node: FunctionNode) -> ast.Call | None:
    body = node.body
    if isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant):
        body = body[1:]
    if len(body) != 1 or not isinstance(body[0], ast.Return):
        return None
    return body[0].value if isinstance(body[0].value, ast.Call) else None


def _parameters(node: FunctionNode) -> dict[str, ast.expr | None] | None:
    arguments = node.args
    if arguments.vararg or arguments.kwarg:
        return None
    given = [*arguments.posonlyargs, *arguments.args]
    defaults: list[ast.expr | None] = [None] * (len(given) - len(arguments.defaults))
    pairs = list(zip(given, [*defaults, *arguments.defaults], strict=True))
    pairs += list(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
    if not all(default is None or _is_literal(default) for _, default in pairs):
        return None
    return {parameter.arg: default for parameter, default in pairs}


def _is_literal(node: ast.expr) -> bool:
    if isinstance(node, ast.UnaryOp):
        node = node.operand
    return isinstance(node, ast.Constant)


def _mapped(trees: Trees, file: int, call: ast.Call, wrapper: _Wrapper) -> list[str] | None:
    """The shell's arguments as source, in the order in which they are evaluated."""
    bound: dict[str, ast.expr] = {}
    names = list(wrapper.parameters)
    if any(isinstance(item, ast.Starred) for item in call.args) or len(call.args) > len(names):
        return None
    bound.update(zip(names, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg not in wrapper.parameters or keyword.arg in bound:
            return None
        bound[keyword.arg] = keyword.value
    written = list(bound.values())
    names_used = [item.id for item in wrapper.handed if isinstance(item, ast.Name)]
    used = [bound[name] for name in names_used if name in bound]
    effects = [node for node in written if not _is_plain(node)]
    if [node for node in used if not _is_plain(node)] != effects:
        return None
    parts: list[str] = []
    for item in wrapper.handed:
        if isinstance(item, ast.Constant):
            parts.append(ast.unparse(item))
            continue
        assert isinstance(item, ast.Name)
        default = wrapper.parameters[item.id]
        if item.id in bound:
            source = trees.source(file, bound[item.id])
            parts.append(f"({source})" if isinstance(bound[item.id], ast.NamedExpr) else source)
        elif default is not None:
            parts.append(ast.unparse(default))
        else:
            return None
    return parts


def _is_plain(node: ast.expr) -> bool:
    """Whether it does not matter when, or how often, an argument is evaluated."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name | ast.Constant)
