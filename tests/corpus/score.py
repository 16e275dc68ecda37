"""Download the labelled packages and score the linter on each.

    python tests/corpus/score.py SHARED FOLDER

SHARED holds ``tools/score.py`` and ``truth/``; packages are unpacked below FOLDER. Fails when
a labelled package scores under 0.93, or all of them together under 0.97. A package that cannot
be downloaded is said so and left out.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

FLOOR, FLOOR_TOGETHER = 0.93, 0.97
SEEN_FLOOR = 0.85
COUNTS = re.compile(r"\((\d+) hit, (\d+) missed, (\d+) false\)")


def main() -> int:
    shared, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    failures = []
    hit = missed = false = 0
    truth = shared / "truth"
    labels = [file for file in sorted(truth.glob("*.jsonl")) if file.stem != "negatives"]
    for kind, floor, files in (
        ("truth", FLOOR, labels),
        ("seen", SEEN_FLOOR, sorted((truth / "seen").glob("*.jsonl"))),
    ):
        for file in files:
            root = unpacked(file.stem, folder)
            if root is None:
                print(f"== {kind} {file.stem}: cannot be downloaded here, not scored")
                continue
            print(f"== {kind} {file.stem}", flush=True)
            done = score(shared, kind, file, root, floor)
            if done is None:
                failures.append(file.stem)
            elif kind == "truth":
                hit, missed, false = hit + done[0], missed + done[1], false + done[2]
    if hit:
        recall, precision = hit / (hit + missed), hit / (hit + false)
        print(f"together: recall {recall:.4f} precision {precision:.4f}")
        if min(recall, precision) < FLOOR_TOGETHER:
            failures.append("all together")
    print(f"scores under their floor: {', '.join(failures) or 'none'}")
    return 1 if failures else 0


def score(
    shared: Path, kind: str, labels: Path, root: Path, floor: float
) -> tuple[int, int, int] | None:
    """The hits, misses and false alarms; None when under the floor."""
    run = subprocess.run(
        [sys.executable, str(shared / "tools" / "score.py"), kind, str(labels), str(root),
         "--floor", str(floor)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    print(run.stdout + run.stderr, end="", flush=True)
    counts = COUNTS.search(run.stdout)
    if run.returncode or counts is None:
        return None
    return int(counts[1]), int(counts[2]), int(counts[3])


def unpacked(name: str, folder: Path) -> Path | None:
    """The folder of the package ``NAME-VERSION``, downloaded if need be."""
    target = folder / name
    if not target.is_dir():
        archive = downloaded(name, folder / "archives" / name)
        if archive is None:
            return None
        if archive.suffix == ".whl":
            zipfile.ZipFile(archive).extractall(target)
        else:
            with tarfile.open(archive) as tar:
                tar.extractall(target, filter="data")
    inner = [path for path in target.iterdir() if path.name.lower().startswith(_stem(name))]
    is_sdist = len(inner) == 1 and not list(target.glob("*.dist-info"))
    return inner[0] if is_sdist else target


def _stem(name: str) -> str:
    return name.rpartition("-")[0].replace("-", "_")


def downloaded(name: str, folder: Path) -> Path | None:
    distribution, _, version = name.rpartition("-")
    command = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--no-build-isolation",
               "-d", str(folder), f"{distribution}=={version}"]  # fmt: skip
    environment = os.environ | {"MAMBA_SKIP_CUDA_BUILD": "TRUE"}
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if run.returncode:
        print(run.stderr.strip().splitlines()[-1:] or "pip download failed")
        return None
    return next(path for path in folder.iterdir())


if __name__ == "__main__":
    sys.exit(main())
