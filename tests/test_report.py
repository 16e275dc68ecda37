"""The page that ``report`` writes: what it says, and how it behaves in a browser."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import Tool

from fnmodule_lint.html.graph import drawing
from fnmodule_lint.rules import RULES

BAD, GOOD = RULES["FNM101"].bad, RULES["FNM101"].good
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
DRIVE = """<script>
const rowsShown = () => Array.from(document.querySelectorAll("#findings tbody tr"))
  .filter((row) => !row.hidden).map((row) => row.cells[0].textContent);
const outcome = document.createElement("pre");
outcome.id = "outcome";
const lines = [];
const type = (text) => {
  document.getElementById("filter").value = text;
  document.getElementById("filter").dispatchEvent(new Event("input"));
  const count = document.getElementById("shown").textContent;
  lines.push(text + "=" + rowsShown().join(" ") + "/" + count);
};
const click = (index) => {
  document.querySelectorAll("#findings th button")[index].click();
  lines.push("sort=" + rowsShown().join(" "));
};
type("b.py");
type("nothing like it");
type("");
click(0);
click(0);
outcome.textContent = lines.join("\\n");
document.body.append(outcome);
</script>"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "setup.cfg").touch()
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.py").write_text(BAD)
    return tmp_path


def page(tool: Tool, folder: Path) -> str:
    run = tool("fnmodule_lint", "report", "--output", "out.html", cwd=folder)
    assert run.returncode == 0, run.stderr
    return (folder / "out.html").read_text()


def test_what_it_says(tool: Tool, project: Path):
    text = page(tool, project)
    assert "<b>3</b> findings" in text and "<b>3</b> fixed by fix" in text
    assert text.count("Mount Scale as self.scale_fn") == 3
    assert "Scale.apply</text>" in text and "Block.forward</text>" in text


def test_nothing_is_asked_from_outside(tool: Tool, project: Path):
    text = page(tool, project)
    assert not re.search(r"""(src|href)=|url\(|@import|https?://""", text)
    assert "default-src 'none'" in text


def test_names_are_escaped(tool: Tool, project: Path):
    (project / "<b>&.py").write_text(BAD)
    text = page(tool, project)
    assert "&lt;b&gt;&amp;.py" in text and "<b>&.py" not in text


def test_a_clean_project(tool: Tool, tmp_path: Path):
    (tmp_path / "net.py").write_text(GOOD)
    assert "No findings" in page(tool, tmp_path)


def test_shared_steps_are_drawn_once():
    first, second = ("A.forward", "a.py:1"), ("B.forward", "b.py:1")
    helper, end = ("helper", "h.py:1"), ("F.apply", "F")
    svg = drawing([[first, helper, end], [second, helper, end], [first, end]])
    assert svg.count("<rect") == 4 and svg.count("<path") == 4


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium")
def test_in_a_browser(tool: Tool, project: Path):
    driven = page(tool, project).replace("</body>", DRIVE + "</body>")
    (project / "driven.html").write_text(driven)
    run = subprocess.run(
        [str(CHROMIUM), "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-sync",
         "--disable-quic", "--enable-logging=stderr", f"--user-data-dir={project / 'profile'}",
         "--dump-dom", (project / "driven.html").as_uri()],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    outcome = re.search(r'<pre id="outcome">(.*?)</pre>', run.stdout, re.DOTALL)
    assert outcome is not None, run.stderr
    assert outcome[1].splitlines() == [
        "b.py=b.py:13/1",
        "nothing like it=/0",
        "=a.py:13 b.py:13 c.py:13/3",
        "sort=a.py:13 b.py:13 c.py:13",
        "sort=c.py:13 b.py:13 a.py:13",
    ]
    assert "CONSOLE" not in run.stderr
