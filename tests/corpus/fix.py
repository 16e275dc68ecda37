"""Fix published packages, and hold them to what they did before.

    python tests/corpus/fix.py FOLDER

Packages are downloaded below FOLDER. Each is fixed in a copy of its own; then its models, as
tests/corpus/drivers has them, must give bitwise the same outputs, gradients and ``state_dict``
keys, and no Function may be applied bare at a fixed site. Prints how many findings were fixed and
why the others were not. Fails when a package is broken.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import torch
from packages import Package, beside_findings, driven, lint, prepared

LEFT = re.compile(r"^(?P<place>\S+:\d+:\d+): (?P<code>FNM\d+) not fixed: (?P<reason>.*)$")
MOUNTABLE = ("FNM101", "FNM103")
NEVER = (
    ("the Function is chosen at run time", "chosen at run time"),
    ("inherits from several classes", "multiple inheritance"),
    ("goes through its children", "the class goes through its children"),
    ("does more than return one apply", "the helper is no plain wrapper"),
)
"""Reasons that say the same with other names."""


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    totals: Counter[str] = Counter()
    broken = []
    for package, root in prepared(folder):
        failures = _fixed(package, root, folder, totals)
        for failure in failures:
            print(f"   BROKEN {failure}")
        if failures:
            broken.append(package.release)
    found, fixed = totals.pop("found"), totals.pop("fixed")
    print(f"FNM101 and FNM103 together: {fixed} of {found} fixed safely ({fixed / found:.0%})")
    for reason, count in totals.most_common():
        print(f"  {count:3} left: {reason}")
    print(f"packages broken: {', '.join(broken) or 'none'}")
    return 1 if broken else 0


def _fixed(package: Package, root: Path, folder: Path, totals: Counter[str]) -> list[str]:
    """Fix a copy of one package; what is no longer as it was."""
    copy = folder / "fixed" / package.release
    shutil.rmtree(copy, ignore_errors=True)
    shutil.copytree(root, copy)
    before = lint(copy)
    reasons = _fix(copy)
    left = [row for row in lint(copy) if row["code"] in MOUNTABLE]
    found = [row for row in before if row["code"] in MOUNTABLE]
    fixed = len(found) - len(left)
    print(f"== {package.release}: FNM101 and FNM103 {len(found)}, fixed {fixed}", flush=True)
    totals.update(found=len(found), fixed=fixed)
    totals.update(_kind(reason) for code, reason in reasons if code in MOUNTABLE)
    was = driven(package, root, folder)
    try:
        now = driven(package, copy, folder)
    except RuntimeError as error:
        return [str(error)]
    outside = {site.function for site in beside_findings(was["audit"], root).runtime_only}
    still = beside_findings(now["audit"], copy).runtime_only
    bare = [
        f"{site.path}:{site.line}: {site.function} is applied bare"
        for site in still
        if site.function not in outside
    ]
    return [*_differences(was["cases"], now["cases"]), *bare]


def _fix(copy: Path) -> list[tuple[str, str]]:
    """Run the command; the code and reason of each finding that it left."""
    command = [sys.executable, "-m", "fnmodule_lint", "fix", "."]
    run = subprocess.run(command, cwd=copy, capture_output=True, text=True, check=False)
    matches = [match for line in run.stdout.splitlines() if (match := LEFT.match(line))]
    return [(match["code"], match["reason"]) for match in matches]


def _kind(reason: str) -> str:
    for part, kind in NEVER:
        if part in reason:
            return kind
    return reason


def _differences(was: dict[str, Any], now: dict[str, Any]) -> list[str]:
    return [case for case in was if not _same(was[case], now.get(case, {}))]


def _same(was: dict[str, Any], now: dict[str, Any]) -> bool:
    if "error" in was:
        return was["error"] == now.get("error")
    if was.get("state") != now.get("state") or len(was["numbers"]) != len(now["numbers"]):
        return False
    pairs = zip(was["numbers"], now["numbers"], strict=True)
    return all(torch.equal(torch.nan_to_num(a), torch.nan_to_num(b)) for a, b in pairs)


if __name__ == "__main__":
    sys.exit(main())
