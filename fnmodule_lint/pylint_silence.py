"""Keeps pylint from reporting on Function subclasses what every valid one trips.

``torch.autograd.Function`` declares methods that subclasses need not write and a
``forward`` with other parameters than theirs: pylint takes both for mistakes.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

from astroid import nodes
from pylint.checkers import BaseChecker
from pylint.lint import PyLinter

from fnmodule_lint.pylint_plugin import KEEP_OPTION, SESSION

SILENCED = frozenset(
    {"abstract-method", "arguments-differ", "arguments-renamed", "signature-differs"}
)


def silence_function_messages(linter: PyLinter) -> None:
    """Filter the messages of the checkers that own them, unless an option says otherwise."""
    if getattr(linter.config, KEEP_OPTION.replace("-", "_"), False):
        return
    for checker in linter.get_checkers():
        owned = {entry[1] for entry in checker.msgs.values()}
        if owned & SILENCED and "add_message" not in vars(checker):
            vars(checker)["add_message"] = functools.partial(_add_unless_function, checker)


def _add_unless_function(
    checker: BaseChecker, msgid: str, *args: Any, node: nodes.NodeNG | None = None, **more: Any
) -> None:
    if msgid in SILENCED and node is not None and _in_function_class(checker.linter, node):
        return
    BaseChecker.add_message(checker, msgid, *args, **{**more, "node": node})


def _in_function_class(linter: PyLinter, node: nodes.NodeNG) -> bool:
    cls: Any = node
    while cls is not None and not isinstance(cls, nodes.ClassDef):
        cls = cls.parent
    if cls is None:
        return False
    module = cls.root()
    SESSION.report(linter, module)
    lines = SESSION.engine(linter).function_classes(Path(str(module.file)))
    return cls.lineno in lines
