"""What an audit saw, as data, as a table and as JSON."""

from __future__ import annotations

import json
import linecache
import os
import threading
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from runtime.audit.compare import Comparison, compare


@dataclass(frozen=True, order=True)
class Site:
    """A call through which a Function was applied unseen.

    ``path`` to ``end_column`` are the call in the deepest Module method on the way to the
    ``apply``, where the linter reports; lines and columns (code points) count from 1,
    columns are 0 where Python does not record them (3.10). ``fqn`` is the module whose
    method it is (empty for the model itself), ``module`` its class, ``model`` the class
    of the outermost module, ``function`` the Function class, by its full name;
    ``applied_path`` and ``applied_line`` are where ``apply`` itself is called.
    """

    path: str
    line: int
    column: int
    end_line: int
    end_column: int
    fqn: str
    module: str
    model: str
    function: str
    applied_path: str
    applied_line: int


class Report:
    """The sites that an audit has recorded, filled while it runs; safe across threads."""

    def __init__(self) -> None:
        self._counts: Counter[Site] = Counter()
        self._lock = threading.Lock()

    def add(self, site: Site) -> None:
        """Count one more application."""
        with self._lock:
            self._counts[site] += 1

    @property
    def sites(self) -> Mapping[Site, int]:
        """Each site with the number of times a Function was applied there, in order."""
        with self._lock:
            return dict(sorted(self._counts.items()))

    def table(self) -> str:
        """One line a site: FQN, Function, count, place."""
        rows = [("FQN", "Function", "Count", "Called at")]
        for site, count in self.sites.items():
            place = f"{_display(site.path)}:{site.line}"
            place += f":{site.column}" if site.column else ""
            rows.append((f"{site.model}.{site.fqn}".rstrip("."), site.function, str(count), place))
        if len(rows) == 1:
            return "no Function was applied outside of a FunctionModule"
        return _aligned(rows)

    def to_json(self) -> str:
        """A JSON list with one object a site: the fields of Site, and ``count``."""
        rows = [{**_fields(site), "count": count} for site, count in self.sites.items()]
        return json.dumps(rows, indent=2)

    def compare(
        self, findings: str | Sequence[Mapping[str, Any]], root: str | os.PathLike[str] = "."
    ) -> Comparison:
        """These sites beside those that ``fnmodule-lint check --format json`` reports.

        ``findings`` is its output, as text or parsed; its relative paths are looked up in
        ``root``. Raises ValueError for text that is not that.
        """
        return compare(list(self.sites), findings, os.fspath(root))


def code_point(path: str, line: int, utf8_offset: int) -> int:
    """A column from 1, in code points; 0 for an unknown one."""
    if utf8_offset < 0:
        return 0
    text = linecache.getline(path, line).encode("utf-8", "surrogatepass")
    return len(text[:utf8_offset].decode("utf-8", "replace")) + 1 if text else utf8_offset + 1


def _fields(site: Site) -> dict[str, Any]:
    return {name: getattr(site, name) for name in Site.__dataclass_fields__}


def _display(path: str) -> str:
    here = os.path.join(os.getcwd(), "")
    return path[len(here) :] if path.startswith(here) else path


def _aligned(rows: Iterable[Sequence[str]]) -> str:
    lines = list(rows)
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in lines
    )
