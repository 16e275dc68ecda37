"""A fixpoint over mutually dependent cells, without recursion.

A cell's value is computed by a function that reads other cells through ``get``. Reading a
cell that has no value yet gives the empty value and queues it; when it changes, its
readers are computed again. Values grow, so this ends; a cell that changes too often
(which takes a source that contradicts itself) may from then on only grow.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Key = tuple[Any, ...]
Value = frozenset[Any] | tuple[Any, ...]

EMPTY: frozenset[Any] = frozenset()
_PATIENCE = 64


class Solver:
    """Cells by key; ``compute`` gives a key's value."""

    def __init__(self, compute: Callable[[Key], Any]) -> None:
        self._compute = compute
        self._values: dict[Key, Any] = {}
        self._readers: dict[Key, set[Key]] = {}
        self._queue: list[Key] = []
        self._queued: set[Key] = set()
        self._changes: dict[Key, int] = {}
        self._current: Key | None = None

    def get(self, key: Key) -> Any:
        """The value of ``key``.

        Inside a computation that is the value so far, and the computation is made to
        depend on it; outside it is the final value.
        """
        value = self._values.get(key)
        if value is None:
            value = self._values[key] = EMPTY
            self._push(key)
        if self._current is not None:
            self._readers.setdefault(key, set()).add(self._current)
        elif self._queue:
            self._run()
            value = self._values[key]
        return value

    def _push(self, key: Key) -> None:
        if key not in self._queued:
            self._queued.add(key)
            self._queue.append(key)

    def _run(self) -> None:
        while self._queue:
            key = self._queue.pop()
            self._queued.discard(key)
            self._current = key
            new = self._compute(key)
            old = self._values[key]
            if new != old:
                self._store(key, old, new)
        self._current = None
        self._readers.clear()

    def _store(self, key: Key, old: Any, new: Any) -> None:
        changes = self._changes[key] = self._changes.get(key, 0) + 1
        if changes > _PATIENCE:
            if not isinstance(old, frozenset) or not isinstance(new, frozenset) or new <= old:
                return
            new = old | new
        self._values[key] = new
        for reader in self._readers.pop(key, ()):
            self._push(reader)
