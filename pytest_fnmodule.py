"""The pytest fixture ``fnmodule_audit``. It imports torch only when a test asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from torch import nn

    from runtime.audit import Report


@pytest.fixture
def fnmodule_audit(
    request: pytest.FixtureRequest,
) -> Callable[[nn.Module | None], AbstractContextManager[Report]]:
    """Record what a model applies unseen.

    A context manager, the same as ``runtime.audit.audit``; a failing test shows the table
    of each report.
    """
    from runtime.audit import audit

    @contextmanager
    def audited(model: nn.Module | None = None) -> Iterator[Report]:
        with audit(model) as report:
            try:
                yield report
            finally:
                request.node.add_report_section("call", "fnmodule audit", report.table())

    return audited
