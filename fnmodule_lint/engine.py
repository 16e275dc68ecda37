"""The one entry of every front-end: files or text in, sorted findings and problems out."""

from __future__ import annotations

import ast
import gc
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from fnmodule_lint import reach
from fnmodule_lint.checks import CHECKS
from fnmodule_lint.checks.context import Context
from fnmodule_lint.dependencies import outside_files
from fnmodule_lint.findings import Finding, Problem
from fnmodule_lint.imports import Resolver
from fnmodule_lint.library import Library
from fnmodule_lint.plan_files import PlanSpec, plan_paths, read_plan
from fnmodule_lint.project import (
    Project,
    excluded_below,
    import_roots,
    package_of,
    project_files,
    project_of,
    walk,
)
from fnmodule_lint.relevance import Relevance
from fnmodule_lint.settings import Settings, SettingsError, from_mapping, load_pyproject
from fnmodule_lint.source import SourceError, decode, is_yaml
from fnmodule_lint.world import World

PARSE_ALL_BELOW = 400_000
"""Bytes: a run over less than this parses every file it is asked for, so that it can
report syntax errors in files that hold nothing to lint."""


@dataclass(frozen=True)
class Report:
    """What a run found. Neither ``# noqa`` nor a selection has been applied.

    ``findings`` and ``problems`` are sorted; ``files`` counts the files asked for.
    """

    findings: tuple[Finding, ...] = ()
    problems: tuple[Problem, ...] = ()
    files: int = 0


@dataclass
class _Analysis:
    """The findings of one project, by file, its plan files, its Function classes' lines.

    ``context`` is what the findings were made from; None where nothing could be linted.
    """

    context: Context | None = None
    plans: tuple[str, ...] = ()
    findings: dict[str, list[Finding]] = field(default_factory=dict)
    functions: dict[str, set[int]] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


