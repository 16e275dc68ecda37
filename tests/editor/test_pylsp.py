"""The plugin in the real python-lsp-server, from a client's point of view."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from client import Client, applied

from fnmodule_lint.rules import RULES

BAD, GOOD = RULES["FNM101"].bad, RULES["FNM101"].good
QUIET = {name: {"enabled": False} for name in ("pycodestyle", "pyflakes", "mccabe")}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "setup.cfg").touch()
    return tmp_path


@pytest.fixture
def client(project: Path) -> Iterator[Client]:
    client = Client(project, QUIET)
    yield client
    client.close()


def edits(action, client: Client, name: str):
    assert list(action["edit"]["changes"]) == [client.uri(name)]
    return action["edit"]["changes"][client.uri(name)]


def test_from_the_buffer_to_the_fix(client: Client, project: Path):
    (project / "net.py").write_text("")  # what is on disk does not count
    (found,) = client.open("net.py", BAD)
    line = BAD.splitlines().index("        return Scale.apply(x) + 1")
    assert found["code"] == "FNM101" and found["source"] == "fnmodule-lint"
    assert found["range"] == {
        "start": {"line": line, "character": 15},
        "end": {"line": line, "character": 29},
    }
    actions = client.actions("net.py", found)
    assert list(actions) == [
        "Mount Scale as self.scale_fn",
        "Ignore FNM101 here",
        "Fix all fnmodule-lint findings in this file",
    ]
    fixed = applied(BAD, edits(actions["Mount Scale as self.scale_fn"], client, "net.py"))
    assert fixed == GOOD
    assert client.change("net.py", fixed) == []
    assert (project / "net.py").read_text() == ""


def test_ignore_here(client: Client):
    text = BAD.replace("+ 1", "+ 1  # noqa: E501")
    (found,) = client.open("net.py", text)
    action = client.actions("net.py", found)["Ignore FNM101 here"]
    silenced = applied(text, edits(action, client, "net.py"))
    assert "+ 1  # noqa: E501,FNM101\n" in silenced
    assert client.change("net.py", silenced) == []


def test_fix_all(client: Client):
    text = BAD + "\n    def extra(self, x):\n        return self(x)\n"
    text = text.replace("return Scale.apply(x) + 1", "return Scale.apply(Scale.apply(x)) + 1")
    found = client.open("net.py", text)
    assert [item["code"] for item in found] == ["FNM101", "FNM101"]
    action = client.actions("net.py", found[0])["Fix all fnmodule-lint findings in this file"]
    assert action["kind"] == "source.fixAll"
    fixed = applied(text, edits(action, client, "net.py"))
    assert "self.scale_fn(self.scale_fn(x))" in fixed
    assert client.change("net.py", fixed) == []


def test_characters_are_utf_16(client: Client):
    text = BAD.replace("return Scale", 'return len("\U0001f600") * Scale')
    (found,) = client.open("net.py", text)
    assert found["range"]["start"]["character"] == len('        return len("xx") * ')
    title = "Mount Scale as self.scale_fn"
    fixed = applied(text, edits(client.actions("net.py", found)[title], client, "net.py"))
    assert 'len("\U0001f600") * self.scale_fn(x) + 1' in fixed


def test_the_chain_is_related_information(client: Client, project: Path):
    (project / "ops.py").write_text(
        BAD.split("class Block")[0] + "def scale(x):\n    return Scale.apply(x)\n"
    )
    text = (
        "from torch import nn\nfrom ops import scale\n\n\nclass Net(nn.Module):\n"
        "    def forward(self, x):\n        return scale(x) + 1\n"
    )
    (found,) = client.open("net.py", text)
    assert found["code"] == "FNM102"
    places = {item["location"]["uri"] for item in found["relatedInformation"]}
    assert places == {client.uri("ops.py")}


def test_a_closed_buffer_no_longer_counts(client: Client, project: Path):
    helper = BAD.split("class Block")[0] + "def scale(x):\n    return Scale.apply(x)\n"
    (project / "ops.py").write_text(helper)
    text = (
        "from torch import nn\nfrom ops import scale\n\n\nclass Net(nn.Module):\n"
        "    def forward(self, x):\n        return scale(x) + 1\n"
    )
    client.open("ops.py", helper.replace("Scale.apply(x)", "x"))
    assert client.open("net.py", text) == []
    client.shut("ops.py")
    assert [item["code"] for item in client.change("net.py", text + "\n")] == ["FNM102"]


def test_a_broken_buffer_has_one_error(client: Client):
    (found,) = client.open("net.py", BAD + "def (\n")
    assert found["severity"] == 1 and found["source"] == "fnmodule-lint"
    assert client.change("net.py", GOOD) == []


@pytest.mark.parametrize("host", ["flake8", "pylint"])
def test_no_double_reports(host: str, project: Path):
    loads = {"args": ["--load-plugins=fnmodule_lint", "--disable=all", "--enable=W9101"]}
    (project / "net.py").write_text(BAD)
    client = Client(
        project, {**QUIET, host: {"enabled": True, **(loads if host == "pylint" else {})}}
    )
    try:
        found = client.open("net.py", BAD)
    finally:
        client.close()
    ours = [item for item in found if "FNM101" in str(item) or "W9101" in str(item)]
    assert [item["source"] for item in ours] == ["fnmodule-lint"]
