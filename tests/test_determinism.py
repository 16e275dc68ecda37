"""The same input gives the same output, byte for byte: any order, any folder, any hash seed."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest


def check(folder: Path, *arguments: str, seed: str = "0") -> str:
    run = subprocess.run(
        [sys.executable, "-m", "fnmodule_lint", "check", "--format", "json", *arguments],
        cwd=folder,
        env=os.environ | {"PYTHONHASHSEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1, run.stderr
    return run.stdout


@pytest.fixture(scope="module")
def wanted(fixtures: Path) -> str:
    text = check(fixtures, ".")
    assert len(json.loads(text)) > 50
    return text


@pytest.mark.parametrize("seed", ["1", "2", "3"])
def test_any_hash_seed(seed: str, fixtures: Path, wanted: str):
    assert check(fixtures, ".", seed=seed) == wanted


@pytest.mark.parametrize("seed", [1, 2])
def test_any_order_of_arguments(seed: int, fixtures: Path, wanted: str):
    names = sorted(entry.name for entry in fixtures.iterdir())
    random.Random(seed).shuffle(names)
    assert check(fixtures, *names) == wanted


def test_named_twice_is_found_once(fixtures: Path, wanted: str):
    assert check(fixtures, ".", ".", str(fixtures)) == wanted


def test_any_working_directory(fixtures: Path, wanted: str):
    def placed(text: str, base: Path) -> list[object]:
        rows = json.loads(text)
        for row in rows:
            row["path"] = str(base / row["path"])
            row["chain"] = [
                {**s, "path": s["path"] and str(base / s["path"])} for s in row["chain"]
            ]
        return list(rows)

    elsewhere = check(fixtures.parent, fixtures.name)
    assert placed(elsewhere, fixtures.parent) == placed(wanted, fixtures)


def test_edited_and_reverted(fixtures: Path, wanted: str):
    from fnmodule_lint.engine import Engine

    engine = Engine()
    before = engine.check_paths([fixtures])
    file = next(file for file in sorted(fixtures.rglob("*.py")) if "apply" in file.read_text())
    text = file.read_text()
    engine.check_text(file, text.replace("apply", "applied"))
    engine.check_text(file, text)
    assert engine.check_paths([fixtures]) == before
