"""Findings for people: the message, the source line with the span marked, the chain."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TextIO

from fnmodule_lint.engine import Report
from fnmodule_lint.findings import Finding, Problem
from fnmodule_lint.fixes.edits import Fix
from fnmodule_lint.json_report import display_path
from fnmodule_lint.rules import RULES
from fnmodule_lint.source import lines_of
from fnmodule_lint.terminal import Style, style_of

_WIDEST, _BEFORE = 160, 40
"""Characters shown of a source line, and how many of them before the span: a generated line
of megabytes with thousands of findings must not be printed thousands of times."""


def as_text(
    findings: Sequence[Finding],
    report: Report,
    text_of: Callable[[str], str],
    stream: TextIO,
    fixes: Mapping[Finding, Fix],
) -> None:
    """Write the findings and a closing line to ``stream``; ``[*]`` marks those with a fix."""
    style = style_of(stream)
    lines: dict[str, list[str]] = {}
    for finding in findings:
        if finding.path not in lines:
            lines[finding.path] = lines_of(finding.path, text_of)
        mark = _mark(fixes.get(finding))
        for line in _finding(finding, mark, lines[finding.path], _encoding(stream), style):
            stream.write(line + "\n")
    for line in (*_fixable(fixes), _closing(findings, report)):
        stream.write(line + "\n")


def _mark(fix: Fix | None) -> str:
    if fix is None:
        return ""
    return "[*] " if fix.safe else "[**] "


def _fixable(fixes: Mapping[Finding, Fix]) -> Iterator[str]:
    safe = sum(fix.safe for fix in fixes.values())
    unsafe = len(fixes) - safe
    if safe:
        yield f"[*] {safe} fixable with `fnmodule-lint fix`"
    if unsafe:
        yield f"[**] {unsafe} more fixable with `fnmodule-lint fix --unsafe`"


def _finding(
    finding: Finding, mark: str, lines: list[str], encoding: str, style: Style
) -> Iterator[str]:
    place = f"{display_path(finding.path)}:{finding.line}:{finding.column + 1}"
    place = style.place(_encodable(place, encoding), finding.path)
    message = _encodable(finding.message, encoding)
    yield f"{place}: {style.code(finding.code)} {style.mark(mark)}{message}"
    if finding.line <= len(lines):
        source = lines[finding.line - 1].rstrip()
        end = finding.end_column if finding.end_line == finding.line else len(source)
        shown, carets = _excerpt(source, finding.column, end, encoding)
        yield f"    {shown}"
        yield f"    {style.carets(carets)}"
    for step in finding.chain:
        where = f"{display_path(step.path)}:{step.line}: " if step.path else ""
        yield _encodable(f"    -> {where}{step.name}", encoding)


def _excerpt(source: str, start: int, end: int, encoding: str) -> tuple[str, str]:
    """The part of a source line around a span, and the carets to stand below it."""
    first = max(start - _BEFORE, 0) if len(source) > _WIDEST else 0
    last = first + _WIDEST
    shown = "".join(char if char.isprintable() or char == "\t" else "?" for char in source)
    shown = shown[first:last].encode(encoding, "replace").decode(encoding)
    lead = "".join(map(_blank, shown[: start - first]))
    carets = "^" * max(sum(len(_blank(char)) for char in shown[start - first : end - first]), 1)
    before, after = ("..." if first else ""), ("..." if last < len(source) else "")
    return f"{before}{shown}{after}", f"{' ' * len(before)}{lead}{carets}"


def _blank(char: str) -> str:
    """White space as wide as ``char`` is on a terminal."""
    if char == "\t":
        return char
    if unicodedata.combining(char):
        return ""
    return "  " if unicodedata.east_asian_width(char) in "WF" else " "


def _encoding(stream: TextIO) -> str:
    return getattr(stream, "encoding", None) or "utf-8"


def _encodable(line: str, encoding: str) -> str:
    """``line`` with what the encoding lacks written as escapes."""
    return line.encode(encoding, "backslashreplace").decode(encoding)


def _closing(findings: Sequence[Finding], report: Report) -> str:
    checked = f"{report.files} file{'' if report.files == 1 else 's'} checked"
    failed = sum(problem.asked for problem in report.problems)
    if failed:
        checked += f", {failed} error{'' if failed == 1 else 's'}: not everything was linted"
    if not findings:
        return f"no findings, {checked}"
    files = len({finding.path for finding in findings})
    plural = "" if len(findings) == 1 else "s"
    return f"{len(findings)} finding{plural} in {files} file{'' if files == 1 else 's'}, {checked}"


def statistics(findings: Sequence[Finding]) -> Iterator[str]:
    """One line a code that was found: count, code, title."""
    counts = Counter(finding.code for finding in findings)
    for code in sorted(counts):
        yield f"{counts[code]:6} {code} {RULES[code].title}"


def problem_line(problem: Problem) -> str:
    """A problem as one line, with its place where it has one."""
    place = display_path(problem.path)
    if problem.line:
        place += f":{problem.line}"
        if problem.column:
            place += f":{problem.column}"
    return f"{place}: error: {problem.message}"
