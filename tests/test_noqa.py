"""What ``# noqa`` silences on the command line is what it silences in flake8."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import Tool

SOURCE = """\
import torch
from torch import nn


class Gate(torch.autograd.Function):
    pass


class Model(nn.Module):
    def forward(self, x):
        """
SITE = "return Gate.apply(x) + 1"
LINES = {
    "bare": SITE + "  # noqa",
    "colon": SITE + "  # noqa:",
    "prefix": SITE + "  # noqa: FNM1",
    "codes": SITE + "  # noqa: E501,FNM101",
    "other": SITE + "  # noqa: E501",
    "words": SITE + "  # noqa: some words",
    "code_and_words": SITE + "  # noqa: E501 because FNM",
    "lower": SITE + "  # NoQA: fnm101",
    "tight": SITE + "  #noqa",
    "dash": SITE + "  # noqa -- FNM102",
    "twice": SITE + "  # noqa: E501 # noqa: FNM101",
    "in_a_string": 'return Gate.apply(x) + len("# noqa")',
    "backslash": "return Gate.apply(x) + \\\n            1  # noqa",
    "after_backslash": "return 1 + \\\n            Gate.apply(x)  # noqa: E501",
    "brackets": "return (Gate.apply(x) +\n            1)  # noqa",
    "string": 'return Gate.apply("""\n""")  # noqa: FNM101',
    "strings": 'return Gate.apply("""\n""", """\n""") + 1  # noqa: FNM101',
    "inside_a_string": 'return [Gate.apply(x), """\n# noqa\n"""]',
}
FILES = {
    "file": "# flake8: noqa\n",
    "file_equals": "  # FLAKE8=NOQA\n",
    "file_after_code": "y = 1  # flake8: noqa\n",
}


def test_noqa_is_that_of_flake8(tool: Tool, tmp_path: Path):
    sources = {name: SOURCE + line + "\n" for name, line in LINES.items()}
    sources |= {name: head + SOURCE + SITE + "\n" for name, head in FILES.items()}
    for name, source in sources.items():
        (tmp_path / f"case_{name}.py").write_text(source)
    flake8 = tool("flake8", "--isolated", "-j1", "--select", "FNM", ".", cwd=tmp_path).stdout
    cli = tool("fnmodule_lint", "check", "--format", "json", ".", cwd=tmp_path).stdout
    by_flake8 = {Path(line.partition(":")[0]).stem for line in flake8.splitlines()}
    assert {Path(row["path"]).stem for row in json.loads(cli)} == by_flake8
    assert by_flake8 and by_flake8 < {f"case_{name}" for name in sources}