class Engine:
    """Lints files, keeping what it has read and parsed between calls.

    ``settings`` decide for every project; None lets each project's own pyproject.toml
    decide, under the options in ``overrides`` (by name, as in that file). ``exclude`` are
    further globs; ``progress`` is told what is being done. The disk is taken not to
    change during the engine's life unless :meth:`refresh` is called.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        *,
        overrides: Mapping[str, Sequence[str]] | None = None,
        exclude: Sequence[str] = (),
        progress: Callable[[str], None] | None = None,
    ) -> None:
        self._settings = settings
        self._overrides = dict(overrides or {})
        self._exclude = tuple(exclude)
        self._progress = progress or (lambda message: None)
        self._library = Library()
        self._projects: dict[str, Project] = {}
        self._files: dict[Project, list[str]] = {}
        self._settings_by_project: dict[Project, Settings] = {}
        self._analyses: dict[tuple[Project, frozenset[str]], _Analysis] = {}

    def refresh(self) -> None:
        """Let changes on disk since the last call count."""
        self._analyses.clear()
        self._projects.clear()
        self._files.clear()
        self._settings_by_project.clear()
        self._library.forget_disk()

    def check_paths(self, paths: Sequence[Path]) -> Report:
        """Findings in files, and in the Python files below folders."""
        problems: list[Problem] = []
        named: set[str] = set()
        files: set[str] = set()
        for path in paths:
            full = os.path.abspath(path)
            if os.path.isdir(full):
                files.update(self._below(full))
            elif os.path.lexists(full) or self._library.has_overlay(full):
                named.add(full)
            else:
                problems.append(Problem(full, 0, 0, "no such file or folder"))
        files |= named
        folders = tuple(os.path.join(os.path.abspath(path), "") for path in paths)
        findings, more, plans = self._analyse(sorted(files), folders)
        problems.extend(more)
        problems.extend(self._unreadable(files - plans, named))
        return Report(tuple(sorted(findings)), tuple(sorted(set(problems))), len(files | plans))

    def check_text(self, path: Path, source: bytes | str, tree: ast.Module | None = None) -> Report:
        """Findings in one file whose text takes the place of what is on disk.

        ``tree`` is the text's parsed module where the caller has it; it is left as it is.
        """
        full = os.path.abspath(path)
        try:
            changed = self._library.overlay(full, source, tree)
            self._library.text(full)
        except SourceError as error:
            return Report(problems=(_problem(error),), files=1)
        if changed:
            self._analyses.clear()
        findings, more, _ = self._analyse([full])
        problems = {*more, *self._unreadable({full}, {full})}
        self._library.drop_tree(full)
        return Report(tuple(sorted(findings)), tuple(sorted(problems)), 1)

    def function_classes(self, path: Path) -> frozenset[int]:
        """The lines of the Function classes in a file, as of the last check of it."""
        full = os.path.abspath(path)
        analysis = self._analysis(self._project(full), [full])
        return frozenset(analysis.functions.get(full, ()))

    def replace(self, texts: Mapping[str, str]) -> None:
        """Let texts stand for the files at these absolute paths from now on."""
        changed = [self._library.overlay(path, text) for path, text in texts.items()]
        if any(changed):
            self._analyses.clear()

    def forget_text(self, path: str) -> None:
        """Let the file on disk count again, in place of a text that stood for it."""
        self._library.drop_overlay(path)
        self._analyses.clear()

    def files_below(self, paths: Sequence[Path]) -> list[str]:
        """The absolute paths of the files that a check of ``paths`` is asked for."""
        files: set[str] = set()
        for path in paths:
            full = os.path.abspath(path)
            files.update(self._below(full) if os.path.isdir(full) else [full])
        return sorted(files)

    def context_of(self, finding: Finding) -> Context | None:
        """What a finding of the last run was made from."""
        for analysis in self._analyses.values():
            if finding in analysis.findings.get(finding.path, ()):
                return analysis.context
        return None

    def bytes_on_disk(self, path: str) -> bytes:
        """The bytes of the file as it was read, whatever stands for it now.

        Raises SourceError when it cannot be read.
        """
        return self._library.bytes_on_disk(path)

    def original(self, path: str) -> str:
        """The text of the file as it was read. Raises SourceError."""
        return decode(self._library.bytes_on_disk(path), path)

    def text(self, path: str) -> str:
        """The text that was linted. Raises SourceError when there is none."""
        return self._library.text(path)

    # -- files asked for -------------------------------------------------------------

    def _below(self, folder: str) -> Iterable[str]:
        for file in walk(folder, folder, self._exclude):
            if not self._excluded(file, folder):
                yield file

    def _excluded(self, file: str, asked: str) -> bool:
        """Whether the file's project, or one around that, excludes it by its settings."""
        project = self._project(file)
        while True:
            try:
                globs = self._settings_of(project).exclude
            except SettingsError:
                globs = ()
            if excluded_below(file, asked, project.root, globs):
                return True
            outer = self._project(project.root)
            if outer.kind != "marked" or outer.root == project.root:
                return False
            project = outer

    def _unreadable(self, files: set[str], named: set[str]) -> Iterable[Problem]:
        """What cannot be linted of the files asked for."""
        total = 0
        readable = []
        for path in sorted(files):
            try:
                data = self._library.data(path)
                total += len(data)
                if not data.isascii() or b"\0" in data:
                    self._library.text(path)
                readable.append(path)
            except SourceError as error:
                yield _problem(error)
        for path in readable:
            if path in named or total < PARSE_ALL_BELOW:
                try:
                    self._library.check(path)
                except SourceError as error:
                    yield _problem(error)

    # -- projects --------------------------------------------------------------------

    def _project(self, path: str) -> Project:
        folder = os.path.dirname(path)
        if folder not in self._projects:
            self._projects[folder] = project_of(Path(path))
        return self._projects[folder]

    def _analyse(
        self, files: Sequence[str], folders: Sequence[str] = ()
    ) -> tuple[list[Finding], list[Problem], set[str]]:
        """Findings in files, and in their projects' plan files that are named or in folders.

        Returns these plan files too.
        """
        by_project: dict[Project, list[str]] = {}
        for path in files:
            by_project.setdefault(self._project(path), []).append(path)
        findings: list[Finding] = []
        problems: list[Problem] = []
        plans: set[str] = set()
        for project in sorted(by_project, key=lambda item: item.root):
            self._progress(f"analysing {project.root}")
            asked = by_project[project]
            analysis = self._analysis(project, asked)
            problems.extend(analysis.problems)
            below = {path for path in analysis.plans if path.startswith(tuple(folders))}
            plans.update(below.union(asked).intersection(analysis.plans))
            for path in sorted(below.union(asked)):
                findings.extend(analysis.findings.get(path, ()))
        return findings, problems, plans

    def _analysis(self, project: Project, asked: Sequence[str]) -> _Analysis:
        try:
            settings = self._settings_of(project)
        except SettingsError as error:
            return _Analysis(problems=[Problem(_settings_file(project), 0, 0, str(error))])
        if project not in self._files:
            self._files[project] = project_files(project, (*self._exclude, *settings.exclude))
        extra = self._outside(project, asked)
        key = (project, extra)
        if key not in self._analyses:
            files = sorted({*self._files[project], *extra})
            self._analyses[key] = self._run(project, files, settings)
        return self._analyses[key]

    def _outside(self, project: Project, asked: Sequence[str]) -> frozenset[str]:
        """Files asked for that the project excludes, with the packages that they are in."""
        outside: set[str] = set()
        for path in set(asked).difference(self._files[project]):
            if path not in outside and not is_yaml(path):
                outside.add(path)
                outside.update(project_files(package_of(path), self._exclude))
        return frozenset(outside.difference(self._files[project]))

    def _settings_of(self, project: Project) -> Settings:
        if project not in self._settings_by_project:
            self._settings_by_project[project] = self._settings or self._project_settings(project)
        return self._settings_by_project[project]

    def _project_settings(self, project: Project) -> Settings:
        file = Path(_settings_file(project))
        table = load_pyproject(file) if project.kind == "marked" and file.is_file() else {}
        from_mapping(table, str(file))
        return from_mapping({**_kebab(table), **_kebab(self._overrides)}, "options")

    def _run(self, project: Project, files: Sequence[str], settings: Settings) -> _Analysis:
        collecting = gc.isenabled()
        gc.disable()
        try:
            return _check_project(self._library, project, files, settings)
        except Exception as error:
            message = (
                f"internal error, please report it: {type(error).__name__}: {error}; "
                "the project's files were not linted"
            )
            return _Analysis(problems=[Problem(project.root, 0, 0, message)])
        finally:
            if collecting:
                gc.enable()


