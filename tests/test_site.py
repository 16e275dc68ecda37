"""The documentation builds into a site, and no link in it is broken."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def build(root: Path, target: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(target)]
    return subprocess.run(
        [*command, "-f", str(root / "mkdocs.yml")], capture_output=True, text=True, check=False
    )


def test_the_site_builds(tmp_path: Path):
    run = build(ROOT, tmp_path / "site")
    assert run.returncode == 0, run.stdout + run.stderr
    pages = {file.relative_to(tmp_path / "site").parts[0] for file in tmp_path.rglob("index.html")}
    written = {file.stem for file in (ROOT / "docs").glob("*.md")} - {"index"}
    assert written <= pages


def test_a_broken_link_fails(tmp_path: Path):
    (tmp_path / "docs").mkdir()
    settings = (ROOT / "mkdocs.yml").read_text()
    (tmp_path / "mkdocs.yml").write_text(settings.split("nav:\n  - ")[0])
    (tmp_path / "docs" / "index.md").write_text("[nowhere](nowhere.md)\n")
    run = build(tmp_path, tmp_path / "site")
    assert run.returncode != 0 and "nowhere.md" in run.stdout + run.stderr
