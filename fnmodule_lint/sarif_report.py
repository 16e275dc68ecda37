"""Findings as SARIF 2.1.0, the static analysis results interchange format of OASIS."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote

from fnmodule_lint import __version__
from fnmodule_lint.findings import Finding, Problem
from fnmodule_lint.json_report import display_path
from fnmodule_lint.rules import RULES
from fnmodule_lint.rules.rule import Rule

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def as_sarif(
    findings: Sequence[Finding], problems: Sequence[Problem], prints: Mapping[Finding, str]
) -> str:
    """One run with the rules, the findings (chains as code flows) and what failed."""
    rules = list(RULES.values())
    index = {rule.code: number for number, rule in enumerate(rules)}
    driver = {"name": "fnmodule-lint", "version": __version__, "rules": list(map(_rule, rules))}
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(item, index[item.code], prints[item]) for item in findings],
        "invocations": [
            {
                "executionSuccessful": not any(problem.asked for problem in problems),
                "toolExecutionNotifications": list(map(_notification, problems)),
            }
        ],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=2)


def _rule(rule: Rule) -> dict[str, Any]:
    return {
        "id": rule.code,
        "name": rule.symbol,
        "shortDescription": {"text": rule.title},
        "fullDescription": {"text": rule.why},
        "help": {"text": f"{rule.why}\n\nInstead of\n\n{rule.bad}\nwrite\n\n{rule.good}"},
        "defaultConfiguration": {"level": "warning", "enabled": rule.default},
    }


def _result(finding: Finding, rule: int, fingerprint: str) -> dict[str, Any]:
    region = {
        "startLine": finding.line,
        "startColumn": finding.column + 1,
        "endLine": finding.end_line,
        "endColumn": finding.end_column + 1,
    }
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": rule,
        "level": "warning",
        "message": {"text": finding.message},
        "locations": [_location(finding.path, region)],
        "partialFingerprints": {"fnmoduleLint/v1": fingerprint},
    }
    steps = [step for step in finding.chain if step.path]
    if steps:
        start = {"location": {**_location(finding.path, region), "message": {"text": "call"}}}
        flow = [
            {
                "location": {
                    **_location(step.path, {"startLine": max(step.line, 1)}),
                    "message": {"text": step.name},
                }
            }
            for step in steps
        ]
        result["codeFlows"] = [{"threadFlows": [{"locations": [start, *flow]}]}]
    return result


def _location(path: str, region: dict[str, int]) -> dict[str, Any]:
    uri = quote(display_path(path).replace("\\", "/"), errors="surrogatepass")
    return {"physicalLocation": {"artifactLocation": {"uri": uri}, "region": region}}


def _notification(problem: Problem) -> dict[str, Any]:
    region = {"startLine": max(problem.line, 1)}
    return {
        "level": "error",
        "message": {"text": problem.message},
        "locations": [_location(problem.path, region)],
    }
