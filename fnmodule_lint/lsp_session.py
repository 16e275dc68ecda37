"""What the editor shows: the diagnostics of a buffer and the actions on them.

The buffer's text takes the place of the file. One session serves one server process.
"""

from __future__ import annotations

import threading
from pathlib import Path

from fnmodule_lint.engine import Engine
from fnmodule_lint.findings import Finding, Problem
from fnmodule_lint.fixes.apply import Fixer, Rewrite, Select
from fnmodule_lint.fixes.edits import Fix
from fnmodule_lint.fixes.plans import fixes_for
from fnmodule_lint.lsp_text import Json, position, text_edits, uri, whole_line
from fnmodule_lint.noqa import silenced_at, unsuppressed
from fnmodule_lint.selection import wanted
from fnmodule_lint.source import split_lines

SOURCE = "fnmodule-lint"
_ERROR, _WARNING = 1, 2


class Session:
    """Keeps one engine, so that a keystroke costs the analysis of what it changed."""

    def __init__(self) -> None:
        self._engine = Engine()
        self._open: set[str] = set()
        self._lock = threading.Lock()

    def saved(self) -> None:
        """A file has changed on disk: read the others anew when they are next asked for."""
        with self._lock:
            self._engine.refresh()

    def keep_open(self, paths: set[str]) -> None:
        """Of buffers that are not among ``paths`` any more, let the file on disk count again."""
        with self._lock:
            for path in self._open - paths:
                self._engine.forget_text(path)
            self._open &= paths

    def diagnostics(self, path: str, text: str) -> list[Json]:
        """The findings in ``text``, and what could not be linted, as LSP diagnostics."""
        with self._lock:
            findings, problems = self._lint(path, text)
            lines = split_lines(text)
            return [
                *(_diagnostic(finding, lines) for finding in findings),
                *(_problem(item, path, lines) for item in problems),
            ]

    def actions(self, path: str, text: str, first: int, last: int) -> list[Json]:
        """What can be done about the findings in the lines ``first`` to ``last`` (from 0)."""
        with self._lock:
            findings, _ = self._lint(path, text)
            lines = split_lines(text)
            here = [f for f in findings if f.line - 1 <= last and f.end_line - 1 >= first]
            actions: list[Json] = []
            for finding in here:
                shown = _diagnostic(finding, lines)
                actions += self._fix(path, text, finding, shown)
                actions += self._ignore(path, text, finding, shown)
            return actions + (self._fix_all(path, text) if here else [])

    # -- parts ----------------------------------------------------------------------------

    def _lint(self, path: str, text: str) -> tuple[list[Finding], tuple[Problem, ...]]:
        self._open.add(path)
        report = self._engine.check_text(Path(path), text)
        return wanted(self._engine, report.findings, (), ()), report.problems

    def _fix(self, path: str, text: str, finding: Finding, shown: Json) -> list[Json]:
        plan = fixes_for(self._engine, [finding])[finding]
        if not isinstance(plan, Fix):
            return []
        after = self._fixed(path, text, lambda found: [f for f in found if f == finding], plan.safe)
        if after is None:
            return []
        name = plan.title if plan.safe else f"{plan.title} (unsafe)"
        action = _action(name, "quickfix", path, text, after)
        return [{**action, "diagnostics": [shown], "isPreferred": plan.safe}]

    def _fix_all(self, path: str, text: str) -> list[Json]:
        after = self._fixed(path, text, lambda found: wanted(self._engine, found, (), ()), True)
        if after is None:
            return []
        title = "Fix all fnmodule-lint findings in this file"
        return [_action(title, "source.fixAll", path, text, after)]

    def _fixed(
        self,
        path: str,
        text: str,
        select: Select,
        safe: bool,
    ) -> str | None:
        """The text with these findings fixed, None where nothing is."""
        rewrite = _rewriter()
        if rewrite is None:
            return None
        try:
            outcome = Fixer(self._engine, [Path(path)], select, rewrite).run(unsafe=not safe)
        finally:
            self._engine.check_text(Path(path), text)
        return outcome.texts.get(path)

    def _ignore(self, path: str, text: str, finding: Finding, shown: Json) -> list[Json]:
        after = silenced_at(text, finding.line, finding.code)
        if list(unsuppressed([finding], after)):
            return []
        action = _action(f"Ignore {finding.code} here", "quickfix", path, text, after)
        return [{**action, "diagnostics": [shown]}]


def _rewriter() -> Rewrite | None:
    """None where LibCST is not installed: the other actions work without it."""
    try:
        from fnmodule_lint.fixes.rewrite import rewrite
    except ImportError:
        return None
    return rewrite


def _action(title: str, kind: str, path: str, before: str, after: str) -> Json:
    edit = {"changes": {uri(path): text_edits(before, after)}}
    return {"title": title, "kind": kind, "edit": edit}


def _diagnostic(finding: Finding, lines: list[str]) -> Json:
    related = [
        {
            "location": {"uri": uri(step.path), "range": whole_line(step.line)},
            "message": step.name,
        }
        for step in finding.chain
        if step.path
    ]
    diagnostic: Json = {
        "source": SOURCE,
        "code": finding.code,
        "message": finding.message,
        "severity": _WARNING,
        "range": {
            "start": position(lines, finding.line, finding.column),
            "end": position(lines, finding.end_line, finding.end_column),
        },
    }
    return {**diagnostic, "relatedInformation": related} if related else diagnostic


def _problem(problem: Problem, path: str, lines: list[str]) -> Json:
    own = problem.path == path
    line = max(problem.line, 1) if own else 1
    message = problem.message if own else f"{problem.path}: {problem.message}"
    end = position(lines, line, len(lines[line - 1]) if line <= len(lines) else 0)
    return {
        "source": SOURCE,
        "message": message,
        "severity": _ERROR,
        "range": {"start": position(lines, line, 0), "end": end},
    }
