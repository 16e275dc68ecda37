"""The dynamic counterpart of the linter: which Functions a model really applies unseen.

::

    with audit(model) as report:
        model(x)
    print(report.table())

Recorded is every ``autograd.Function`` applied while the forward of a module of the model
runs, and outside of a FunctionModule. As a command: ``python -m runtime.audit SCRIPT``.
"""

from __future__ import annotations

from runtime.audit.compare import Comparison
from runtime.audit.recorder import audit
from runtime.audit.report import Report, Site

__all__ = ["Comparison", "Report", "Site", "audit"]
