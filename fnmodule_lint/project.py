"""Which files belong together: the project of a file, its files and its import roots.

The rules are those of docs/architecture.md, "What belongs to the world": the nearest
folder above a file that holds a project marker; where there is none, the topmost package
folder; for a lone script its folder's own scripts.
"""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

MARKERS = ("pyproject.toml", "setup.cfg", "setup.py", ".git")
_OUTPUTS = frozenset({"build", "dist"})
_OUTSIDE = frozenset({"__pycache__", "node_modules", "site-packages", "__pypackages__"})


@dataclass(frozen=True)
class Project:
    """A set of files that are analysed together.

    ``kind`` is "marked" (the folder holds a marker), "package" (a topmost package
    folder) or "scripts" (a folder's own scripts, no subfolders).
    """

    root: str
    kind: str


def package_of(file: str) -> Project:
    """The topmost package that ``file`` is in, or its folder's scripts: markers aside."""
    folder = os.path.dirname(file)
    package, current = "", folder
    while current != os.path.dirname(current):
        if os.path.isfile(os.path.join(current, "__init__.py")):
            package = current
        elif package:
            break
        current = os.path.dirname(current)
    return Project(package, "package") if package else Project(folder, "scripts")


def project_of(file: Path) -> Project:
    """The project that the absolute path ``file`` belongs to."""
    folder = os.path.dirname(os.path.abspath(file))
    package = ""
    current = folder
    while True:
        if any(os.path.lexists(os.path.join(current, marker)) for marker in MARKERS):
            return Project(current, "marked")
        if os.path.isfile(os.path.join(current, "__init__.py")):
            package = current
        parent = os.path.dirname(current)
        if parent == current:
            break
        current = parent
    return Project(package, "package") if package else Project(folder, "scripts")


def project_files(project: Project, exclude: Sequence[str]) -> list[str]:
    """The absolute paths of the project's Python files, sorted."""
    if project.kind == "scripts":
        return sorted(_scripts(project.root, exclude))
    nested = project.kind == "marked"
    return sorted(walk(project.root, project.root, exclude, stop_at_projects=nested))


def _scripts(folder: str, exclude: Sequence[str]) -> Iterator[str]:
    try:
        entries = list(os.scandir(folder))
    except OSError:
        return
    for entry in entries:
        if entry.name.endswith(".py") and _is_file(entry):
            if not excluded(entry.path, folder, exclude):
                yield entry.path


def walk(
    folder: str, root: str, exclude: Sequence[str], *, stop_at_projects: bool = False
) -> Iterator[str]:
    """The Python files below ``folder``; links to folders are not followed.

    Hidden folders, virtual environments, build outputs and what ``exclude`` names
    (globs, relative to ``root``) are passed over; with ``stop_at_projects`` so are
    folders that are projects of their own.
    """
    pending = [folder]
    while pending:
        current = pending.pop()
        try:
            entries = list(os.scandir(current))
        except OSError:
            continue
        names = {entry.name for entry in entries}
        if current != folder:
            if "pyvenv.cfg" in names or (stop_at_projects and not names.isdisjoint(MARKERS)):
                continue
            if os.path.basename(current) in _OUTPUTS and "__init__.py" not in names:
                continue
        for entry in entries:
            if entry.name.startswith(".") or excluded(entry.path, root, exclude):
                continue
            if entry.is_dir(follow_symlinks=False):
                if entry.name not in _OUTSIDE and not entry.name.endswith(".egg-info"):
                    pending.append(entry.path)
            elif entry.name.endswith(".py") and _is_file(entry):
                yield entry.path


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False


def excluded(path: str, root: str, globs: Sequence[str]) -> bool:
    """Whether a glob names ``path``: by its name, or by its path relative to ``root``."""
    if not globs:
        return False
    name = os.path.basename(path)
    relative = os.path.relpath(path, root).replace(os.sep, "/")
    return any(
        fnmatch.fnmatchcase(name, glob.rstrip("/"))
        or fnmatch.fnmatchcase(relative, glob.rstrip("/"))
        or fnmatch.fnmatchcase(path, glob)
        for glob in globs
    )


def excluded_below(path: str, asked: str, root: str, globs: Sequence[str]) -> bool:
    """Whether a glob names ``path`` or a folder between it and the folder ``asked`` for.

    Globs are relative to ``root``. Who asks for an excluded folder by name means it.
    """
    top = max(len(root), len(asked))
    while globs and len(path) > top:
        if excluded(path, root, globs):
            return True
        path = os.path.dirname(path)
    return False


def import_roots(project: Project, files: Sequence[str], search_paths: Sequence[str]) -> list[str]:
    """Folders in which absolute imports are looked up, in order."""
    if project.kind == "package":
        roots = [os.path.dirname(project.root)]
    else:
        roots = [project.root]
        if project.kind == "marked":
            roots.extend(_above_package(project.root))
            roots.append(os.path.join(project.root, "src"))
            roots.extend(sorted(_package_parents(project.root, files)))
    roots.extend(os.path.join(project.root, os.path.expanduser(path)) for path in search_paths)
    return list(dict.fromkeys(os.path.normpath(root) for root in roots))


def _above_package(root: str) -> list[str]:
    """The folder above the topmost package that a project inside a package belongs to."""
    top = ""
    while os.path.isfile(os.path.join(root, "__init__.py")) and root != os.path.dirname(root):
        top = root = os.path.dirname(root)
    return [top] if top else []


def _package_parents(root: str, files: Sequence[str]) -> set[str]:
    """The folder above each topmost package; a folder inside a package is part of it."""
    packages = {os.path.dirname(file) for file in files if file.endswith(os.sep + "__init__.py")}
    parents = set()
    for package in packages:
        top, current = package, package
        while current != root and current != os.path.dirname(current):
            current = os.path.dirname(current)
            if current in packages:
                top = current
        if top != root:
            parents.add(os.path.dirname(top))
    return parents
