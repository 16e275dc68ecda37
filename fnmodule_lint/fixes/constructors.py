"""Whether a Module class can register a shell, and where: its ``__init__`` and what runs it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from fnmodule_lint import known
from fnmodule_lint.fixes.children import goes_through_children
from fnmodule_lint.fixes.edits import Declined, Place
from fnmodule_lint.fixes.trees import FunctionNode, Trees
from fnmodule_lint.values import Value
from fnmodule_lint.world import World

_STAGES = frozenset({"Sequential", "ModuleList", "ModuleDict", "ParameterList", "ParameterDict"})
_GENERATED = frozenset(
    {"dataclass", "attrs", "attr", "s", "define", "frozen", "mutable", "struct", "script"}
)
_HARMLESS_BASES = frozenset({"ABC", "Generic", "Protocol", "object"})
_TAKES_OVER = ("__new__", "__setattr__", "__init_subclass__")


@dataclass(frozen=True)
class Constructor:
    """Where a class registers: after a statement of its ``__init__``, or in a new one.

    ``scope`` is the scope of the ``__init__`` in the facts, -1 for a new one.
    """

    place: Place
    self_name: str = "self"
    after: tuple[int, int] | None = None
    parameters: str = ""
    handed: str = ""
    scope: int = -1


class Constructors:
    """Answers for the classes of one world."""

    def __init__(self, world: World, trees: Trees) -> None:
        self._world = world
        self._trees = trees
        self._unmade = frozenset(_made_without_init(world, trees))
        self._scripted = frozenset(_scripted(world))
        self._known: dict[Value, Constructor | Declined] = {}

    def of(self, cls: Value) -> Constructor | Declined:
        """Where ``cls`` can register a shell, or why it cannot."""
        if cls not in self._known:
            self._known[cls] = self._find(cls)
        return self._known[cls]

    def _find(self, cls: Value) -> Constructor | Declined:
        world, name = self._world, self._world.class_name(cls)
        node, place = self._trees.class_node(cls), self._trees.place(cls)
        if node is None or place is None:
            return Declined(f"{name} is no class statement")
        if not world.is_module(cls):
            return Declined(f"{name} is a mixin, whose constructor need not be a Module's")
        line = [item for item in world.mro(cls) if item[0] == "cls"]
        family = list(dict.fromkeys([*line, *world.construction.subclasses(cls)]))
        reason = self._unsuitable(cls, node, line) or self._depends_on_children(family)
        reason = reason or self._subclass_skips_init(cls)
        if reason:
            return Declined(reason)
        found = self._own_init(cls, node, place)
        return found if found is not None else self._new_init(cls, place)

    # -- classes that are left alone ---------------------------------------------------

    def _unsuitable(self, cls: Value, node: ast.ClassDef, line: list[Value]) -> str:
        world, name = self._world, self._world.class_name(cls)
        for base in world.mro(cls):
            last = world.class_name(base)
            if base[0] == "ext" and base[1].startswith("torch.nn.") and last in _STAGES:
                return f"{name} is an nn.{last}, in which an attribute becomes a stage"
            if base[0] == "ext" and base[1].startswith("torch.jit."):
                return f"{name} is a ScriptModule, and TorchScript cannot script a shell"
        for item in line:
            tree = self._trees.class_node(item)
            if tree is not None and len(_bases(tree)) > 1:
                return f"{world.class_name(item)} inherits from several classes"
        for decorator in node.decorator_list:
            if _last_name(decorator) in _GENERATED:
                return f"a decorator writes the constructor of {name}"
        for item in line:
            facts = world.files[item[1]]
            bindings = facts.scopes[facts.classes[item[2]].scope].bindings
            for method in _TAKES_OVER:
                if method in bindings:
                    return f"{world.class_name(item)} defines {method}"
        if cls in self._unmade or name in self._unmade:
            return f"instances of {name} are made without running __init__"
        if self._is_scripted(cls, node):
            return f"{name} is used under torch.jit.script, which cannot script a shell"
        return ""

    def _is_scripted(self, cls: Value, node: ast.ClassDef) -> bool:
        """Whether TorchScript compiles the class, or would but for parts that it is told of."""
        return cls in self._scripted or bool(_names(node) & {"jit", "is_scripting"})

    def _depends_on_children(self, family: list[Value]) -> str:
        for item in family:
            node = self._trees.class_node(item)
            if node is not None and goes_through_children(node):
                owner = self._world.class_name(item)
                return f"{owner} goes through its children, of which a shell is one"
        return ""

    def _subclass_skips_init(self, cls: Value) -> str:
        world = self._world
        for item in world.construction.subclasses(cls):
            if item == cls:
                continue
            for step in world.mro(item):
                if step == cls:
                    break
                if step[0] != "cls":
                    continue
                node = self._init_node(step)
                if node is not None and _init_call(node, world.class_name(step)) is None:
                    return (
                        f"{world.class_name(step)}.__init__, of a subclass, does not call "
                        "super().__init__() in plain sight"
                    )
        return ""

    # -- where to register --------------------------------------------------------------

    def _init_node(self, cls: Value) -> FunctionNode | None:
        index = self._init_index(cls)
        return self._trees.function_node(cls[1], index) if index >= 0 else None

    def _init_index(self, cls: Value) -> int:
        facts = self._world.files[cls[1]]
        bindings = facts.scopes[facts.classes[cls[2]].scope].bindings.get("__init__", [])
        return int(bindings[-1].value) if bindings and bindings[-1].kind == "def" else -1

    def _own_init(
        self, cls: Value, node: ast.ClassDef, place: Place
    ) -> Constructor | Declined | None:
        name = self._world.class_name(cls)
        init = self._init_node(cls)
        if init is None:
            facts = self._world.files[cls[1]]
            if "__init__" in facts.scopes[facts.classes[cls[2]].scope].bindings:
                return Declined(f"{name}.__init__ is no plain method")
            return None
        statement = _init_call(init, name)
        if statement is None or not init.args.args or init not in node.body:
            return Declined(f"{name}.__init__ does not call super().__init__() in plain sight")
        column = self._trees.column(cls[1], statement.lineno, statement.col_offset)
        scope = self._world.files[cls[1]].functions[self._init_index(cls)].scope
        return Constructor(place, init.args.args[0].arg, (statement.lineno, column), scope=scope)

    def _new_init(self, cls: Value, place: Place) -> Constructor:
        for base in self._world.mro(cls)[1:]:
            if base[0] == "ext" and known.is_module_base(base[1]):
                return Constructor(place)
            if base[0] != "cls":
                break
            init = self._init_node(base)
            if init is not None:
                plain = _plain_parameters(init)
                if plain is not None:
                    return Constructor(place, parameters=plain[0], handed=plain[1])
                break
        return Constructor(place, parameters="*args, **kwargs", handed="*args, **kwargs")


def _init_call(init: FunctionNode, cls: str) -> ast.stmt | None:
    """The statement of an ``__init__`` that runs the base's; None if not in plain sight."""
    for statement in init.body:
        if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Call):
            continue
        func = statement.value.func
        if not isinstance(func, ast.Attribute) or func.attr != "__init__":
            continue
        base = func.value
        if isinstance(base, ast.Call):
            if isinstance(base.func, ast.Name) and base.func.id == "super":
                own = base.args[:1]
                if not own or (isinstance(own[0], ast.Name) and own[0].id == cls):
                    return statement
        elif isinstance(base, ast.Name | ast.Attribute) and statement.value.args:
            return statement
    return None


