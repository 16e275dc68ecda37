"""The one home of every rule: code, symbol, texts, examples, default state.

Plugins, the ``rule`` command and the documentation pages are made from ``RULES``. Pure
data: nothing of ours but the rules' own modules is imported here.
"""

from __future__ import annotations

from fnmodule_lint.rules.contracts import CONTRACTS
from fnmodule_lint.rules.invisible import INVISIBLE
from fnmodule_lint.rules.rule import Rule
from fnmodule_lint.rules.shells import SHELLS

__all__ = ["RULES", "Rule"]

RULES: dict[str, Rule] = {rule.code: rule for rule in (*INVISIBLE, *SHELLS, *CONTRACTS)}
