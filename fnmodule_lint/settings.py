"""The settings that decide what is a finding: one dataclass, one loader for pyproject.toml.

flake8 and pylint make their options from ``OPTIONS``, so that names, types and help are
the same everywhere (there each name starts with ``fnmodule-``).
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


class SettingsError(ValueError):
    """A setting that cannot be used: names the file, the option and what it should be."""


def _option(default: tuple[str, ...], help_text: str) -> Any:
    return field(default=default, metadata={"help": help_text})


@dataclass(frozen=True)
class Settings:
    """What the project says about itself; every field is a tuple of strings.

    Dotted names are import paths (``package.module.Name``); ``search_paths`` are folders
    and ``plan_files`` files or globs of them, absolute or relative to the project;
    ``exclude`` and ``exclude_classes`` are globs.
    """

    function_module: tuple[str, ...] = _option(
        ("runtime.FunctionModule",),
        "dotted names that count as FunctionModule; fixes import the first",
    )
    function_bases: tuple[str, ...] = _option(
        (), "dotted names of further autograd Function base classes"
    )
    module_bases: tuple[str, ...] = _option((), "dotted names of further nn.Module base classes")
    visible_bases: tuple[str, ...] = _option(
        (), "dotted names of Function bases whose apply dispatches by itself: no finding"
    )
    search_paths: tuple[str, ...] = _option((), "further folders in which imports are looked up")
    reaching_functions: tuple[str, ...] = _option(
        (), "dotted names of third-party functions known to end in an apply"
    )
    entry_methods: tuple[str, ...] = _option(
        (), "methods that count as forward, e.g. training_step"
    )
    exclude_classes: tuple[str, ...] = _option((), "globs of class names that are passed over")
    plan_files: tuple[str, ...] = _option(
        (), "YAML files, or globs of them, whose plan_overrides are linted too"
    )
    exclude: tuple[str, ...] = _option(
        (), "globs of files and folders that are outside the project"
    )


OPTIONS: dict[str, str] = {
    item.name.replace("_", "-"): item.metadata["help"] for item in fields(Settings)
}


def from_mapping(table: Mapping[str, Any], origin: str) -> Settings:
    """Settings from a mapping of option name (kebab or snake case) to string or list.

    Raises SettingsError, naming ``origin``, for an unknown option or a wrong type.
    """
    values: dict[str, tuple[str, ...]] = {}
    for name, value in table.items():
        option = name.replace("_", "-")
        if option not in OPTIONS:
            raise SettingsError(
                f"{origin}: unknown option {name!r}; known: {', '.join(sorted(OPTIONS))}"
            )
        if isinstance(value, str):
            value = [part.strip() for part in value.replace("\n", ",").split(",") if part.strip()]
        if not isinstance(value, list | tuple) or not all(isinstance(part, str) for part in value):
            raise SettingsError(
                f"{origin}: {name} must be a string or a list of strings, not {value!r}"
            )
        values[option.replace("-", "_")] = tuple(value)
    return Settings(**values)


def load_pyproject(file: Path) -> dict[str, Any]:
    """The table ``[tool.fnmodule-lint]`` of ``file``, empty where there is none.

    Raises SettingsError when the file cannot be read or parsed.
    """
    try:
        with file.open("rb") as stream:
            table = tomllib.load(stream).get("tool", {}).get("fnmodule-lint", {})
    except (OSError, ValueError, RecursionError) as error:
        raise SettingsError(f"{file}: cannot be read: {error}") from error
    if not isinstance(table, dict):
        raise SettingsError(f"{file}: [tool.fnmodule-lint] must be a table")
    return table
