"""The published packages whose models are run: how each is downloaded and where its code is."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from score import unpacked

from runtime.audit.compare import Comparison, compare
from runtime.audit.report import Site

HERE = Path(__file__).resolve().parent
TOP = HERE.parent.parent
NEEDED = (
    "dependencies==2.0.1",
    "jaxtyping",
    "joblib",
    "linear_operator",
    "mpmath",
    "packaging",
    "pandas",
    "python-dateutil",
    "pytz",
    "scikit-learn",
    "scipy",
    "six",
    "threadpoolctl",
    "unfoldNd",
    "wadler-lindig",
)
"""What the packages import besides torch and numpy."""


@dataclass(frozen=True)
class Package:
    """``name`` is the import name and that of the driver; ``release`` is NAME-VERSION."""

    name: str
    release: str


PACKAGES = (
    Package("bitorch", "bitorch-0.4.1"),
    Package("brevitas", "brevitas-0.13.4"),
    Package("entmax", "entmax-1.3"),
    Package("fairscale", "fairscale-0.4.13"),
    Package("gpytorch", "gpytorch-1.15.2"),
    Package("iunets", "iunets-0.1"),
    Package("memcnn", "memcnn-1.5.2"),
    Package("snntorch", "snntorch-1.0.0"),
    Package("torchdiffeq", "torchdiffeq-0.2.5"),
)


def prepared(folder: Path) -> list[tuple[Package, Path]]:
    """Each package that can be downloaded, with the folder that its import root is."""
    folder.mkdir(parents=True, exist_ok=True)
    _install_needed(folder / "needed")
    found = []
    for package in PACKAGES:
        root = unpacked(package.release, folder)
        if root is None:
            print(f"{package.release}: cannot be downloaded here, left out")
        else:
            found.append((package, root.resolve()))
    return found


def _install_needed(target: Path) -> None:
    if target.is_dir():
        return
    command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(target)]
    run = subprocess.run([*command, *NEEDED], capture_output=True, text=True, check=False)
    if run.returncode:
        shutil.rmtree(target, ignore_errors=True)
        raise SystemExit(run.stderr)


def driven(package: Package, root: Path, folder: Path) -> dict[str, Any]:
    """What the package's driver returns with its code in ``root``; raises on a failed import."""
    import torch

    output = folder / f"{package.name}.pt"
    paths = [root, folder / "needed", folder / "memcnn-1.5.2", TOP, HERE]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, paths))}
    command = [sys.executable, str(HERE / "run_driver.py"), package.name, str(output)]
    run = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=600, check=False
    )
    if run.returncode:
        raise RuntimeError(f"{package.name} does not run:\n{run.stderr}")
    result: dict[str, Any] = torch.load(output)
    return result


def lint(root: Path, *arguments: str) -> list[dict[str, Any]]:
    """The findings in ``root``, with paths relative to it."""
    command = [sys.executable, "-m", "fnmodule_lint", "check", "--format", "json", *arguments, "."]
    run = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    rows: list[dict[str, Any]] = json.loads(run.stdout)
    return rows


def beside_findings(audit: str, root: Path) -> Comparison:
    """An audit's sites in the package's own code (drivers stand for its users), and findings."""
    rows = [{name: row[name] for name in Site.__dataclass_fields__} for row in json.loads(audit)]
    sites = [Site(**row) for row in rows]
    own = [site for site in sites if Path(site.path).resolve().is_relative_to(root)]
    return compare(own, lint(root), str(root))
