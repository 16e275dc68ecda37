"""``fnmodule-lint check``: lints, and writes the findings in the format asked for."""

from __future__ import annotations

import argparse
import io
import sys
from pathlib import Path
from typing import TextIO

from fnmodule_lint.engine import Engine, Report
from fnmodule_lint.findings import Finding, Problem
from fnmodule_lint.fixes.edits import Fix
from fnmodule_lint.fixes.plans import fixes_for
from fnmodule_lint.json_report import as_json, display_path
from fnmodule_lint.selection import wanted
from fnmodule_lint.text_report import as_text, problem_line, statistics

CLEAN, FOUND, FAILED = 0, 1, 2
FORMATS = ("text", "json", "sarif", "github", "gitlab", "junit")


def check(engine: Engine, options: argparse.Namespace) -> int:
    """Lint what the options name; returns the exit status."""
    report = _run(engine, options)
    findings = wanted(engine, report.findings, options.select, options.ignore)
    failed = any(problem.asked for problem in report.problems)
    if options.write_baseline is not None:
        _write_baseline(engine, options.write_baseline, findings)
        findings = []
    elif options.baseline is not None:
        known = _without_known(engine, options.baseline, findings)
        failed, findings = failed or known is None, findings if known is None else known
    _write(engine, findings, report, options)
    for problem in report.problems:
        print(problem_line(problem), file=sys.stderr)
    if failed:
        return FAILED
    return FOUND if findings else CLEAN


def _run(engine: Engine, options: argparse.Namespace) -> Report:
    if options.paths == ["-"]:
        if sys.stdin is None:
            return Report(problems=(Problem("-", 0, 0, "standard input is closed"),))
        return engine.check_text(Path(options.stdin_filename), sys.stdin.buffer.read())
    if "-" in options.paths:
        problem = Problem("-", 0, 0, "standard input cannot be linted together with paths")
        return Report(problems=(problem,))
    return engine.check_paths([Path(path) for path in options.paths or ["."]])


# -- baseline ------------------------------------------------------------------------------


def _write_baseline(engine: Engine, file: Path, findings: list[Finding]) -> None:
    from fnmodule_lint.baseline import write_baseline
    from fnmodule_lint.fingerprints import fingerprints

    count = write_baseline(file, findings, fingerprints(findings, engine.text))
    print(f"{file}: {count} finding{'' if count == 1 else 's'} written", file=sys.stderr)


def _without_known(engine: Engine, file: Path, findings: list[Finding]) -> list[Finding] | None:
    """The findings that the baseline does not know; None where it cannot be used."""
    from fnmodule_lint.baseline import BaselineError, match_baseline
    from fnmodule_lint.fingerprints import fingerprints

    try:
        matched = match_baseline(file, findings, fingerprints(findings, engine.text))
    except BaselineError as error:
        print(f"fnmodule-lint: error: {error}", file=sys.stderr)
        return None
    for row in matched.gone:
        print(f"{row['path']}: {row['code']} of {file} is gone", file=sys.stderr)
    if matched.gone:
        print(f"to remove these entries: check --write-baseline {file}", file=sys.stderr)
    return matched.new


# -- formats -------------------------------------------------------------------------------


def _write(
    engine: Engine, findings: list[Finding], report: Report, options: argparse.Namespace
) -> None:
    if options.output is None:
        _show(engine, findings, report, options.format, sys.stdout)
    else:
        text = io.StringIO()
        _show(engine, findings, report, options.format, text)
        options.output.write_text(text.getvalue(), "utf-8", errors="backslashreplace")
        name = display_path(str(options.output.absolute()))
        print(f"{len(findings)} finding{'' if len(findings) == 1 else 's'} in {name}")
    if options.statistics:
        plain = options.format == "text" and options.output is None
        for line in statistics(findings):
            print(line, file=sys.stdout if plain else sys.stderr)


def _show(
    engine: Engine, findings: list[Finding], report: Report, form: str, stream: TextIO
) -> None:
    if form == "text":
        as_text(findings, report, engine.text, stream, _fixes(engine, findings))
        return
    text = _as(engine, findings, report, form)
    if text:
        print(text, file=stream)


def _as(engine: Engine, findings: list[Finding], report: Report, form: str) -> str:
    if form == "json":
        return as_json(findings, _fixes(engine, findings))
    from fnmodule_lint import ci_reports
    from fnmodule_lint.fingerprints import fingerprints
    from fnmodule_lint.sarif_report import as_sarif

    if form == "github":
        return ci_reports.as_github(findings, report.problems)
    if form == "junit":
        return ci_reports.as_junit(findings, report.problems)
    prints = fingerprints(findings, engine.text)
    if form == "gitlab":
        return ci_reports.as_gitlab(findings, prints)
    return as_sarif(findings, report.problems, prints)


def _fixes(engine: Engine, findings: list[Finding]) -> dict[Finding, Fix]:
    """The findings that have a fix, which is known before it is tried."""
    plans = fixes_for(engine, findings)
    return {finding: plan for finding, plan in plans.items() if isinstance(plan, Fix)}
