"""Whether a shell becomes a registered submodule, and so gets an FQN (FNM203)."""

from __future__ import annotations

from fnmodule_lint.facts import CLASS, MODULE, FileFacts

_PLAIN = "a plain list, tuple or dict"


class Registration:
    """The places of one file's expressions in other expressions and bindings."""

    def __init__(self, facts: FileFacts) -> None:
        self._facts = facts
        self._parents: dict[int, tuple[int, str]] = {}
        self._bound: dict[int, list[tuple[int, str]]] = {}
        self._stored: dict[int, str] = {}
        self._handed_names: set[tuple[int, str]] = set()
        self._handed_attributes: set[str] = set()
        self._read()

    def problem(self, call: int) -> str:
        """Why the shell made by ``call`` is not registered; "" if it is, or may be."""
        index, role, plain = call, "", False
        while index in self._parents:
            index, role = self._parents[index]
            if role == "argument":
                return ""
            plain = plain or role == "item"
        if role == "callee":
            return ""
        if index in self._stored:
            return _PLAIN if plain and self._stored[index] not in self._handed_attributes else ""
        for scope, name in self._bound.get(index, ()):
            return self._bound_problem(scope, name, plain)
        return ""

    def _bound_problem(self, scope: int, name: str, plain: bool) -> str:
        where = self._facts.scopes[scope]
        if where.kind == MODULE:
            return "a module-level name"
        if where.kind == CLASS:
            return "a class-level name"
        function = self._facts.functions[where.function]
        if function.name != "__init__" or (scope, name) in self._handed_names:
            return ""
        return _PLAIN if plain else "a local name that is never stored"

    def _read(self) -> None:
        facts = self._facts
        for index, expr in enumerate(facts.exprs):
            self._read_parts(index, expr)
        for scope, where in enumerate(facts.scopes):
            for name, bindings in where.bindings.items():
                for binding in bindings:
                    if binding.kind == "value":
                        self._bound.setdefault(binding.value, []).append((scope, name))
                        self._note_handed(binding.value)
        for cls in facts.classes:
            for attribute, stores in cls.stores.items():
                for value, _ in stores:
                    self._stored[value] = attribute
                    self._note_handed(value)
        for function in facts.functions:
            for value in function.returns:
                self._note_handed(value)

    def _read_parts(self, index: int, expr: tuple[object, ...]) -> None:
        kind = expr[0]
        if kind == "C":
            _, func, args, keywords = expr
            self._parents[func] = (index, "callee")  # type: ignore[index]
            for _, item in (*args, *keywords):  # type: ignore[misc]
                self._parents[item] = (index, "argument")
                self._note_handed(item)
        elif kind == "O":
            for item in expr[1]:  # type: ignore[attr-defined]
                self._parents[item] = (index, "arm")
        elif kind in ("L", "D"):
            for _, item in expr[1]:  # type: ignore[attr-defined]
                self._parents[item] = (index, "item")
                self._note_handed(item)
        elif kind == "G":
            self._parents[expr[1]] = (index, "item")  # type: ignore[index]

    def _note_handed(self, index: int) -> None:
        """A name or attribute that is stored, returned, collected or handed on."""
        expr = self._facts.exprs[index]
        if expr[0] == "N":
            scope = expr[1]
            while scope > 0 and expr[2] not in self._facts.scopes[scope].bindings:
                scope = self._facts.scopes[scope].parent
            self._handed_names.add((scope, expr[2]))
        elif expr[0] == "A":
            self._handed_attributes.add(expr[2])
