"""Which shell a Function takes in a file: FunctionModule itself, or a class with a signature."""

from __future__ import annotations

import ast
import builtins
from dataclasses import dataclass

from fnmodule_lint.facts import CLASS, MODULE, live_bindings
from fnmodule_lint.fixes import naming
from fnmodule_lint.fixes.edits import Declined, Edit, Import, NewClass
from fnmodule_lint.fixes.trees import Trees
from fnmodule_lint.signatures import Signature, function_forward, function_signature
from fnmodule_lint.values import Value
from fnmodule_lint.world import World


@dataclass(frozen=True)
class Shell:
    """The class to construct (its name in the file), and what has to be added for it.

    ``signature`` is what its forward takes; None for a variadic one.
    """

    name: str
    edits: tuple[Edit, ...]
    signature: Signature | None


@dataclass(frozen=True)
class _Written:
    """A forward's parameters, and the arguments that hand them on."""

    parameters: str
    handed: str
    returns: str


class ShellClasses:
    """Chooses shells, and remembers the classes that it has planned."""

    def __init__(self, world: World, trees: Trees) -> None:
        self._world = world
        self._trees = trees
        self._planned: dict[tuple[int, Value], Shell] = {}
        self._taken: dict[int, set[str]] = {}

    def for_function(self, file: int, function: Value, user: Value) -> Shell | Declined:
        """The shell for ``function`` in the Module class ``user`` of ``file``."""
        signature = function_signature(self._world, function)
        if signature is not None and not needs_class(signature):
            return self._plain(file)
        name = self._world.class_name(function)
        if signature is None:
            return Declined(f"the forward of {name} is not in sight")
        if (file, function) in self._planned:
            return self._planned[file, function]
        existing = self._existing(file, function, signature)
        return existing or self._new(file, function, user, signature)

    # -- FunctionModule itself --------------------------------------------------------------

    def _plain(self, file: int) -> Shell | Declined:
        found = self.base(file)
        if isinstance(found, Declined):
            return found
        name, edits = found
        return Shell(name, edits, None)

    def base(self, file: int) -> tuple[str, tuple[Edit, ...]] | Declined:
        """The name of FunctionModule in ``file``, with the import that gives it."""
        world = self._world
        bindings = world.files[file].scopes[0].bindings
        for name in sorted(bindings):
            live = live_bindings(bindings[name], None)
            if len(live) == 1 and live[0].straight:
                values = world.binding_values(file, live[0], None)
                if values and values <= world.roots["shell"]:
                    return name, ()
        dotted = world.settings.function_module[0]
        module, _, name = dotted.rpartition(".")
        if name in self.taken(file):
            return Declined(f"the name {name} means something else in this file")
        problem = self._shadowed(module, dotted)
        if problem:
            return Declined(problem)
        return name, (Import(world.paths[file], module, name),)

    def _shadowed(self, module: str, dotted: str) -> str:
        """Whether the project has a package in the place of the one that is to be imported."""
        root = module.partition(".")[0]
        if self._world.own_module(root) and not self._world.named(dotted):
            return (
                f"this project has a module {root} of its own, without {dotted}: "
                "run `fnmodule-lint vendor` and set `function-module`"
            )
        return ""

    def taken(self, file: int) -> set[str]:
        """Names that mean something in a file: bound, read, built in or planned."""
        if file not in self._taken:
            facts = self._world.files[file]
            names = {name for scope in facts.scopes for name in scope.bindings}
            names.update(str(expr[2]) for expr in facts.exprs if expr[0] == "N")
            self._taken[file] = names.union(dir(builtins))
        return self._taken[file]

    # -- a class with a signature ---------------------------------------------------------------

    def _existing(self, file: int, function: Value, signature: Signature) -> Shell | None:
        """A shell class with this signature, made for the Function, that the file can name."""
        world = self._world
        stem = naming.stem(world.class_name(function))
        for name, bindings in sorted(world.files[file].scopes[0].bindings.items()):
            live = live_bindings(bindings, None)
            if len(live) != 1 or not live[0].straight:
                continue
            for value in world.binding_values(file, live[0], None):
                if value[0] == "cls" and world.is_function_module(value):
                    fits = self._hands_on(value, signature)
                    if fits and stem.lower() in world.class_name(value).lower():
                        return Shell(name, (), signature)
        return None

    def _hands_on(self, shell: Value, signature: Signature) -> bool:
        """Whether a shell's forward has the Function's parameters and hands on all of them."""
        node = self._trees.class_node(shell)
        if node is None or [item.name for item in _methods(node)] != ["forward"]:
            return False
        forward = _methods(node)[0]
        names = [item.arg for item in forward.args.args[1:]]
        wanted = [item.name for item in signature.inputs]
        last = forward.body[-1]
        if names != wanted or not isinstance(last, ast.Return):
            return False
        call = last.value
        return isinstance(call, ast.Call) and [ast.unparse(item) for item in call.args] == names

    def _new(
        self, file: int, function: Value, user: Value, signature: Signature
    ) -> Shell | Declined:
        world, name = self._world, self._world.class_name(function)
        base = self.base(file)
        if isinstance(base, Declined):
            return base
        written = self._forward(function, same_file=function[1] == file)
        if isinstance(written, Declined):
            return written
        beside = function[1] == file and self._is_open(function)
        anchor = function if beside else user
        place = self._trees.place(anchor)
        if place is None or not self._is_open(anchor):
            return Declined(f"there is no place for a shell class of {name}")
        if function[1] == file and not beside:
            return Declined(f"{name} is not defined at the top level of a module or function")
        own = naming.class_name(name, self.taken(file))
        self.taken(file).add(own)
        returns = f" -> {written.returns}" if written.returns else ""
        lines = (
            (1, f"def forward(self, {written.parameters}){returns}:"),
            (2, f"return self._fn.apply({written.handed})"),
        )
        created = NewClass(place, not beside, own, base[0], lines)
        shell = Shell(own, (*base[1], created), signature)
        if world.files[file].scopes[self._parent(anchor)].kind == MODULE:
            self._planned[file, function] = shell
        return shell

    def _parent(self, cls: Value) -> int:
        return self._world.files[cls[1]].classes[cls[2]].parent

    def _is_open(self, cls: Value) -> bool:
        """Whether what stands beside the class can be named by code in methods."""
        facts = self._world.files[cls[1]]
        parent = facts.scopes[self._parent(cls)]
        if parent.kind == CLASS:
            return False
        bindings = parent.bindings.get(self._world.class_name(cls), [])
        return len(bindings) == 1 and bindings[0].straight

    def _forward(self, function: Value, *, same_file: bool) -> _Written | Declined:
        name = self._world.class_name(function)
        found = function_forward(self._world, function)
        node = self._trees.function_node(found[0], found[1]) if found else None
        if found is None or node is None:
            return Declined(f"the forward of {name} is not in sight")
        arguments = node.args
        if arguments.kwonlyargs or arguments.kwarg:
            return Declined(
                f"{name}.forward has keyword-only parameters, which apply cannot hand on"
            )
        given = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(given) - len(arguments.defaults))
        defaults += arguments.defaults
        in_place = same_file and found[0] == function[1]
        parts, handed = [], []
        for parameter, default in list(zip(given, defaults, strict=True))[found[2] :]:
            if default is not None and not (in_place or isinstance(default, ast.Constant)):
                return Declined(
                    f"{name}.forward has the default {ast.unparse(default)}, which only its "
                    "own module can name"
                )
            parts.append(_parameter(parameter, default, annotated=in_place))
            handed.append(parameter.arg)
        if arguments.vararg is not None:
            if not parts:
                return Declined(
                    f"{name}.forward takes *{arguments.vararg.arg} only: no names to bind"
                )
            parts.append("*" + _parameter(arguments.vararg, None, annotated=in_place))
            handed.append("*" + arguments.vararg.arg)
        if "self" in handed:
            return Declined(f"{name}.forward has an input named self")
        returns = ast.unparse(node.returns) if in_place and node.returns is not None else ""
        return _Written(", ".join(parts), ", ".join(handed), returns)


def needs_class(signature: Signature) -> bool:
    """Whether a variadic shell would not bind the Function's inputs."""
    tensors = signature.tensors
    if len(tensors) >= 2 or (signature.most is None):
        return True
    return len(tensors) == 1 and signature.inputs[0] != tensors[0]


def _parameter(parameter: ast.arg, default: ast.expr | None, *, annotated: bool) -> str:
    text = parameter.arg
    if annotated and parameter.annotation is not None:
        text += f": {ast.unparse(parameter.annotation)}"
        return text if default is None else f"{text} = {ast.unparse(default)}"
    return text if default is None else f"{text}={ast.unparse(default)}"


def _methods(node: ast.ClassDef) -> list[ast.FunctionDef]:
    return [item for item in node.body if isinstance(item, ast.FunctionDef)]
