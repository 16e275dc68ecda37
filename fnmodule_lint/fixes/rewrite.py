"""Makes edits in one file's text with LibCST: all else stays as it is, to the last space."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from fnmodule_lint.fixes.classes_changed import Unwritable, around, with_init, with_mounts
from fnmodule_lint.fixes.edits import Argument, Edit, Import, Mount, NewClass, Replace
from fnmodule_lint.fixes.imports_added import add_import

_Place = tuple[int, int]
_DEEPEST = 5000


def rewrite(text: str, edits: Sequence[Edit]) -> str:
    """``text`` with all ``edits``, whose positions are those of ``text``.

    Raises Unwritable where one of them has no place in it.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEPEST))
    try:
        wrapper = MetadataWrapper(cst.parse_module(text))
        writer = _Writer(wrapper.module, edits)
        tree = wrapper.visit(writer)
        if writer.left:
            raise Unwritable("its place was not found in the source")
        for edit in edits:
            if isinstance(edit, Import):
                tree = add_import(tree, edit.module, edit.name)
        return tree.code
    except cst.ParserSyntaxError as error:
        raise Unwritable(f"LibCST cannot parse the file (line {error.raw_line})") from error
    except RecursionError as error:
        raise Unwritable("the file is nested too deeply for LibCST") from error
    finally:
        sys.setrecursionlimit(limit)


@dataclass
class _Class:
    """A class that is being visited: what it is to get, and its nesting."""

    mounts: list[Mount]
    new: list[NewClass]
    top: bool


class _Writer(cst.CSTTransformer):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self, tree: cst.Module, edits: Sequence[Edit]) -> None:
        super().__init__()
        self._tree = tree
        self._replaced = {_span(e): e for e in edits if isinstance(e, Replace)}
        self._arguments = {_span(e): e for e in edits if isinstance(e, Argument)}
        self._classes: dict[_Place, _Class] = {}
        for edit in edits:
            if isinstance(edit, Mount | NewClass):
                place = (edit.target.line, edit.target.column)
                known = self._classes.setdefault(place, _Class([], [], True))
                if isinstance(edit, Mount):
                    known.mounts.append(edit)
                else:
                    known.new.append(edit)
        self._open: list[tuple[str, _Place]] = []
        self.left: set[object] = {*self._replaced, *self._arguments}
        self.left.update(("class", place) for place in self._classes)
        for place, known in self._classes.items():
            self.left.update((place, mount.after) for mount in known.mounts if mount.after)

    def on_leave(self, original: cst.CSTNode, updated: cst.CSTNode) -> object:  # type: ignore[override]
        """Replace expressions; everything else goes on to its own method."""
        changed = super().on_leave(original, updated)
        if not isinstance(original, cst.BaseExpression):
            return changed
        span = self._span(original)
        edit = self._replaced.get(span)
        if edit is None or span not in self.left or not isinstance(changed, cst.BaseExpression):
            return changed
        self.left.discard(span)
        new = cst.parse_expression(edit.source)
        return new.with_changes(
            lpar=[*getattr(changed, "lpar", ()), *getattr(new, "lpar", ())],
            rpar=[*getattr(new, "rpar", ()), *getattr(changed, "rpar", ())],
        )

    def leave_Call(self, original_node: cst.Call, updated_node: cst.Call) -> cst.BaseExpression:
        """Add or change keyword arguments."""
        span = self._span(original_node)
        edit = self._arguments.get(span)
        if edit is None or span not in self.left:
            return updated_node
        self.left.discard(span)
        return _with_argument(updated_node, edit)

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        """Remember where we are."""
        self._open.append(("class", self._start(node)))

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        """Remember where we are."""
        self._open.append(("def", self._start(node)))

    def leave_FunctionDef(
        self, original_node: cst.FunctionDef, updated_node: cst.FunctionDef
    ) -> cst.BaseStatement:
        """Register shells in an ``__init__`` that is there."""
        self._open.pop()
        kind, place = self._open[-1] if self._open else ("", (0, 0))
        if kind != "class" or place not in self._classes or original_node.name.value != "__init__":
            return updated_node
        starts = [self._start(statement) for statement in original_node.body.body]
        for index in reversed(range(len(starts))):
            mounts = [m for m in self._classes[place].mounts if m.after == starts[index]]
            if mounts:
                self.left.discard((place, starts[index]))
                updated_node = with_mounts(self._tree, updated_node, index, mounts)
        return updated_node

    def leave_ClassDef(
        self, original_node: cst.ClassDef, updated_node: cst.ClassDef
    ) -> cst.BaseStatement | cst.FlattenSentinel[cst.BaseStatement]:
        """Write a missing ``__init__``, and shell classes beside the class."""
        _, place = self._open.pop()
        wanted = self._classes.get(place)
        if wanted is None:
            return updated_node
        self.left.discard(("class", place))
        fresh = [mount for mount in wanted.mounts if mount.after is None]
        if fresh:
            updated_node = with_init(self._tree, updated_node, fresh)
        if not wanted.new:
            return updated_node
        top = not self._open
        return cst.FlattenSentinel(around(self._tree, updated_node, wanted.new, top=top))

    def _span(self, node: cst.CSTNode) -> tuple[int, int, int, int]:
        found = self.get_metadata(PositionProvider, node)
        return (found.start.line, found.start.column, found.end.line, found.end.column)

    def _start(self, node: cst.CSTNode) -> _Place:
        found = self.get_metadata(PositionProvider, node).start
        return found.line, found.column


def _span(edit: Replace | Argument) -> tuple[int, int, int, int]:
    span = edit.span
    return span.line, span.column, span.end_line, span.end_column


def _with_argument(call: cst.Call, edit: Argument) -> cst.Call:
    value = cst.parse_expression(edit.value)
    args = list(call.args)
    for index, arg in enumerate(args):
        if arg.keyword is not None and arg.keyword.value == edit.name:
            args[index] = arg.with_changes(value=value)
            return call.with_changes(args=args)
    index = sum(1 for _ in _positional(args))
    after: cst.BaseParenthesizableWhitespace = cst.SimpleWhitespace(" ")
    if isinstance(call.whitespace_before_args, cst.ParenthesizedWhitespace):
        after = call.whitespace_before_args
    comma = cst.Comma(whitespace_after=after)
    tight = cst.AssignEqual(cst.SimpleWhitespace(""), cst.SimpleWhitespace(""))
    new = cst.Arg(value, keyword=cst.Name(edit.name), equal=tight)
    if index < len(args):
        new = new.with_changes(comma=comma)
    elif args:
        new = new.with_changes(comma=args[-1].comma)
        args[-1] = args[-1].with_changes(comma=comma)
    args.insert(index, new)
    return call.with_changes(args=args)


def _positional(args: Sequence[cst.Arg]) -> Iterator[cst.Arg]:
    for arg in args:
        if arg.keyword is not None or arg.star == "**":
            return
        yield arg
