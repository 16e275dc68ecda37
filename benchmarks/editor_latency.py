"""How long a keystroke takes in a project of 1,000 files, over the real protocol.

    python benchmarks/editor_latency.py

Starts python-lsp-server with its other linters off, opens a file that calls a helper in another
one, and types. pylsp itself waits half a second after a keystroke before it lints; the time shown
is from the end of that wait to the diagnostics.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from pylsp.python_lsp import LINT_DEBOUNCE_S

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "editor"))
from client import Client

FILES, SEEDS, KEYSTROKES = 1000, 40, 15
QUIET = {name: {"enabled": False} for name in ("pycodestyle", "pyflakes", "mccabe")}
OPS = """\
import torch


class Scale{0}(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


def scale{0}(x):
    return Scale{0}.apply(x)
"""
PLAIN = "import os\n\n\n" + "\n\n".join(
    f"def step_{n}(value, other=None):\n    if other is None:\n        return value + {n}\n"
    f"    return os.path.join(str(value), str(other))\n"
    for n in range(30)
)
NET = """\
from torch import nn
from net.ops7 import scale7


class Net(nn.Module):
    def forward(self, x):
        return scale7(x) + 1
"""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        (root / "setup.cfg").touch()
        (root / "net").mkdir()
        (root / "net" / "__init__.py").touch()
        for number in range(FILES):
            seed = number < SEEDS
            name = f"ops{number}.py" if seed else f"plain{number}.py"
            (root / "net" / name).write_text(OPS.format(number) if seed else PLAIN)
        (root / "net" / "model.py").write_text(NET)
        client = Client(root, QUIET)
        try:
            print(_measured(client))
        finally:
            client.close()


def _measured(client: Client) -> str:
    begin = time.perf_counter()
    assert len(client.open("net/model.py", NET)) == 1
    first = time.perf_counter() - begin - LINT_DEBOUNCE_S
    times = []
    for number in range(KEYSTROKES):
        text = NET + f"\n# {'x' * number}\n"
        begin = time.perf_counter()
        assert len(client.change("net/model.py", text)) == 1
        times.append(time.perf_counter() - begin - LINT_DEBOUNCE_S)
    return (
        f"{FILES} files; first {first * 1000:.0f} ms, then a keystroke "
        f"{statistics.median(times) * 1000:.0f} ms (median of {KEYSTROKES}; "
        f"slowest {max(times) * 1000:.0f} ms)"
    )


if __name__ == "__main__":
    main()
