"""Module names to files, by looking at folders only: nothing is imported.

A module is a file, or the folder of a namespace package.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

EXTERNAL = ""
"""Stands for a module that is not part of what can be seen."""


class Resolver:
    """Finds modules below ``roots``; asks the file system for each path at most once."""

    def __init__(self, roots: Sequence[str], project: str) -> None:
        self._roots = list(roots)
        self._project = project
        self._kinds: dict[str, str] = {}
        self._found: dict[tuple[str, str], str | None] = {}

    def absolute(self, dotted: str, importer: str) -> str | None:
        """The module ``dotted`` for an import in the file ``importer``.

        Returns its path, EXTERNAL when nothing of that name can be seen, None when the
        package is there and the module is not.
        """
        folder = os.path.dirname(importer)
        key = (dotted, folder)
        if key not in self._found:
            self._found[key] = self._search(dotted, folder)
        return self._found[key]

    def reaches_outside(self) -> bool:
        """Whether imports are also looked up outside of the project's folder."""
        return not all(self._within_project(root) for root in self._roots)

    def from_project(self, dotted: str) -> str | None:
        """The module ``dotted`` for an import in the project's own folder."""
        return self.absolute(dotted, os.path.join(self._project, "__init__.py"))

    def relative(self, dotted: str, level: int, importer: str) -> str | None:
        """The module of ``from ...dotted import`` with ``level`` dots; None if missing."""
        folder = os.path.dirname(importer)
        for _ in range(level - 1):
            folder = os.path.dirname(folder)
        key = ("." + dotted, folder)
        if key not in self._found:
            self._found[key] = self._descend(folder, dotted.split(".") if dotted else [])
        return self._found[key]

    def submodule(self, module: str, name: str) -> str | None:
        """The module ``name`` inside the package ``module``, None if there is none."""
        if os.path.basename(module) == "__init__.py":
            return self._child(os.path.dirname(module), name)
        return self._child(module, name) if self._kind(module) == "folder" else None

    def _search(self, dotted: str, folder: str) -> str | None:
        parts = dotted.split(".")
        roots = self._roots
        if parts[0] == "torch" and os.path.basename(self._project) != "torch":
            return EXTERNAL
        if self._kind(os.path.join(folder, "__init__.py")) != "file" and folder not in roots:
            roots = [*roots, folder]
        namespace: str | None = EXTERNAL
        for root in roots:
            first = self._child(root, parts[0])
            if first is None or (_is_environment(root) and not self._within_project(first)):
                continue
            found = self._descend(root, parts)
            if found is not None and self._kind(found) == "file":
                return found
            if self._kind(first) == "file":
                return found
            if found is not None and namespace == EXTERNAL:
                namespace = found
        return namespace

    def _within_project(self, path: str) -> bool:
        return path == self._project or path.startswith(self._project + os.sep)

    def _descend(self, folder: str, parts: Sequence[str]) -> str | None:
        current: str | None = folder
        init = os.path.join(folder, "__init__.py")
        if not parts:
            return init if self._kind(init) == "file" else folder
        for part in parts:
            if current is None:
                return None
            if os.path.basename(current) == "__init__.py":
                current = os.path.dirname(current)
            elif self._kind(current) == "file":
                return None
            current = self._child(current, part)
        return current

    def _child(self, folder: str, name: str) -> str | None:
        if not name.isidentifier():
            return None
        package = os.path.join(folder, name)
        init = os.path.join(package, "__init__.py")
        if self._kind(init) == "file":
            return init
        module = package + ".py"
        if self._kind(module) == "file":
            return module
        return package if self._kind(package) == "folder" else None

    def _kind(self, path: str) -> str:
        kind = self._kinds.get(path)
        if kind is None:
            kind = "file" if os.path.isfile(path) else "folder" if os.path.isdir(path) else ""
            self._kinds[path] = kind
        return kind


def _is_environment(folder: str) -> bool:
    """Whether ``folder`` holds installed packages: what is there must not matter."""
    return os.path.basename(folder) in ("site-packages", "dist-packages")
