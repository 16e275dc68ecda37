"""Any bytes are findings or one clear message: never an error of ours, and twice the same."""

from __future__ import annotations

from pathlib import Path

import pytest
from mutations import mutated

from fnmodule_lint.engine import Engine
from fnmodule_lint.fixes.plans import fixes_for

INPUTS, GROUPS = 600, 6


@pytest.mark.parametrize("group", range(GROUPS))
def test_damaged_files(group: int, fixtures: Path):
    files = sorted(file for file in fixtures.rglob("*.py") if file.read_bytes().strip())
    parsed = 0
    for number in range(group, INPUTS, GROUPS):
        file = files[number % len(files)]
        data = mutated(file.read_bytes(), number)
        engine = Engine()
        report = engine.check_text(file, data)
        assert not [p for p in report.problems if "internal error" in p.message], (file, number)
        assert len([p for p in report.problems if p.path == str(file)]) <= 1, (file, number)
        plans = fixes_for(engine, report.findings)
        reasons = [getattr(plan, "reason", "") for plan in plans.values()]
        assert not [reason for reason in reasons if "internal error" in reason], (file, number)
        assert Engine().check_text(file, data) == report, (file, number)
        parsed += not report.problems
    assert parsed > INPUTS // GROUPS // 10, "hardly anything of this was more than a syntax error"
