"""Findings for people: the message, the source line with the span marked, the chain."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO

from fnmodule_lint.engine import Report
from fnmodule_lint.findings import Finding, Problem
from fnmodule_lint.json_report import display_path
from fnmodule_lint.rules import RULES
from fnmodule_lint.source import SourceError, split_lines


def as_text(
    findings: Sequence[Finding], report: Report, text_of: Callable[[str], str], stream: TextIO
) -> None:
    """Write the findings and a closing line to ``stream``."""
    lines: dict[str, list[str]] = {}
    for finding in findings:
        if finding.path not in lines:
            lines[finding.path] = _lines(finding.path, text_of)
        for line in _finding(finding, lines[finding.path]):
            stream.write(_printable(line, stream) + "\n")
    stream.write(_closing(findings, report) + "\n")


def _lines(path: str, text_of: Callable[[str], str]) -> list[str]:
    try:
        return split_lines(text_of(path))
    except SourceError:
        return []


def _finding(finding: Finding, lines: list[str]) -> Iterator[str]:
    place = f"{display_path(finding.path)}:{finding.line}:{finding.column + 1}"
    yield f"{place}: {finding.code} {finding.message}"
    if finding.line <= len(lines):
        source = lines[finding.line - 1]
        end = finding.end_column if finding.end_line == finding.line else len(source.rstrip())
        width = max(end - finding.column, 1)
        lead = "".join("\t" if char == "\t" else " " for char in source[: finding.column])
        yield f"    {source.rstrip()}"
        yield f"    {lead}{'^' * width}"
    for step in finding.chain:
        where = f"{display_path(step.path)}:{step.line}: " if step.path else ""
        yield f"    -> {where}{step.name}"


def _printable(line: str, stream: TextIO) -> str:
    """``line`` with what the stream's encoding lacks written as escapes."""
    encoding = getattr(stream, "encoding", None) or "utf-8"
    return line.encode(encoding, "backslashreplace").decode(encoding)


def _closing(findings: Sequence[Finding], report: Report) -> str:
    checked = f"{report.files} file{'' if report.files == 1 else 's'} checked"
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
