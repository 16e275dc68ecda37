"""One file's ``ast`` to its :class:`~fnmodule_lint.facts.FileFacts`; no other file is looked at.

Nothing here recurses on the source: statements go through a work list and expressions
through an explicit post-order, since a sum of 2,000 terms is legal Python.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from fnmodule_lint.extract_settle import Collected, Store, settle
from fnmodule_lint.extract_signatures import method_kind, parameters, sole_call
from fnmodule_lint.facts import (
    CLASS,
    COMPREHENSION,
    FUNCTION,
    MODULE,
    Binding,
    Class,
    Expr,
    FileFacts,
    Function,
    Mention,
    Scope,
    Star,
    order_of,
)
from fnmodule_lint.syntax import PARTS, any_parts, constant_text, root_name, type_checking

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.GeneratorExp, ast.DictComp)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_COLLECT_ONE = frozenset({"append", "add", "insert", "setdefault", "appendleft"})
_COLLECT_MANY = frozenset({"extend", "update"})
_TYPE_TESTS = frozenset({"isinstance", "issubclass"})
_REGISTER = frozenset({"add_module", "register_module", "__setattr__"})


def extract(tree: ast.Module) -> FileFacts:
    """The facts of the parsed module ``tree``, which is left as it is."""
    extractor = _Extractor()
    extractor.run(tree)
    return extractor.facts


class _Extractor:
    def __init__(self) -> None:
        self.facts = FileFacts()
        self.exprs = self.facts.exprs
        self.spans = self.facts.spans
        self.blocks: list[tuple[list[ast.stmt], int, bool, str]] = []
        self.lambdas: list[tuple[ast.Lambda, int, str]] = []
        self.chains: dict[int, tuple[int, tuple[str, ...], str]] = {}
        self.stores: list[Store] = []
        self.collected: list[Collected] = []
        self.order = 0

    # -- driving -----------------------------------------------------------------

    def run(self, tree: ast.Module) -> None:
        self.facts.scopes.append(Scope(MODULE, -1))
        self.new_expr(("?",), None)
        self.blocks.append((tree.body, 0, True, ""))
        while self.blocks or self.lambdas:
            while self.blocks:
                statements, scope, straight, owner = self.blocks.pop()
                for statement in statements:
                    self.statement(statement, scope, straight, owner)
            while self.lambdas:
                node, function, owner = self.lambdas.pop()
                fact = self.facts.functions[function]
                fact.returns.append(self.lower(node.body, fact.scope, owner))
        self.finish()

    def new_expr(self, expr: Expr, node: ast.expr | None) -> int:
        self.exprs.append(expr)
        if node is None:
            self.spans.append((0, 0, 0, 0))
        else:
            self.spans.append(
                (
                    node.lineno,
                    node.col_offset,
                    node.end_lineno or node.lineno,
                    node.end_col_offset or node.col_offset,
                )
            )
        return len(self.exprs) - 1

    def new_scope(self, kind: str, parent: int, function: int, owner: int = -1) -> int:
        self.facts.scopes.append(Scope(kind, parent, function, owner))
        return len(self.facts.scopes) - 1

    def bind(self, scope: int, name: str, kind: str, value: Any, straight: bool) -> None:
        found = self.facts.scopes[scope].bindings.setdefault(name, [])
        found.append(Binding(kind, value, self.order, straight))

    # -- statements ----------------------------------------------------------------

    def statement(self, node: ast.stmt, scope: int, straight: bool, owner: str) -> None:
        self.order = order_of(node.end_lineno or node.lineno, node.end_col_offset or 0)
        handler = _STATEMENTS.get(type(node), _Extractor.other)
        handler(self, node, scope, straight, owner)

    def block(self, statements: list[ast.stmt], scope: int, straight: bool, owner: str) -> None:
        if statements:
            self.blocks.append((statements, scope, straight, owner))

    def other(self, node: ast.stmt, scope: int, straight: bool, owner: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.lower(child, scope, owner)

    def expression(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        if type(node.value) is not ast.Constant:
            self.lower(node.value, scope, owner or root_name(node.value))

    def assign(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        if node.value is None:
            return
        name = owner or root_name(targets[0])
        value = self.lower(node.value, scope, name)
        if isinstance(node.value, ast.Lambda) and self.facts.scopes[scope].kind == CLASS:
            self.make_method(self.exprs[value][1], self.facts.scopes[scope].owner)
        for target in targets:
            self.bind_target(
                target, value, scope, straight and not isinstance(node, ast.AugAssign), name
            )
            extra = root_name(target)
            if not owner and scope == 0 and extra != name:
                self.mention(value, extra)

    def make_method(self, function: int, class_index: int) -> None:
        """Let a lambda that a class body gives a name be a method."""
        fact = self.facts.functions[function]
        fact.class_index, fact.method = class_index, function
        self.facts.classes[class_index].methods.append(function)

    def mention(self, value: int, owner: str) -> None:
        if value in self.chains:
            scope, chain, _ = self.chains[value]
            self.facts.mentions.append(Mention(owner, scope, chain))

    def bind_target(
        self, target: ast.expr, value: int, scope: int, straight: bool, owner: str
    ) -> None:
        todo: list[tuple[ast.expr, int]] = [(target, value)]
        while todo:
            node, expr = todo.pop()
            if isinstance(node, ast.Name):
                self.bind(scope, node.id, "value", expr, straight)
            elif isinstance(node, ast.Tuple | ast.List):
                starred = False
                for index, item in enumerate(node.elts):
                    starred = starred or isinstance(item, ast.Starred)
                    todo.append((item, self.new_expr(("U", expr, -1 if starred else index), item)))
            elif isinstance(node, ast.Starred):
                todo.append((node.value, self.new_expr(("?",), node)))
            elif isinstance(node, ast.Attribute):
                self.stores.append(
                    Store(self.lower(node.value, scope, owner), node.attr, expr, scope)
                )
            elif isinstance(node, ast.Subscript):
                base = self.lower(node.value, scope, owner)
                key = self.lower(node.slice, scope, owner)
                self.facts.item_stores.append((key, expr))
                self.collected.append(Collected(base, False, expr))

    def returning(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        if node.value is None:
            return
        value = self.lower(node.value, scope, owner)
        function = self.facts.scopes[scope].function
        if function >= 0:
            self.facts.functions[function].returns.append(value)

    def conditional(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        kind = type_checking(node.test)
        if kind == "yes":
            self.block(node.orelse, scope, straight, owner)
        elif kind == "no":
            self.block(node.body, scope, straight, owner)
        else:
            self.lower(node.test, scope, owner)
            self.block(node.body, scope, False, owner)
            self.block(node.orelse, scope, False, owner)

    def loop(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        if isinstance(node, ast.While):
            self.lower(node.test, scope, owner)
        else:
            name = owner or root_name(node.target)
            iterable = self.lower(node.iter, scope, name)
            element = self.new_expr(("E", iterable), node.target)
            self.bind_target(node.target, element, scope, False, name)
        self.block(node.body, scope, False, owner)
        self.block(node.orelse, scope, False, owner)

    def trying(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        self.block(node.body, scope, False, owner)
        self.block(node.orelse, scope, False, owner)
        self.block(node.finalbody, scope, straight, owner)
        for handler in node.handlers:
            if handler.type is not None:
                self.lower(handler.type, scope, owner)
            if handler.name:
                self.bind(scope, handler.name, "unknown", None, False)
            self.block(handler.body, scope, False, owner)

    def entering(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        for item in node.items:
            value = self.lower(item.context_expr, scope, owner)
            if item.optional_vars is not None:
                self.bind_target(item.optional_vars, value, scope, straight, owner)
        self.block(node.body, scope, straight, owner)

    def matching(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        self.lower(node.subject, scope, owner)
        for case in node.cases:
            todo: list[ast.AST] = [case.pattern]
            while todo:
                pattern = todo.pop()
                name = getattr(pattern, "name", None) or getattr(pattern, "rest", None)
                if isinstance(name, str):
                    self.bind(scope, name, "unknown", None, False)
                todo.extend(c for c in ast.iter_child_nodes(pattern) if isinstance(c, ast.pattern))
            if case.guard is not None:
                self.lower(case.guard, scope, owner)
            self.block(case.body, scope, False, owner)

    def importing(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        for alias in node.names:
            if alias.asname:
                self.bind(scope, alias.asname, "import", (alias.name, 0, None, True), straight)
            else:
                first = alias.name.partition(".")[0]
                self.bind(scope, first, "import", (alias.name, 0, None, False), straight)

    def importing_from(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        module, level = node.module or "", node.level or 0
        for alias in node.names:
            if alias.name == "*":
                self.facts.scopes[scope].stars.append(Star(module, level, self.order))
            else:
                value = (module, level, alias.name, True)
                self.bind(scope, alias.asname or alias.name, "import", value, straight)

    def scoping(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        where = self.facts.scopes[scope]
        names = where.global_names if isinstance(node, ast.Global) else where.nonlocal_names
        names.update(node.names)

    def defining(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        name = owner or node.name
        decorators = [self.lower(item, scope, name) for item in node.decorator_list]
        index = self.new_function(node, node.name, scope, name)
        fact = self.facts.functions[index]
        fact.decorators = decorators
        fact.kind = method_kind(node)
        if fact.class_index >= 0:
            self.facts.classes[fact.class_index].methods.append(index)
        self.order = order_of(node.end_lineno or node.lineno, node.end_col_offset or 0)
        straight = straight and fact.kind not in ("setter", "overload")
        self.bind(scope, node.name, "def", index, straight)
        call = sole_call(node)
        if call is not None:
            fact.sole_return = -2
        self.block(node.body, fact.scope, True, name)

    def new_function(self, node: Any, name: str, scope: int, owner: str) -> int:
        where = self.facts.scopes[scope]
        index = len(self.facts.functions)
        own = self.new_scope(FUNCTION, scope, index)
        class_index = (
            where.owner if where.kind == CLASS and not isinstance(node, ast.Lambda) else -1
        )
        fact = Function(name, node.lineno, node.col_offset, own, scope, class_index)
        self.facts.functions.append(fact)
        if class_index >= 0:
            fact.method = index
        elif where.function >= 0 and where.kind != CLASS:
            fact.method = self.facts.functions[where.function].method
        fact.parameters = parameters(node, lambda default: self.lower(default, scope, owner))
        for position, parameter in enumerate(fact.parameters):
            self.bind(own, parameter.name, "param", (index, position), False)
        return index

    def classing(self, node: Any, scope: int, straight: bool, owner: str) -> None:
        name = owner or node.name
        for item in node.decorator_list:
            self.lower(item, scope, name)
        bases = [self.lower(base, scope, name) for base in node.bases]
        for keyword in node.keywords:
            self.lower(keyword.value, scope, name)
        index = self.new_class(node.name, node, scope, name, bases)
        self.bind(scope, node.name, "class", index, straight)
        self.block(node.body, self.facts.classes[index].scope, True, name)

    def new_class(self, name: str, node: Any, scope: int, owner: str, bases: list[int]) -> int:
        index = len(self.facts.classes)
        own = self.new_scope(CLASS, scope, self.facts.scopes[scope].function, index)
        self.facts.classes.append(
            Class(name, node.lineno, node.col_offset, own, scope, owner, bases)
        )
        return index

    # -- expressions ---------------------------------------------------------------

    def lower(self, root: ast.expr, scope: int, owner: str) -> int:
        """The table index of ``root``, after its parts."""
        if type(root) is ast.Name:
            return self.build_name(root, scope, owner, {})
        if type(root) is ast.Constant:
            return self.build_constant(root, scope, owner, {})
        stack: list[tuple[ast.expr, int]] = [(root, scope)]
        order: list[tuple[ast.expr, int]] = []
        made: dict[int, int] = {}
        inner: dict[int, int] = {}
        while stack:
            node, where = stack.pop()
            order.append((node, where))
            kind = type(node)
            if kind is ast.Name or kind is ast.Constant:
                continue
            parts = PARTS.get(kind)
            if parts is not None:
                stack.extend([(part, where) for part in parts(node)])
            elif kind is ast.Lambda:
                inner[id(node)] = self.new_function(node, "<lambda>", where, owner)
                self.lambdas.append((node, inner[id(node)], owner))  # type: ignore[arg-type]
            elif kind in _COMPREHENSIONS:
                inner[id(node)] = self.open_comprehension(node, where, stack)
            else:
                stack.extend([(part, where) for part in any_parts(node)])
        for node, where in reversed(order):
            builder = _BUILDERS.get(type(node))
            made[id(node)] = (
                self.build_scoped(node, where, owner, made, inner)
                if builder is None
                else builder(self, node, where, owner, made)
            )
        return made[id(root)]

    def open_comprehension(self, node: Any, scope: int, stack: list[tuple[ast.expr, int]]) -> int:
        own = self.new_scope(COMPREHENSION, scope, self.facts.scopes[scope].function)
        if isinstance(node, ast.DictComp):
            stack.append((node.key, own))
            if node.value is not None:
                stack.append((node.value, own))
        else:
            stack.append((node.elt, own))
        for index, generator in enumerate(node.generators):
            stack.append((generator.iter, own if index else scope))
            stack.extend((test, own) for test in generator.ifs)
        return own

    def build_scoped(
        self, node: ast.expr, scope: int, owner: str, made: dict[int, int], inner: dict[int, int]
    ) -> int:
        if isinstance(node, ast.Lambda):
            index = self.new_expr(("F", inner[id(node)]), node)
            self.loaded(index, scope)
            return index
        if isinstance(node, _COMPREHENSIONS):
            return self.build_comprehension(node, inner[id(node)], owner, made)
        return 0

    def loaded(self, index: int, scope: int) -> None:
        function = self.facts.scopes[scope].function
        if function >= 0:
            self.facts.functions[function].loads.append(index)

    def build_name(self, node: Any, scope: int, owner: str, made: dict[int, int]) -> int:
        index = self.new_expr(("N", scope, node.id), node)
        self.chains[index] = (scope, (node.id,), owner)
        self.loaded(index, scope)
        return index

    def build_attribute(self, node: Any, scope: int, owner: str, made: dict[int, int]) -> int:
        base = made[id(node.value)]
        index = self.new_expr(("A", base, node.attr), node)
        chain = self.chains.pop(base, None)
        if chain is not None:
            self.chains[index] = (chain[0], (*chain[1], node.attr), owner)
        self.loaded(index, scope)
        return index

    def build_constant(self, node: Any, scope: int, owner: str, made: dict[int, int]) -> int:
        if node.value is None or isinstance(node.value, str | int):
            if isinstance(node.value, int) and not -(1 << 53) < node.value < 1 << 53:
                return 0
            return self.new_expr(("K", node.value), node)
        return 0

    def build_call(self, node: Any, scope: int, owner: str, made: dict[int, int]) -> int:
        args = tuple(
            (True, made[id(item.value)])
            if isinstance(item, ast.Starred)
            else (False, made[id(item)])
            for item in node.args
        )
        keywords = tuple((item.arg, made[id(item.value)]) for item in node.keywords)
        index = self.new_expr(("C", made[id(node.func)], args, keywords), node)
        self.facts.calls.append((index, scope))
        function = self.facts.scopes[scope].function
        if function >= 0:
            self.facts.functions[function].calls.append(index)
        self.note_effects(node, index, scope, owner, made)
        return index

    def note_effects(
        self, node: Any, index: int, scope: int, owner: str, made: dict[int, int]
    ) -> None:
        """Calls that store or collect: ``setattr``, ``add_module``, ``append``, ``type``."""
        func, args = node.func, node.args
        if isinstance(func, ast.Name):
            if func.id in _TYPE_TESTS:
                self.forget_mentions(args[1:], made)
            elif func.id == "setattr" and len(args) == 3 and constant_text(args[1]):
                self.stores.append(
                    Store(made[id(args[0])], args[1].value, made[id(args[2])], scope)
                )
            elif func.id == "type" and len(args) == 3 and isinstance(args[1], ast.Tuple):
                name = constant_text(args[0]) or "<type>"
                bases = [made[id(item)] for item in args[1].elts if id(item) in made]
                self.facts.made_classes[index] = self.new_class(name, node, scope, owner, bases)
        elif isinstance(func, ast.Attribute) and args:
            base = made[id(func.value)]
            if func.attr in _REGISTER and len(args) >= 2 and constant_text(args[0]):
                self.stores.append(Store(base, args[0].value, made[id(args[1])], scope))
            elif func.attr in _COLLECT_ONE and id(args[-1]) in made:
                self.collected.append(Collected(base, False, made[id(args[-1])]))
            elif func.attr in _COLLECT_MANY and id(args[0]) in made:
                self.collected.append(Collected(base, True, made[id(args[0])]))

    def forget_mentions(self, tested: list[ast.expr], made: dict[int, int]) -> None:
        """The classes of a type test are not used: they lead nowhere."""
        for node in tested:
            for item in node.elts if isinstance(node, ast.Tuple) else (node,):
                self.chains.pop(made.get(id(item), 0), None)

    def build_any(self, node: Any, scope: int, owner: str, made: dict[int, int]) -> int:
        parts = node.values if isinstance(node, ast.BoolOp) else (node.body, node.orelse)
        return self.new_expr(("O", tuple(made[id(part)] for part in parts)), node)

    def build_walrus(self, node: Any, scope: int, owner: str, made: dict[int, int]) -> int:
        value = made[id(node.value)]
        where = scope
        while self.facts.scopes[where].kind == COMPREHENSION:
            where = self.facts.scopes[where].parent
        self.bind(where, node.target.id, "value", value, False)
        return value

    def build_through(self, node: Any, scope: int, owner: str, made: dict[int, int]) -> int:
        return made[id(node.value)]

    def build_items(self, node: Any, scope: int, owner: str, made: dict[int, int]) -> int:
        items = tuple(
            (True, made[id(item.value)])
            if isinstance(item, ast.Starred)
            else (False, made[id(item)])
            for item in node.elts
        )
        return self.new_expr(("L", items), node)

    def build_dict(self, node: Any, scope: int, owner: str, made: dict[int, int]) -> int:
        items = tuple(
            (-1 if key is None else made[id(key)], made[id(value)])
            for key, value in zip(node.keys, node.values, strict=True)
        )
        return self.new_expr(("D", items), node)

    def build_subscript(self, node: Any, scope: int, owner: str, made: dict[int, int]) -> int:
        return self.new_expr(("S", made[id(node.value)], made.get(id(node.slice), 0)), node)

    def build_sum(self, node: Any, scope: int, owner: str, made: dict[int, int]) -> int:
        if isinstance(node, ast.BinOp):
            if not isinstance(node.op, ast.Add):
                return 0
            parts: tuple[int, ...] = (made[id(node.left)], made[id(node.right)])
        else:
            parts = tuple(made[id(part)] for part in node.values)
        return self.new_expr(("J", parts), node)

    def build_comprehension(self, node: Any, own: int, owner: str, made: dict[int, int]) -> int:
        for generator in node.generators:
            element = self.new_expr(("E", made[id(generator.iter)]), generator.target)
            self.bind_target(generator.target, element, own, False, owner)
        produced = node.value if isinstance(node, ast.DictComp) else node.elt
        return self.new_expr(("G", made[id(produced)] if produced is not None else 0), node)

    # -- after the last statement ----------------------------------------------------

    def finish(self) -> None:
        settle(self.facts, self.stores, self.collected)
        for scope, chain, owner in self.chains.values():
            self.facts.mentions.append(Mention(owner, scope, chain))
        self.facts.mentions = list(dict.fromkeys(self.facts.mentions))


_STATEMENTS: dict[type[ast.AST], Callable[[_Extractor, Any, int, bool, str], None]] = {
    ast.Expr: _Extractor.expression,
    ast.Assign: _Extractor.assign,
    ast.AnnAssign: _Extractor.assign,
    ast.AugAssign: _Extractor.assign,
    ast.Return: _Extractor.returning,
    ast.If: _Extractor.conditional,
    ast.For: _Extractor.loop,
    ast.AsyncFor: _Extractor.loop,
    ast.While: _Extractor.loop,
    ast.Try: _Extractor.trying,
    ast.With: _Extractor.entering,
    ast.AsyncWith: _Extractor.entering,
    ast.Match: _Extractor.matching,
    ast.Import: _Extractor.importing,
    ast.ImportFrom: _Extractor.importing_from,
    ast.Global: _Extractor.scoping,
    ast.Nonlocal: _Extractor.scoping,
    ast.FunctionDef: _Extractor.defining,
    ast.AsyncFunctionDef: _Extractor.defining,
    ast.ClassDef: _Extractor.classing,
}
if hasattr(ast, "TryStar"):
    _STATEMENTS[ast.TryStar] = _Extractor.trying

_BUILDERS: dict[type[ast.AST], Callable[[_Extractor, Any, int, str, dict[int, int]], int]] = {
    ast.Name: _Extractor.build_name,
    ast.Attribute: _Extractor.build_attribute,
    ast.Constant: _Extractor.build_constant,
    ast.Call: _Extractor.build_call,
    ast.IfExp: _Extractor.build_any,
    ast.BoolOp: _Extractor.build_any,
    ast.NamedExpr: _Extractor.build_walrus,
    ast.Await: _Extractor.build_through,
    ast.FormattedValue: _Extractor.build_through,
    ast.List: _Extractor.build_items,
    ast.Tuple: _Extractor.build_items,
    ast.Set: _Extractor.build_items,
    ast.Dict: _Extractor.build_dict,
    ast.Subscript: _Extractor.build_subscript,
    ast.BinOp: _Extractor.build_sum,
    ast.JoinedStr: _Extractor.build_sum,
}
