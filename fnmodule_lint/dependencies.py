"""Packages outside of the project that its files import and that can be seen.

They are looked up in the import roots only (the folder beside a topmost package, the
setting ``search-paths``), never in an environment: what is installed does not matter.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable

from fnmodule_lint.imports import Resolver
from fnmodule_lint.project import walk

_IMPORT = re.compile(rb"^[ \t]*(?:from|import)[ \t]+([A-Za-z_]\w*)", re.MULTILINE)


def outside_files(
    files: Iterable[str], read: Callable[[str], bytes], resolver: Resolver
) -> list[str]:
    """The files of the packages and modules outside ``files`` that ``files`` import.

    Includes what those import in turn. ``read`` gives a file's bytes, empty when there
    are none.
    """
    known = set(files)
    todo = sorted(known)
    found: list[str] = []
    names: set[str] = set()
    while todo:
        path = todo.pop()
        new = {match.decode() for match in _IMPORT.findall(read(path))} - names
        names |= new
        for name in sorted(new):
            target = resolver.from_project(name)
            more = [item for item in _package(target) if item not in known] if target else []
            known.update(more)
            found.extend(more)
            todo.extend(more)
    return sorted(found)


def _package(target: str) -> list[str]:
    if os.path.basename(target) != "__init__.py":
        return [target] if target.endswith(".py") else []
    folder = os.path.dirname(target)
    return sorted(walk(folder, folder, ()))
