"""FNM201, FNM205, FNM206 and FNM207: a shell that is there already, used as one should."""

from __future__ import annotations

import ast

from fnmodule_lint.checks import shell_sites
from fnmodule_lint.checks.context import Context
from fnmodule_lint.checks.shell_sites import Construction
from fnmodule_lint.fixes.edits import Declined, Fix, Replace
from fnmodule_lint.fixes.mounts import Mounts
from fnmodule_lint.fixes.sites import returns_all_gradients
from fnmodule_lint.fixes.trees import Trees
from fnmodule_lint.signatures import function_signature, shell_forward
from fnmodule_lint.values import Value


def plan_signature(
    context: Context, trees: Trees, mounts: Mounts, file: int, call: int
) -> Fix | Declined:
    """A construction ``FunctionModule(A)`` becomes one of a subclass with a signature."""
    world = context.world
    site = _construction_at(context, file, call)
    if site is None:
        return Declined("which Function this shell holds is not in sight")
    functions = shell_sites.functions(world, shell_sites.given(world, site)[1])
    if len(functions) != 1:
        return Declined("the Function is chosen at run time")
    function, name = functions[0], world.class_name(functions[0])
    if site.shell not in world.roots["shell"]:
        return Declined(f"{world.class_name(site.shell)} is a shell class of your own")
    user = world.own_class(file, world.method_of(file, world.call_scope(file, call)))
    if user is None and function[1] != file:
        return Declined(f"there is no place for a shell class of {name}")
    shell = mounts.shells.for_function(file, function, user or function)
    if isinstance(shell, Declined):
        return shell
    signature = function_signature(world, function)
    if signature is not None and signature.least < len(signature.inputs):
        if not returns_all_gradients(context, trees, function, signature):
            return Declined(
                f"{name}.forward has defaults, and its backward may return gradients for the "
                "given inputs only"
            )
    func = int(world.files[file].exprs[call][1])
    edit = Replace(context.span(file, func), shell.name)
    return Fix(f"Name the inputs of {name} in {shell.name}", (*shell.edits, edit))


def plan_call(context: Context, trees: Trees, file: int, call: int) -> Fix | Declined:
    """``shell.forward(...)``, ``shell._fn.apply(...)`` and ``shell.apply(...)`` become a call."""
    node = trees.call_node(file, call)
    if node is None or not isinstance(node.func, ast.Attribute):
        return Declined("the call is not in sight")
    shell = node.func.value
    if context.goes_through_fn(file, int(context.world.files[file].exprs[call][1])):
        assert isinstance(shell, ast.Attribute)
        shell = shell.value
        problem = _differs_from_apply(context, trees, file, call)
        if problem:
            return Declined(problem)
    source = trees.source(file, shell)
    if "\n" in source:
        return Declined("the shell's expression spans several lines")
    func = int(context.world.files[file].exprs[call][1])
    edit = Replace(context.span(file, func), source)
    return Fix(f"Call {source} itself", (edit,))


def _construction_at(context: Context, file: int, call: int) -> Construction | None:
    for site in shell_sites.constructions(context.world):
        if (site.file, site.call) == (file, call):
            return site
    return None


def _differs_from_apply(context: Context, trees: Trees, file: int, call: int) -> str:
    """Why a call of the shell is not what its ``_fn.apply`` is; "" if it is."""
    world = context.world
    exprs = world.files[file].exprs
    through = exprs[exprs[exprs[call][1]][1]][1]
    method = world.method_of(file, world.call_scope(file, call))
    values = world.expr(file, through, world.own_class(file, method))
    for shell in shell_sites.shell_instances(world, values):
        cls: Value = shell[1]
        if shell_forward(world, cls) is not None and not hands_on_all(trees, cls):
            return f"{world.class_name(cls)}.forward does more than hand on its inputs"
    return ""


def hands_on_all(trees: Trees, shell: Value) -> bool:
    """Whether a shell's forward is one ``return`` of an apply of its own parameters."""
    node = trees.class_node(shell) if shell[0] == "cls" else None
    if node is None:
        return False
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name == "forward":
            last = item.body[-1]
            call = last.value if isinstance(last, ast.Return) else None
            names = [parameter.arg for parameter in item.args.args[1:]]
            return (
                len(item.body) <= 2
                and isinstance(call, ast.Call)
                and not call.keywords
                and [ast.unparse(argument) for argument in call.args] == names
            )
    return False
