"""Rules explained, for a terminal and as documentation pages; all from the table."""

from __future__ import annotations

import textwrap
from pathlib import Path

from fnmodule_lint.rules import RULES, Rule

_FIX = {
    "none": "No automatic fix.",
    "safe": "`fnmodule-lint fix` fixes it where that is safe.",
    "unsafe": "`fnmodule-lint fix --unsafe` fixes it where the helper is a plain wrapper.",
}


def explain(rule: Rule) -> str:
    """A rule as plain text."""
    parts = [
        f"{rule.code} ({rule.symbol}; pylint {rule.pylint_id})",
        rule.title + ("" if rule.default else " (off by default)"),
        _FIX[rule.fix],
        textwrap.fill(rule.why, 88),
        "Message: " + rule.message,
        "Reported:\n\n" + textwrap.indent(rule.bad.rstrip(), "    "),
        "Clean:\n\n" + textwrap.indent(rule.good.rstrip(), "    "),
    ]
    return "\n\n".join(parts)


def page(rule: Rule) -> str:
    """A rule as a Markdown page."""
    state = "on" if rule.default else "off"
    return "\n".join(
        (
            f"# {rule.code}: {rule.title}",
            "",
            f"Symbol `{rule.symbol}`, pylint `{rule.pylint_id}`, {state} by default, "
            f"since {rule.since}. {_FIX[rule.fix]}",
            "",
            rule.why,
            "",
            "## Message",
            "",
            f"> {rule.message}",
            "",
            "## Reported",
            "",
            "```python",
            rule.bad.rstrip(),
            "```",
            "",
            "## Clean",
            "",
            "```python",
            rule.good.rstrip(),
            "```",
            "",
        )
    )


def index() -> str:
    """The page that lists all rules."""
    return "# Rules\n\n" + table("") + "\n"


def table(prefix: str) -> str:
    """All rules as a Markdown table; links start with ``prefix``."""
    rows = ["| Code | pylint | Symbol | What it finds |", "|---|---|---|---|"]
    for rule in RULES.values():
        off = "" if rule.default else " (off by default)"
        rows.append(
            f"| [{rule.code}]({prefix}{rule.code}.md) | {rule.pylint_id} | `{rule.symbol}` "
            f"| {rule.title}{off} |"
        )
    return "\n".join(rows)


def write_pages(folder: Path) -> None:
    """Write a page for each rule and their index into ``folder``. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    for rule in RULES.values():
        (folder / f"{rule.code}.md").write_text(page(rule), encoding="utf-8")
    (folder / "index.md").write_text(index(), encoding="utf-8")
