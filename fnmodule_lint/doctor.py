"""Says which linters of this environment load the plugins, and with which settings."""

from __future__ import annotations

import configparser
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path

from fnmodule_lint import __file__ as package_file
from fnmodule_lint import __version__
from fnmodule_lint.project import project_of
from fnmodule_lint.settings import OPTIONS, SettingsError, from_mapping, load_pyproject

_HOSTS = {
    "flake8": ("flake8", "flake8.extension", "FNM"),
    "pylint": ("pylint", "", ""),
    "pylsp": ("python-lsp-server", "pylsp", "fnmodule"),
}
_FLAKE8_FILES = ("setup.cfg", "tox.ini", ".flake8")


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
        yield f"cannot be used: {error}"
        return
    yield f"{file}: [tool.fnmodule-lint] {'sets' if table else 'is empty, so the defaults hold'}"
    for name in OPTIONS:
        value = getattr(settings, name.replace("-", "_"))
        mark = "*" if name in table or name.replace("-", "_") in table else " "
        yield f"  {mark} {name} = {', '.join(value) or '(none)'}"


def _flake8_file(file: Path) -> Iterator[str]:
    parser = configparser.ConfigParser(interpolation=None)
    try:
        parser.read(file, encoding="utf-8")
    except (configparser.Error, UnicodeDecodeError) as error:
        yield f"{file}: cannot be read: {str(error).splitlines()[0]}"
        return
    if parser.has_section("flake8"):
        ours = {k: v for k, v in parser["flake8"].items() if k.startswith("fnmodule")}
        yield f"{file}: [flake8] sets {len(ours)} of our options"
        for name, value in ours.items():
            yield f"  * {name} = {' '.join(value.split())}"
