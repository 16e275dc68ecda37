"""``python -m fnmodule_lint``."""

from __future__ import annotations

import sys

from fnmodule_lint.cli import main

if __name__ == "__main__":
    sys.exit(main())
