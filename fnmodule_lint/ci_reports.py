"""Findings as CI systems read them: GitHub workflow commands, GitLab code quality, JUnit XML."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from xml.etree import ElementTree

from fnmodule_lint.findings import Finding, Problem
from fnmodule_lint.json_report import display_path

_NOT_XML = dict.fromkeys([*range(9), 11, 12, *range(14, 32), *range(0xD800, 0xE000)], "?")


def as_github(findings: Sequence[Finding], problems: Sequence[Problem]) -> str:
    """A workflow command a line; lines and columns from 1."""
    return "\n".join([*map(_warning, findings), *map(_error, problems)])


def _warning(finding: Finding) -> str:
    last = finding.end_line == finding.line
    place = {
        "file": display_path(finding.path),
        "line": finding.line,
        "endLine": finding.end_line,
        **({"col": finding.column + 1, "endColumn": finding.end_column + 1} if last else {}),
        "title": f"{finding.code} {finding.symbol}",
    }
    return f"::warning {_properties(place)}::{_data(finding.message)}"


def _error(problem: Problem) -> str:
    place = {"file": display_path(problem.path), "line": max(problem.line, 1)}
    return f"::error {_properties(place)}::{_data(problem.message)}"


def _properties(values: Mapping[str, object]) -> str:
    def escaped(value: object) -> str:
        return _data(str(value)).replace(":", "%3A").replace(",", "%2C")

    return ",".join(f"{name}={escaped(value)}" for name, value in values.items())


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def as_gitlab(findings: Sequence[Finding], prints: Mapping[Finding, str]) -> str:
    """A code quality report: a JSON list with one issue a finding."""
    rows = [
        {
            "description": f"{finding.code} {finding.message}",
            "check_name": finding.symbol,
            "fingerprint": prints[finding],
            "severity": "minor",
            "location": {
                "path": display_path(finding.path).replace("\\", "/"),
                "lines": {"begin": finding.line, "end": finding.end_line},
            },
        }
        for finding in findings
    ]
    return json.dumps(rows, indent=2)


def as_junit(findings: Sequence[Finding], problems: Sequence[Problem]) -> str:
    """A test suite with a failed case a finding, an error a problem, else one that passed."""
    suite = ElementTree.Element(
        "testsuite",
        name="fnmodule-lint",
        tests=str(max(len(findings) + len(problems), 1)),
        failures=str(len(findings)),
        errors=str(len(problems)),
    )
    for name, place, kind, message in _cases(findings, problems):
        case = ElementTree.SubElement(suite, "testcase", name=name, classname=place)
        if kind:
            ElementTree.SubElement(case, kind, message=message.translate(_NOT_XML))
    root = ElementTree.Element("testsuites")
    root.append(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + ElementTree.tostring(root, "unicode")


def _cases(
    findings: Sequence[Finding], problems: Sequence[Problem]
) -> Iterator[tuple[str, str, str, str]]:
    for finding in findings:
        path = display_path(finding.path).translate(_NOT_XML)
        name = f"{finding.code} {path}:{finding.line}:{finding.column + 1}"
        yield name, path, "failure", finding.message
    for problem in problems:
        path = display_path(problem.path).translate(_NOT_XML)
        yield f"{path}:{problem.line}", path, "error", problem.message
    if not findings and not problems:
        yield "no findings", "fnmodule-lint", "", ""