def _check_project(
    library: Library, project: Project, files: Sequence[str], settings: Settings
) -> _Analysis:
    resolver = Resolver(import_roots(project, files, settings.search_paths), project.root)
    if resolver.reaches_outside():
        files = [*files, *outside_files(files, library.data_or_empty, resolver)]
    growing = World(library, resolver, settings, open_files=True)
    growing.find_roots()
    relevant = Relevance(growing, library, resolver, settings).run(files)
    entries = {(growing.paths[file], owner) for file, owner in relevant}
    world = World(library, resolver, settings, open_files=False)
    for path in sorted(growing.paths):
        world.add(path)
    world.find_roots()
    reach.prepare(world)
    world.construction.ready()
    analysis = _Analysis()
    plan = list(_read_plans(library, project, settings, analysis))
    context = analysis.context = Context(world, library, project.root, entries, plan)
    for check in CHECKS:
        for finding in check(context):
            analysis.findings.setdefault(finding.path, []).append(finding)
    for cls in world.classes():
        if world.is_function(cls):
            line = world.files[cls[1]].classes[cls[2]].line
            analysis.functions.setdefault(world.paths[cls[1]], set()).add(line)
    return analysis


def _read_plans(
    library: Library, project: Project, settings: Settings, analysis: _Analysis
) -> Iterable[PlanSpec]:
    """The entries of the project's plan files; what cannot be read is a problem of its own."""
    found, missing = plan_paths(project.root, settings.plan_files)
    analysis.plans = tuple(found)
    for pattern in missing:
        message = f"plan-files: no file matches {pattern!r} in {project.root}"
        analysis.problems.append(Problem(_settings_file(project), 0, 0, message))
    for path in found:
        try:
            yield from read_plan(path, library.data(path))
        except SourceError as error:
            analysis.problems.append(_problem(error))


def _kebab(table: Mapping[str, Any]) -> dict[str, Any]:
    return {name.replace("_", "-"): value for name, value in table.items()}


def _settings_file(project: Project) -> str:
    return os.path.join(project.root, "pyproject.toml")


def _problem(error: SourceError) -> Problem:
    return Problem(error.path, error.line, error.column, error.message)
