"""What a rule is. Pure data: nothing of ours is imported here."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass

CODE = re.compile(r"FNM[1-9]\d\d")
SYMBOL = re.compile(r"[a-z]+(-[a-z]+)+")
FIELDS = frozenset(
    {
        "call",
        "function",
        "owner",
        "chain",
        "shell",
        "mount",
        "given",
        "expected",
        "key",
        "names",
        "signature",
        "forward",
        "setting",
    }
)
FIXES = ("none", "safe", "unsafe")


@dataclass(frozen=True)
class Rule:
    """One rule.

    ``message`` has named fields out of ``FIELDS``; ``why`` explains it to somebody who
    has never met it; ``bad`` and ``good`` are whole files, linted as tests. ``fix`` says
    what ``fnmodule-lint fix`` can do: "none", "safe" (``bad`` becomes ``good``) or "unsafe".

    Raises ValueError when a field is malformed, so that a bad table cannot be imported.
    """

    code: str
    symbol: str
    title: str
    message: str
    why: str
    bad: str
    good: str
    default: bool = True
    severity: str = "W"
    since: str = "0.1"
    fix: str = "none"

    def __post_init__(self) -> None:
        if not CODE.fullmatch(self.code):
            raise ValueError(f"rule code {self.code!r} is not FNMnnn")
        if not SYMBOL.fullmatch(self.symbol):
            raise ValueError(f"{self.code}: symbol {self.symbol!r} is not kebab-case")
        for name in ("title", "message", "why", "bad", "good"):
            if not getattr(self, name).strip():
                raise ValueError(f"{self.code}: {name} is empty")
        if self.fix not in FIXES:
            raise ValueError(f"{self.code}: fix {self.fix!r} is none of {', '.join(FIXES)}")
        unknown = self.fields - FIELDS
        if unknown:
            raise ValueError(f"{self.code}: unknown message fields {sorted(unknown)}")

    @property
    def fields(self) -> frozenset[str]:
        """The names of the message's fields."""
        return frozenset(name for _, name, _, _ in string.Formatter().parse(self.message) if name)

    @property
    def pylint_id(self) -> str:
        """The pylint message id: severity, then 9, then the digits (FNM101 is W9101)."""
        return f"{self.severity}9{self.code[3:]}"

    @property
    def pylint_text(self) -> str:
        """The message in pylint's %-style, with the same named fields."""
        parts = []
        for literal, name, _, _ in string.Formatter().parse(self.message):
            parts.append(literal.replace("%", "%%"))
            if name:
                parts.append(f"%({name})s")
        return "".join(parts)