def _plain_parameters(init: FunctionNode) -> tuple[str, str] | None:
    """The parameters of an ``__init__`` and how to hand them on; None if they are not plain."""
    arguments = init.args
    if arguments.vararg or arguments.kwarg or arguments.posonlyargs or arguments.kwonlyargs:
        return None
    names = [item.arg for item in arguments.args[1:]]
    defaults = [
        ast.unparse(item) if isinstance(item, ast.Constant) else None for item in arguments.defaults
    ]
    if None in defaults:
        return None
    padded = [None] * (len(names) - len(defaults)) + defaults
    written = [n if d is None else f"{n}={d}" for n, d in zip(names, padded, strict=True)]
    return ", ".join(written), ", ".join(names)


def _made_without_init(world: World, trees: Trees) -> Iterator[Value | str]:
    """Classes (or their names) that ``__new__`` or an assignment to ``__class__`` makes."""
    for file, facts in enumerate(world.files):
        for call, _ in facts.calls:
            _, func, args, _ = facts.exprs[call]
            if facts.exprs[func][0] == "A" and facts.exprs[func][2] == "__new__":
                for item in [facts.exprs[func][1], *(item for _, item in args)]:
                    yield from (v for v in world.expr(file, item, None) if v[0] == "cls")
        if "__class__" in trees.text(file):
            for node in ast.walk(trees.module(file)):
                if isinstance(node, ast.Assign) and any(
                    isinstance(target, ast.Attribute) and target.attr == "__class__"
                    for target in node.targets
                ):
                    yield _last_name(node.value)


def _scripted(world: World) -> Iterator[Value]:
    """Classes that are, or whose instances are, handed to ``torch.jit.script``."""
    for file, facts in enumerate(world.files):
        for call, _ in facts.calls:
            _, func, args, _ = facts.exprs[call]
            if ("ext", "torch.jit.script") in world.expr(file, func, None):
                for _, item in args:
                    for value in world.expr(file, item, None):
                        yield value[1] if value[0] == "inst" else value


def _bases(node: ast.ClassDef) -> list[ast.expr]:
    return [
        base
        for base in node.bases
        if _last_name(base.value if isinstance(base, ast.Subscript) else base)
        not in _HARMLESS_BASES
    ]


def _names(node: ast.AST) -> set[str]:
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            found.add(part.id)
        elif isinstance(part, ast.Attribute):
            found.add(part.attr)
    return found


def _last_name(node: ast.expr) -> str:
    if isinstance(node, ast.Call):
        node = node.func
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""
