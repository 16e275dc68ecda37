"""``fnmodule-lint vendor``: FunctionModule as one file in the user's own package."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from fnmodule_lint.json_report import display_path
from fnmodule_lint.project import import_roots, project_files, project_of
from fnmodule_lint.settings import Settings, from_mapping, load_pyproject

CLEAN, FAILED = 0, 2
FILE_NAME = "function_module.py"
_ORIGIN = Path(__file__).resolve().parent.parent / "runtime" / FILE_NAME
_NOTICE = (
    "# FunctionModule of fnmodule-lint, licensed under Apache-2.0. This file needs torch alone.\n"
)


class VendorError(ValueError):
    """Why the file cannot be put there, and what to do instead."""


def vendor(path: Path) -> int:
    """Write the shell to ``path``, a folder or a new ``.py`` file, and say what to set.

    Returns the exit status: 0 when the file is there as it should be, else 2.
    """
    try:
        target = _target(path)
        dotted = _dotted(target)
        settings = _settings(target)
        done = _write(target)
    except (VendorError, OSError, ValueError) as error:
        print(f"fnmodule-lint: error: {error}", file=sys.stderr)
        return FAILED
    name = f"{dotted}.FunctionModule"
    print(f"{display_path(str(target))} {done}")
    if settings.function_module[0] == name:
        print(f"fixes import {name}")
        return CLEAN
    others = [other for other in settings.function_module if other not in (name, _default())]
    listed = ", ".join(f'"{item}"' for item in (name, *others))
    print("to have fixes import it, set in pyproject.toml:\n")
    print(f"[tool.fnmodule-lint]\nfunction-module = [{listed}]")
    return CLEAN


def _target(path: Path) -> Path:
    target = Path(os.path.abspath(path if path.suffix == ".py" else path / FILE_NAME))
    if not target.parent.is_dir():
        raise VendorError(f"{target.parent} is no folder: name one of your packages")
    return target


def _dotted(target: Path) -> str:
    """The module name of ``target``, from the innermost import root that it lies in."""
    project = project_of(target)
    roots = import_roots(project, project_files(project, ()), ())
    above = [root for root in roots if target.is_relative_to(root)]
    relative = target.relative_to(max(above, key=len, default=str(target.parent)))
    parts = relative.with_suffix("").parts
    for part in parts:
        if not part.isidentifier():
            raise VendorError(f"{target} cannot be imported: {part!r} is no module name")
    return ".".join(parts)


def _settings(target: Path) -> Settings:
    file = Path(project_of(target).root) / "pyproject.toml"
    return from_mapping(load_pyproject(file) if file.is_file() else {}, str(file))


def _default() -> str:
    return Settings().function_module[0]


def _write(target: Path) -> str:
    text = _NOTICE + _ORIGIN.read_text(encoding="utf-8")
    if not os.path.lexists(target):
        with open(target, "x", encoding="utf-8", newline="\n") as file:
            file.write(text)
        return "written"
    if target.is_file() and target.read_text(encoding="utf-8") == text:
        return "is there already"
    raise VendorError(f"{target} exists and is another file: move it away, or name another PATH")
