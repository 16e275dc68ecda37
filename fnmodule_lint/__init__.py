"""Finds autograd Functions that are applied where no module can see them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pylint.lint import PyLinter


def __getattr__(name: str) -> str:
    """``__version__``, read when it is asked for: that import is a third of start-up."""
    if name != "__version__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import metadata

    try:
        return metadata.version("fnmodule-lint")
    except metadata.PackageNotFoundError:
        return "0.0.0"


def register(linter: PyLinter) -> None:
    """Register the checkers with pylint (``--load-plugins=fnmodule_lint``)."""
    from fnmodule_lint.pylint_plugin import register as register_checkers

    register_checkers(linter)


def load_configuration(linter: PyLinter) -> None:
    """Silence, once pylint's options are known, what every Function subclass trips."""
    from fnmodule_lint.pylint_silence import silence_function_messages

    silence_function_messages(linter)
