"""The formats of ``check`` for other programs, and the baseline."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from conftest import Tool

from fnmodule_lint.rules import RULES

BAD, GOOD = RULES["FNM101"].bad, RULES["FNM101"].good
HELPER = BAD.split("class Block")[0] + "def scale(x):\n    return Scale.apply(x)\n"
USER = (
    "from torch import nn\nfrom ops import scale\n\n\nclass Net(nn.Module):\n"
    "    def forward(self, x):\n        return scale(x) + 1\n"
)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "net.py").write_text(BAD)
    (tmp_path / "ops.py").write_text(HELPER)
    (tmp_path / "user.py").write_text(USER)
    return tmp_path


def check(tool: Tool, folder: Path, *arguments: str):
    return tool("fnmodule_lint", "check", *arguments, cwd=folder)


def test_sarif(tool: Tool, project: Path):
    run = check(tool, project, "--format", "sarif")
    assert run.returncode == 1
    log = json.loads(run.stdout)
    assert log["version"] == "2.1.0" and len(log["runs"]) == 1
    rules = log["runs"][0]["tool"]["driver"]["rules"]
    assert [rule["id"] for rule in rules] == list(RULES)
    direct, helper = log["runs"][0]["results"]
    assert direct["ruleId"] == "FNM101" == rules[direct["ruleIndex"]]["id"]
    place = direct["locations"][0]["physicalLocation"]
    assert place["artifactLocation"] == {"uri": "net.py"}
    line = place["region"]["startLine"]
    begin, end = place["region"]["startColumn"], place["region"]["endColumn"]
    assert BAD.splitlines()[line - 1][begin - 1 : end - 1] == "Scale.apply(x)"
    steps = helper["codeFlows"][0]["threadFlows"][0]["locations"]
    uris = [step["location"]["physicalLocation"]["artifactLocation"]["uri"] for step in steps]
    assert uris[0] == "user.py" and set(uris[1:]) == {"ops.py"}
    assert log["runs"][0]["invocations"][0]["executionSuccessful"] is True


def test_sarif_says_what_failed(tool: Tool, project: Path):
    (project / "broken.py").write_text("def (\n")
    run = check(tool, project, "--format", "sarif")
    assert run.returncode == 2
    (invocation,) = json.loads(run.stdout)["runs"][0]["invocations"]
    assert invocation["executionSuccessful"] is False
    assert len(invocation["toolExecutionNotifications"]) == 1


def test_fingerprints_survive_moved_lines(tool: Tool, project: Path):
    def prints() -> list[str]:
        log = json.loads(check(tool, project, "--format", "sarif").stdout)
        return [
            item["partialFingerprints"]["fnmoduleLint/v1"] for item in log["runs"][0]["results"]
        ]

    before = prints()
    assert len(set(before)) == 2
    for name in ("net.py", "ops.py", "user.py"):
        file = project / name
        file.write_text("# one more line\n" + file.read_text())
    assert prints() == before
    (project / "net.py").write_text(BAD.replace("+ 1", "+ 2"))
    assert prints()[0] != before[0] and prints()[1] == before[1]


def test_github(tool: Tool, project: Path):
    first, second = check(tool, project, "--format", "github").stdout.splitlines()
    assert first.startswith("::warning file=net.py,line=")
    assert ",title=FNM101 invisible-function-apply::" in first
    assert second.startswith("::warning file=user.py,line=7,")


def test_github_escapes(tool: Tool, project: Path):
    (project / "a,b%.py").write_text(BAD)
    run = check(tool, project, "--format", "github", "a,b%.py")
    assert run.stdout.startswith("::warning file=a%2Cb%25.py,line=")


def test_gitlab(tool: Tool, project: Path):
    rows = json.loads(check(tool, project, "--format", "gitlab").stdout)
    assert [row["location"]["path"] for row in rows] == ["net.py", "user.py"]
    assert len({row["fingerprint"] for row in rows}) == 2
    assert {row["severity"] for row in rows} == {"minor"}


def test_junit(tool: Tool, project: Path):
    root = ET.fromstring(check(tool, project, "--format", "junit").stdout)
    suite = root.find("testsuite")
    assert suite is not None and suite.get("failures") == "2" == suite.get("tests")
    assert [case.find("failure") is not None for case in suite] == [True, True]
    (project / "net.py").write_text(GOOD)
    (project / "user.py").write_text("")
    clean = ET.fromstring(check(tool, project, "--format", "junit").stdout)
    assert [case.get("name") for case in clean.iter("testcase")] == ["no findings"]


@pytest.mark.parametrize("form", ["text", "json", "sarif", "github", "gitlab", "junit"])
def test_output_file(form: str, tool: Tool, project: Path):
    run = check(tool, project, "--format", form, "--output", "report")
    assert run.returncode == 1 and run.stdout == "2 findings in report\n"
    shown = check(tool, project, "--format", form).stdout
    assert (project / "report").read_text() == shown


def test_baseline(tool: Tool, project: Path):
    written = check(tool, project, "--write-baseline", "known.json")
    assert written.returncode == 0 and "2 findings written" in written.stderr
    assert check(tool, project, "--baseline", "known.json").returncode == 0
    (project / "net.py").write_text("\n\n" + BAD)
    assert check(tool, project, "--baseline", "known.json").returncode == 0
    (project / "more.py").write_text(BAD)
    more = check(tool, project, "--baseline", "known.json")
    assert more.returncode == 1 and "more.py" in more.stdout and "net.py" not in more.stdout
    (project / "more.py").unlink()
    (project / "net.py").write_text(GOOD)
    gone = check(tool, project, "--baseline", "known.json")
    assert gone.returncode == 0 and "net.py: FNM101 of known.json is gone" in gone.stderr
    check(tool, project, "--write-baseline", "known.json")
    assert check(tool, project, "--baseline", "known.json").stderr == ""


def test_two_of_the_same_are_two(tool: Tool, project: Path):
    text = BAD.replace("return Scale.apply(x) + 1", "y = Scale.apply(x)\n        return y")
    (project / "net.py").write_text(text)
    check(tool, project, "--write-baseline", "known.json")
    twice = text.replace("        y = Scale", "        y = Scale.apply(x)\n        y = Scale")
    (project / "net.py").write_text(twice)
    run = check(tool, project, "--baseline", "known.json")
    assert run.returncode == 1 and run.stdout.count("FNM101") == 1


@pytest.mark.parametrize("data", ["", "[]", '{"version": 9, "findings": []}', '{"version": 1}'])
def test_a_baseline_that_is_none(data: str, tool: Tool, project: Path):
    (project / "known.json").write_text(data)
    run = check(tool, project, "--baseline", "known.json")
    assert run.returncode == 2 and "--write-baseline" in run.stderr
    assert "Traceback" not in run.stderr
