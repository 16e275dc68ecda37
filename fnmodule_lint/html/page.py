"""The page: findings by package and Function, their chains, and what ``fix`` would do."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from fnmodule_lint import __version__
from fnmodule_lint.findings import Finding
from fnmodule_lint.fixes.edits import Declined, Fix
from fnmodule_lint.html.graph import Node, drawing
from fnmodule_lint.json_report import display_path
from fnmodule_lint.rules import RULES

_HERE = Path(__file__).parent
_COLUMNS = ("Place", "Code", "Module", "Function", "Fix")
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def page(findings: Sequence[Finding], plans: Mapping[Finding, Fix | Declined], files: int) -> str:
    """The report as HTML that asks for nothing from outside; ``files`` were checked."""
    parts = [_figures(findings, plans, files)]
    if findings:
        parts += [
            _counts("By package", "Package", Counter(map(_package, findings))),
            _counts("By Function", "Function", Counter(map(_function, findings))),
            _modules(findings),
            _chains(findings),
            _table(findings, plans),
        ]
    else:
        parts.append("<p>No findings: every Function that is applied in a forward has an FQN.</p>")
    style, script = ((_HERE / name).read_text("utf-8") for name in ("page.css", "page.js"))
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>fnmodule-lint report</title>\n<style>\n{style}</style>\n</head>\n<body>\n"
        "<h1>Functions that no module can see</h1>\n"
        "<p>Each is an autograd Function applied in a module's forward without an FQN: hooks, "
        "sharding plans, FSDP and activation-checkpoint policies, quantization swaps and FLOP "
        f"counters pass over it. Made by fnmodule-lint {__version__}.</p>\n"
        + "\n".join(parts)
        + f"\n<script>\n{script}</script>\n</body>\n</html>\n"
    )


def _figures(
    findings: Sequence[Finding], plans: Mapping[Finding, Fix | Declined], files: int
) -> str:
    fixes = [plan for plan in plans.values() if isinstance(plan, Fix)]
    figures = {
        "findings": len(findings),
        "files checked": files,
        "fixed by fix": sum(fix.safe for fix in fixes),
        "more by fix --unsafe": sum(not fix.safe for fix in fixes),
        "left to you": len(findings) - len(fixes),
    }
    items = "".join(f"<li><b>{count}</b> {name}</li>" for name, count in figures.items())
    return f'<ul class="figures">{items}</ul>'


def _counts(title: str, what: str, counts: Mapping[str, int]) -> str:
    rows = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    body = "".join(
        f'<tr><td><code>{_text(name)}</code></td><td class="number">{count}</td></tr>'
        for name, count in rows
    )
    head = f'<tr><th>{what}</th><th class="number">Findings</th></tr>'
    return f"<h2>{title}</h2>\n<table><thead>{head}</thead><tbody>{body}</tbody></table>"


def _modules(findings: Iterable[Finding]) -> str:
    """The Module classes in whose forward something has no mount point."""
    unseen: dict[tuple[str, str], set[str]] = {}
    for finding in findings:
        if finding.code.startswith("FNM1"):
            key = (display_path(finding.path), _owner(finding).rpartition(".")[0])
            unseen.setdefault(key, set()).add(_function(finding))
    rows = "".join(
        f'<tr><td><code>{_text(name)}</code></td><td class="place">{_text(path)}</td>'
        f"<td><code>{_text(', '.join(sorted(functions)))}</code></td></tr>"
        for (path, name), functions in sorted(unseen.items())
    )
    head = "<tr><th>Module</th><th>File</th><th>Without a mount point</th></tr>"
    return (
        "<h2>Modules without a mount point</h2>\n"
        f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
    )


def _chains(findings: Iterable[Finding]) -> str:
    by_function: dict[str, list[list[Node]]] = {}
    for finding in findings:
        if finding.code.startswith("FNM1"):
            name = _function(finding)
            by_function.setdefault(name, []).append(list(_chain(finding, name)))
    parts = [
        f"<details open><summary><code>{_text(name)}</code>, {len(chains)} call"
        f'{"" if len(chains) == 1 else "s"}</summary><div class="drawing">'
        f"{drawing(chains)}</div></details>"
        for name, chains in sorted(by_function.items())
    ]
    return "<h2>Call chains</h2>\n" + "\n".join(parts)


def _chain(finding: Finding, function: str) -> Iterator[Node]:
    yield _readable(_owner(finding)), _readable(_place(finding))
    for step in finding.chain[:-1]:
        yield _readable(step.name), _readable(f"{display_path(step.path)}:{step.line}")
    yield _readable(f"{function}.apply"), _readable(function)


def _table(findings: Iterable[Finding], plans: Mapping[Finding, Fix | Declined]) -> str:
    head = "".join(f'<th><button type="button">{name}</button></th>' for name in _COLUMNS)
    rows = []
    for finding in findings:
        plan = plans.get(finding)
        cells = (
            f'<td class="place">{_text(_place(finding))}</td>',
            f'<td title="{_text(RULES[finding.code].title)}">{finding.code}</td>',
            f"<td><code>{_text(_owner(finding))}</code></td>",
            f"<td><code>{_text(_function(finding))}</code></td>",
            f"<td>{_text(_planned(plan))}</td>",
        )
        rows.append(f"<tr>{''.join(cells)}</tr>")
    return (
        '<h2>Findings</h2>\n<p class="filter"><input id="filter" type="search" '
        'aria-label="Filter the findings" placeholder="Filter: words, in any column"> '
        f'<span id="shown">{len(rows)}</span> shown</p>\n'
        f'<table id="findings"><thead><tr>{head}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _planned(plan: Fix | Declined | None) -> str:
    if isinstance(plan, Fix):
        return plan.title if plan.safe else f"{plan.title} (unsafe)"
    return "" if plan is None else f"Left: {plan.reason}"


def _package(finding: Finding) -> str:
    folder = os.path.dirname(display_path(finding.path)).replace(os.sep, "/")
    return folder or "."


def _function(finding: Finding) -> str:
    return dict(finding.arguments).get("function", "")


def _owner(finding: Finding) -> str:
    return dict(finding.arguments).get("owner", "")


def _place(finding: Finding) -> str:
    return f"{display_path(finding.path)}:{finding.line}"


def _readable(text: str) -> str:
    """``text`` with what no file in UTF-8 can hold written as escapes."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def _text(text: str) -> str:
    return escape(_readable(text))
