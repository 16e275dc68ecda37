"""The python-lsp-server plugin: its hooks, translated; no logic of its own."""

from __future__ import annotations

from collections.abc import Generator
from functools import cache
from typing import Any

from pylsp import hookimpl

from fnmodule_lint.lsp_session import SOURCE, Session
from fnmodule_lint.lsp_text import Json
from fnmodule_lint.rules import RULES

_OURS = {name for rule in RULES.values() for name in (rule.code, rule.pylint_id, rule.symbol)}


@cache
def _session() -> Session:
    return Session()


@hookimpl
def pylsp_settings() -> Json:
    """On by default, switched off by ``pylsp.plugins.fnmodule.enabled``."""
    return {"plugins": {"fnmodule": {"enabled": True}}}


@hookimpl
def pylsp_lint(workspace: Any, document: Any) -> list[Json]:
    """The buffer's findings."""
    _session().keep_open({item.path for item in workspace.documents.values()})
    with workspace.report_progress("lint: fnmodule-lint"):
        return _session().diagnostics(document.path, document.source)


@hookimpl(hookwrapper=True, specname="pylsp_lint")
def once() -> Generator[None, Any, None]:
    """Leave out what flake8 and pylint report of ours too, where pylsp runs them as well."""
    outcome = yield
    results = outcome.get_result()
    outcome.force_result(
        [
            [item for item in found or () if item.get("source") == SOURCE or not _is_ours(item)]
            for found in results
        ]
    )


def _is_ours(diagnostic: Json) -> bool:
    return str(diagnostic.get("code")) in _OURS


@hookimpl
def pylsp_code_actions(document: Any, range: Json) -> list[Json]:
    """Fix, fix all, ignore: for the findings in the lines of ``range``."""
    first, last = range["start"]["line"], range["end"]["line"]
    return _session().actions(document.path, document.source, first, last)


@hookimpl
def pylsp_document_did_save() -> None:
    """Other files may have changed with it."""
    _session().saved()
