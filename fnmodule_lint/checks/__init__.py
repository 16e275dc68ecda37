"""The checks, one module per rule family; each takes a Context and yields findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from fnmodule_lint.checks import contracts, invisible, shells
from fnmodule_lint.checks.context import Context
from fnmodule_lint.findings import Finding

CHECKS: tuple[Callable[[Context], Iterator[Finding]], ...] = (
    invisible.check,
    shells.check,
    contracts.check,
)
