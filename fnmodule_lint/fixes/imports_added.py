"""Adds ``from module import name`` to a LibCST module, beside the imports that are there."""

from __future__ import annotations

import libcst as cst

Statement = cst.SimpleStatementLine | cst.BaseCompoundStatement


def add_import(tree: cst.Module, module: str, name: str) -> cst.Module:
    """``tree`` with the import, once; after the docstring and ``__future__``."""
    body = list(tree.body)
    run = _leading_run(body)
    for index in run:
        found = _import_from(body[index])
        if found is not None and _dotted(found) == module and not _is_star(found):
            body[index] = _with_name(body[index], found, name)
            return tree.with_changes(body=body)
    index, leading = _where(body, run, module)
    line = cst.parse_statement(f"from {module} import {name}", config=tree.config_for_parsing)
    body.insert(index, line.with_changes(leading_lines=leading))
    if not run and index + 1 < len(body) and not _starts_blank(body[index + 1]):
        following = body[index + 1]
        lines = [cst.EmptyLine(indent=False), *_leading_lines(following)]
        body[index + 1] = following.with_changes(leading_lines=lines)
    return tree.with_changes(body=body)


def _leading_run(body: list[Statement]) -> list[int]:
    """The imports that the module starts with, ``__future__`` aside."""
    run = []
    for index, statement in enumerate(body):
        if _is_import(statement):
            if not _is_future(statement):
                run.append(index)
        elif index or not _is_docstring(statement):
            break
    return run


def _where(body: list[Statement], run: list[int], module: str) -> tuple[int, list[cst.EmptyLine]]:
    """The index to insert at, and the lines that go before the new statement."""
    if not run:
        first = 0
        while first < len(body) and (_is_docstring(body[first]) or _is_future(body[first])):
            first += 1
        return first, [cst.EmptyLine(indent=False)] if first else []
    relative = module.startswith(".")
    group = run if relative else _group_with_torch(body, run)
    last = group[0]
    for index in group:
        found = _import_from(body[index])
        if found is not None:
            own = _dotted(found)
            if own.startswith(".") != relative:
                if not relative:
                    break
            elif own > module:
                return _before(body, index, first=index == run[0])
        last = index
    if not relative and _import_from(body[last]) is not None:
        if _dotted(_from(body[last])).startswith("."):
            return _before(body, last, first=last == run[0])
    return last + 1, []


def _before(body: list[Statement], index: int, *, first: bool) -> tuple[int, list[cst.EmptyLine]]:
    """Before a statement: its blank lines go before the new one, comments stay with it."""
    lines = _leading_lines(body[index])
    blank = []
    while lines and lines[0].comment is None:
        blank.append(lines.pop(0))
    body[index] = body[index].with_changes(leading_lines=lines)
    return index, blank


def _group_with_torch(body: list[Statement], run: list[int]) -> list[int]:
    """The imports, between blank lines, that torch is imported with; else the last ones."""
    groups: list[list[int]] = []
    for index in run:
        if not groups or _starts_blank(body[index]):
            groups.append([])
        groups[-1].append(index)
    for group in groups:
        if any(_imports_torch(body[index]) for index in group):
            return group
    absolute = [
        group
        for group in groups
        if not all(_dotted(_from(body[i])).startswith(".") for i in group if _import_from(body[i]))
        or not any(_import_from(body[i]) for i in group)
    ]
    return (absolute or groups)[-1]


def _imports_torch(statement: Statement) -> bool:
    found = _import_from(statement)
    if found is not None:
        return _dotted(found).split(".")[0] == "torch"
    assert isinstance(statement, cst.SimpleStatementLine)
    return any(
        isinstance(part, cst.Import)
        and any(_name(alias.name).split(".")[0] == "torch" for alias in part.names)
        for part in statement.body
    )


def _with_name(statement: Statement, found: cst.ImportFrom, name: str) -> Statement:
    assert not isinstance(found.names, cst.ImportStar)
    aliases = list(found.names)
    names = [_name(alias.name) for alias in aliases]
    if name in names:
        return statement
    index = len(names)
    if names == sorted(names):
        index = sum(known < name for known in names)
    comma = next(
        (item.comma for item in aliases[:-1] if isinstance(item.comma, cst.Comma)),
        cst.Comma(whitespace_after=_between(found)),
    )
    alias = cst.ImportAlias(cst.Name(name), comma=comma)
    if index == len(aliases):
        alias = alias.with_changes(comma=aliases[-1].comma)
        aliases[-1] = aliases[-1].with_changes(comma=comma)
    aliases.insert(index, alias)
    changed: Statement = statement.with_deep_changes(found, names=aliases)
    return changed


def _between(found: cst.ImportFrom) -> cst.BaseParenthesizableWhitespace:
    """What separates the names: as after the opening parenthesis, where lines are broken there."""
    if found.lpar is not None:
        after = found.lpar.whitespace_after
        if isinstance(after, cst.ParenthesizedWhitespace):
            return after
    return cst.SimpleWhitespace(" ")


# -- questions about statements ---------------------------------------------------------------


def _is_import(statement: Statement) -> bool:
    return isinstance(statement, cst.SimpleStatementLine) and all(
        isinstance(part, cst.Import | cst.ImportFrom) for part in statement.body
    )


def _is_future(statement: Statement) -> bool:
    found = _import_from(statement)
    return found is not None and _dotted(found) == "__future__"


def _is_docstring(statement: Statement) -> bool:
    if not isinstance(statement, cst.SimpleStatementLine) or len(statement.body) != 1:
        return False
    part = statement.body[0]
    return isinstance(part, cst.Expr) and isinstance(
        part.value, cst.SimpleString | cst.ConcatenatedString
    )


def _import_from(statement: Statement) -> cst.ImportFrom | None:
    if isinstance(statement, cst.SimpleStatementLine) and len(statement.body) == 1:
        part = statement.body[0]
        return part if isinstance(part, cst.ImportFrom) else None
    return None


def _from(statement: Statement) -> cst.ImportFrom:
    found = _import_from(statement)
    assert found is not None
    return found


def _is_star(found: cst.ImportFrom) -> bool:
    return isinstance(found.names, cst.ImportStar) or any(
        alias.asname is not None for alias in found.names
    )


def _dotted(found: cst.ImportFrom) -> str:
    return "." * len(found.relative) + (_name(found.module) if found.module else "")


def _name(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return f"{_name(node.value)}.{node.attr.value}"
    return node.value if isinstance(node, cst.Name) else ""


def _leading_lines(statement: Statement) -> list[cst.EmptyLine]:
    return list(getattr(statement, "leading_lines", ()))


def _starts_blank(statement: Statement) -> bool:
    lines = _leading_lines(statement)
    return bool(lines) and lines[0].comment is None
