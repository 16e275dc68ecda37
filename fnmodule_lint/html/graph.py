"""Call chains as a drawing: callers on the left, the Function that is applied on the right."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from html import escape

_COLUMN, _ROW, _WIDTH, _HEIGHT, _MARGIN = 250, 34, 210, 24, 8
_LONGEST = 26

Node = tuple[str, str]
"""What is written in the box, and what its tooltip says."""


def drawing(chains: Iterable[Sequence[Node]]) -> str:
    """An SVG of ``chains``, each from a call site to the Function; shared steps are one box."""
    paths = [list(dict.fromkeys(chain)) for chain in chains]
    distance: dict[Node, int] = {}
    for path in paths:
        for index, node in enumerate(reversed(path)):
            distance[node] = max(distance.get(node, 0), index)
    columns = max(distance.values(), default=0)
    rows: dict[int, int] = {}
    at: dict[Node, tuple[int, int]] = {}
    for node in sorted(distance):
        column = columns - distance[node]
        row = rows.get(column, 0)
        rows[column] = row + 1
        at[node] = (_MARGIN + column * _COLUMN, _MARGIN + row * _ROW)
    edges = {(a, b) for path in paths for a, b in itertools.pairwise(path)}
    width = 2 * _MARGIN + columns * _COLUMN + _WIDTH
    height = 2 * _MARGIN + max(rows.values(), default=1) * _ROW
    parts = [_line(*at[a], *at[b]) for a, b in sorted(edges)]
    parts += [_box(*at[node], node) for node in sorted(at)]
    return (
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="call chains">{"".join(parts)}</svg>'
    )


def _line(x: int, y: int, to_x: int, to_y: int) -> str:
    start, end = x + _WIDTH, to_x
    bend = (start + end) // 2
    y, to_y = y + _HEIGHT // 2, to_y + _HEIGHT // 2
    return f'<path d="M{start} {y} C{bend} {y} {bend} {to_y} {end} {to_y}"/>'


def _box(x: int, y: int, node: Node) -> str:
    text, tip = node
    shown = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "\u2026"
    return (
        f'<g><title>{escape(tip)}</title><rect x="{x}" y="{y}" width="{_WIDTH}" '
        f'height="{_HEIGHT}" rx="4"/><text x="{x + 8}" y="{y + 16}">{escape(shown)}</text></g>'
    )
