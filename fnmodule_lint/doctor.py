"""Says which linters of this environment load the plugins, and with which settings."""

from __future__ import annotations

import configparser
import sys
from collections.abc import Iterator, Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

from fnmodule_lint import __file__ as package_file
from fnmodule_lint import __version__
from fnmodule_lint.project import project_of
from fnmodule_lint.settings import OPTIONS, SettingsError, from_mapping, load_pyproject

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

_HOSTS = {
    "flake8": ("flake8", "flake8.extension", "FNM"),
    "pylint": ("pylint", "", ""),
    "pylsp": ("python-lsp-server", "pylsp", "fnmodule"),
}
_FLAKE8_FILES = ("setup.cfg", "tox.ini", ".flake8")
_PYLINT_FILES = ("pylintrc", ".pylintrc", "setup.cfg", "tox.ini")


PROBLEM = "  ! "
"""Begins a line that says what will not work."""
_PYLINT_ONLY = ("keep-function-messages",)


def examine(folder: Path) -> Iterator[str]:
    """The report for work in ``folder``, line by line."""
    yield f"fnmodule-lint {__version__} from {Path(package_file).parent}"
    yield f"Python {sys.version.split()[0]} at {sys.executable}"
    for name, (distribution, group, entry) in _HOSTS.items():
        yield _host(name, distribution, group, entry)
    project = project_of(folder / "x.py")
    yield f"project: {project.root} ({project.kind})"
    yield from _pyproject(Path(project.root) / "pyproject.toml")
    for file in _FLAKE8_FILES:
        yield from _flake8_file(Path(project.root) / file)
    for file in _PYLINT_FILES:
        yield from _pylint_file(Path(project.root) / file)
    yield from _pylint_table(Path(project.root) / "pyproject.toml")


def _host(name: str, distribution: str, group: str, entry: str) -> str:
    try:
        version = metadata.version(distribution)
    except metadata.PackageNotFoundError:
        return f"{name}: not installed here (pip install {distribution})"
    if not group:
        return f"{name} {version}: loads the plugin with --load-plugins=fnmodule_lint"
    found = [item for item in metadata.entry_points(group=group) if item.name == entry]
    if not found:
        return f"{name} {version}: does not load the plugin (no entry point {group}: {entry})"
    return f"{name} {version}: loads the plugin from {found[0].value}"


def _pyproject(file: Path) -> Iterator[str]:
    if not file.is_file():
        yield f"{file}: not there, so the defaults hold"
        return
    try:
        table = load_pyproject(file)
        settings = from_mapping(table, str(file))
    except SettingsError as error:
        yield f"{PROBLEM}cannot be used: {error}"
        return
    yield f"{file}: [tool.fnmodule-lint] {'sets' if table else 'is empty, so the defaults hold'}"
    for name in OPTIONS:
        value = getattr(settings, name.replace("-", "_"))
        mark = "*" if name in table or name.replace("-", "_") in table else " "
        yield f"  {mark} {name} = {', '.join(value) or '(none)'}"
    for path in settings.search_paths:
        if not (file.parent / path).expanduser().is_dir():
            yield f"{PROBLEM}search-paths: {path} is no folder"


def _flake8_file(file: Path) -> Iterator[str]:
    sections, trouble = _sections(file)
    yield from trouble
    if "flake8" in sections:
        yield from _ours(f"{file}: [flake8]", sections["flake8"])


def _pylint_file(file: Path) -> Iterator[str]:
    sections, trouble = _sections(file)
    if file.name.endswith("pylintrc"):
        yield from trouble
    else:  # shared with other tools: only pylint's own sections count there
        sections = {name: table for name, table in sections.items() if name.startswith("pylint")}
    if sections:
        together = {key: value for table in sections.values() for key, value in table.items()}
        yield from _pylint_says(f"{file}: [pylint]", together)


def _pylint_table(file: Path) -> Iterator[str]:
    try:
        table = _tool_table(file) if file.is_file() else {}
    except (OSError, ValueError, RecursionError):
        return  # said already, by the reader of our own table
    together: dict[str, Any] = {}
    for name, value in table.items():
        together |= value if isinstance(value, dict) else {name: value}
    if together:
        yield from _pylint_says(f"{file}: [tool.pylint]", together)


def _tool_table(file: Path) -> dict[str, Any]:
    with file.open("rb") as stream:
        table = tomllib.load(stream).get("tool", {}).get("pylint", {})
    return table if isinstance(table, dict) else {}


def _pylint_says(origin: str, table: Mapping[str, Any]) -> Iterator[str]:
    plugins = _words(table.get("load-plugins", ""))
    loads = "loads" if "fnmodule_lint" in plugins.replace(",", " ").split() else "does not load"
    yield f"{origin} {loads} the plugin into pylint"
    yield from _ours(origin, table)


def _ours(origin: str, table: Mapping[str, Any]) -> Iterator[str]:
    ours = {name: value for name, value in table.items() if name.startswith("fnmodule")}
    yield f"{origin} sets {len(ours)} of our options"
    for name, value in ours.items():
        yield f"  * {name} = {_words(value)}"
        if name.removeprefix("fnmodule-") not in {*OPTIONS, *_PYLINT_ONLY}:
            yield f"{PROBLEM}{name} is no option; known: {', '.join(sorted(OPTIONS))}"


def _words(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return " ".join(str(value).split())


def _sections(file: Path) -> tuple[dict[str, dict[str, str]], list[str]]:
    """The sections of an ini file by name, and what keeps it from being read."""
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read(file, encoding="utf-8")
    except (configparser.Error, OSError, UnicodeDecodeError) as error:
        return {}, [f"{file}: cannot be read: {str(error).splitlines()[0]}"]
    return {name: dict(parser[name]) for name in parser.sections()}, []
