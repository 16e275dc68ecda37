"""Finds autograd Functions that are applied where no module can see them."""

from __future__ import annotations

from importlib import metadata
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylint.lint import PyLinter

try:
    __version__ = metadata.version("fnmodule-lint")
except metadata.PackageNotFoundError:
    __version__ = "0.0.0"


def register(linter: PyLinter) -> None:
    """Register the checkers with pylint (``--load-plugins=fnmodule_lint``)."""
    from fnmodule_lint.pylint_plugin import register as register_checkers

    register_checkers(linter)


def load_configuration(linter: PyLinter) -> None:
    """Silence, once pylint's options are known, what every Function subclass trips."""
    from fnmodule_lint.pylint_silence import silence_function_messages

    silence_function_messages(linter)
