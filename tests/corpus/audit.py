"""Compare what published packages apply unseen at run time with what the linter finds.

    python tests/corpus/audit.py FOLDER

Packages are downloaded below FOLDER; their models are run as tests/corpus/drivers says. Fails
when under 95 % of the sites seen at run time are findings, or fewer than six packages ran.
"""

from __future__ import annotations

import sys
from pathlib import Path

from packages import beside_findings, driven, prepared

from runtime.audit.compare import Comparison

FLOOR, ENOUGH = 0.95, 6


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    seen = both = ran = 0
    for package, root in prepared(folder):
        result = driven(package, root, folder)
        errors = {case: item["error"] for case, item in result["cases"].items() if "error" in item}
        comparison = beside_findings(result["audit"], root)
        print(f"== {package.release}: {_counted(comparison, len(result['cases']), len(errors))}")
        for site in comparison.runtime_only:
            print(
                f"   run time only: {Path(site.path).relative_to(root)}:{site.line} {site.function}"
            )
        for case, error in errors.items():
            print(f"   not run: {case}: {error}")
        ran += 1
        both += len(comparison.both)
        seen += len(comparison.both) + len(comparison.runtime_only)
    agreement = both / seen if seen else 0.0
    print(f"together: {both} of {seen} sites seen at run time are findings ({agreement:.1%})")
    return 0 if agreement >= FLOOR and ran >= ENOUGH else 1


def _counted(comparison: Comparison, cases: int, errors: int) -> str:
    return (
        f"{cases - errors} of {cases} models ran; seen by both {len(comparison.both)}, at run "
        f"time only {len(comparison.runtime_only)}, not executed {len(comparison.linter_only)}"
    )


if __name__ == "__main__":
    sys.exit(main())
