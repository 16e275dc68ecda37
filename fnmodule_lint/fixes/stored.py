"""FNM101 through an attribute: ``self.f = A.apply`` becomes a shell, its calls stay as they are.

``self.f = A`` with calls of ``self.f.apply`` is the same with the calls rewritten.
"""

from __future__ import annotations

from collections.abc import Iterator

from fnmodule_lint import known
from fnmodule_lint.checks.context import Context
from fnmodule_lint.fixes.edits import Declined, Edit, Fix, Replace
from fnmodule_lint.fixes.mounts import Mounts
from fnmodule_lint.fixes.origins import Origin, origin
from fnmodule_lint.fixes.sites import Site, call_problem
from fnmodule_lint.fixes.trees import Trees
from fnmodule_lint.values import Value
from fnmodule_lint.world import World

_RUN_TIME = "the Function is chosen at run time"


def attribute_of(context: Context, site: Site) -> tuple[str, bool] | None:
    """The attribute of ``self`` that holds the Function, and whether it is the class.

    None where the reference is not of that form.
    """
    exprs = context.world.files[site.file].exprs
    index, holds_class = site.reference(context), False
    if exprs[index][0] == "A" and exprs[index][2] == "apply":
        index, holds_class = exprs[index][1], True
    if exprs[index][0] != "A" or exprs[exprs[index][1]][0] != "N":
        return None
    values = context.world.expr(site.file, exprs[index][1], site.user)
    if not any(value[0] == "inst" and value[1] == site.user for value in values):
        return None
    return str(exprs[index][2]), holds_class


def plan(
    context: Context, trees: Trees, mounts: Mounts, site: Site, attribute: str, holds_class: bool
) -> Fix | Declined:
    """The fix of one site whose Function is kept in ``self.attribute``."""
    world = context.world
    if attribute in known.MODULE_ATTRIBUTES:
        return Declined(f"nn.Module has a {attribute} of its own, which would hide the shell")
    family = [*world.mro(site.user), *world.construction.subclasses(site.user)]
    family = list(dict.fromkeys(cls for cls in family if cls[0] == "cls"))
    edits: list[Edit] = []
    names: list[str] = []
    for cls in family:
        facts = world.files[cls[1]]
        if attribute in facts.scopes[facts.classes[cls[2]].scope].bindings:
            return Declined(f"{attribute} is set in the body of {world.class_name(cls)}")
        for value, function in facts.classes[cls[2]].stores.get(attribute, ()):
            done = _store(context, trees, mounts, site, cls, value, function, holds_class)
            if isinstance(done, Declined):
                return done
            edits.extend(done[0])
            names.extend(done[1])
    if not edits:
        return Declined(_RUN_TIME)
    uses = _uses(context, attribute, holds_class)
    if isinstance(uses, Declined):
        return uses
    title = f"Mount {' and '.join(dict.fromkeys(names))} as self.{attribute}"
    return Fix(title, tuple(dict.fromkeys([*edits, *uses])))


def _store(
    context: Context,
    trees: Trees,
    mounts: Mounts,
    site: Site,
    cls: Value,
    value: int,
    function: int,
    holds_class: bool,
) -> tuple[list[Edit], list[str]] | Declined:
    """The edits of one ``self.attribute = value``, and the Functions in it."""
    world = context.world
    facts = world.files[cls[1]]
    constructor = mounts.constructors.of(cls)
    if isinstance(constructor, Declined):
        return constructor
    fact = facts.functions[function] if function >= 0 else None
    if fact is None or fact.name != "__init__" or constructor.after is None:
        return Declined("the attribute is set outside of __init__")
    line, column, _, _ = facts.spans[value]
    if (line, column) < constructor.after:
        return Declined("the attribute is set before super().__init__()")
    edits: list[Edit] = []
    names = []
    for item, found in _arms(world, cls[1], value):
        if found is None or found.is_apply == holds_class or found.written != (cls[1], item):
            aliased = found is not None and found.is_apply != holds_class
            if not aliased:
                return Declined(_RUN_TIME)
        assert found is not None
        made = mounts.value(cls, found, fact.scope)
        if isinstance(made, Declined):
            return made
        problem = call_problem(context, trees, site, made[1].signature, found.cls)
        if problem:
            return Declined(problem)
        edits.extend([*made[1].edits, Replace(context.span(cls[1], item), made[0])])
        names.append(world.class_name(found.cls))
    return edits, names


def _arms(world: World, file: int, value: int) -> Iterator[tuple[int, Origin | None]]:
    """The expressions that a stored value can be, and the Function that each is."""
    todo = [value]
    while todo:
        item = todo.pop(0)
        expr = world.files[file].exprs[item]
        if expr[0] == "O":
            todo[:0] = expr[1]
        else:
            yield item, origin(world, file, item)


def _uses(context: Context, attribute: str, holds_class: bool) -> list[Edit] | Declined:
    """Every other use of the attribute's name: each must do with a shell in its place."""
    world = context.world
    edits: list[Edit] = []
    for file, facts in enumerate(world.files):
        through = {
            expr[1]: (index, expr[2]) for index, expr in enumerate(facts.exprs) if expr[0] == "A"
        }
        for index, expr in enumerate(facts.exprs):
            if expr[0] != "A" or expr[2] != attribute or facts.spans[index] == (0, 0, 0, 0):
                continue
            outer = through.get(index)
            if holds_class:
                if outer is None or outer[1] != "apply":
                    return Declined(f"`{context.source(file, index)}` is used without apply, too")
                source = context.source(file, index)
                edits.append(Replace(context.span(file, outer[0]), source))
            elif outer is not None:
                text = context.source(file, outer[0])
                return Declined(f"`{text}` would mean the shell's own {outer[1]}")
    return edits
