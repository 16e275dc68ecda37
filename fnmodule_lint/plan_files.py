"""Sharding plans in YAML files: the ``plan_overrides:`` mappings, as plain data with places.

Files are composed into nodes and no further: no tag constructs an object.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from fnmodule_lint.findings import Span
from fnmodule_lint.source import SourceError

if TYPE_CHECKING:
    import yaml

PLAN = "plan_overrides"
_MERGE = "tag:yaml.org,2002:merge"
_STRING = "tag:yaml.org,2002:str"
_BOOL = "tag:yaml.org,2002:bool"
_FALSE = frozenset({"no", "off", "false"})
_LINE_ENDS = str.maketrans(dict.fromkeys("\x85\u2028\u2029", " "))
"""YAML ends a line at these, Python does not."""


@dataclass(frozen=True)
class PlanField:
    """One field of a spec, with its name's place.

    ``keys`` are those of a mapping that has string keys only, None for anything else;
    ``off`` says that the value is false.
    """

    span: Span
    keys: tuple[str, ...] | None
    off: bool


@dataclass(frozen=True)
class PlanSpec:
    """One entry of a plan: its key, the key's place, and the fields by name."""

    key: str
    span: Span
    fields: Mapping[str, PlanField]


def plan_paths(root: str, patterns: Sequence[str]) -> tuple[list[str], list[str]]:
    """The files that ``patterns`` (globs, relative to ``root``) name, and those that name none."""
    paths: set[str] = set()
    missing = []
    for pattern in patterns:
        full = os.path.join(root, os.path.expanduser(pattern))
        matches = [full, *glob.glob(full, recursive=True)]
        found = [os.path.normpath(path) for path in matches if os.path.isfile(path)]
        paths.update(found)
        if not found:
            missing.append(pattern)
    return sorted(paths), missing


def read_plan(path: str, data: bytes) -> list[PlanSpec]:
    """The entries of every ``plan_overrides:`` in a file, in order.

    Raises SourceError when PyYAML is not there, or for what is not YAML.
    """
    try:
        import yaml
    except ImportError as error:
        advice = "plan-files needs PyYAML: pip install 'fnmodule-lint[yaml]'"
        raise SourceError(path, 0, 0, advice) from error
    try:
        text = data.decode("utf-8-sig").translate(_LINE_ENDS)
        documents = list(yaml.compose_all(text, Loader=yaml.SafeLoader))
    except UnicodeDecodeError as error:
        raise SourceError(path, 0, 0, f"is not UTF-8: byte 0x{data[error.start]:02x}") from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line, column = (mark.line + 1, mark.column + 1) if mark else (0, 0)
        raise SourceError(path, line, column, f"not YAML: {error.problem}") from error
    except yaml.YAMLError as error:
        raise SourceError(path, 0, 0, f"not YAML: {str(error).splitlines()[0]}") from error
    except RecursionError as error:
        raise SourceError(path, 0, 0, "nested too deeply for PyYAML") from error
    return [spec for plan in _plans(documents) for spec in _specs(path, plan)]


def _plans(documents: Sequence[yaml.Node | None]) -> Iterator[yaml.Node]:
    """The values of all ``plan_overrides`` keys, wherever they stand; an alias counts once."""
    pending = [node for node in reversed(documents) if node is not None]
    seen: set[int] = set()
    while pending:
        node = pending.pop()
        if id(node) in seen or isinstance(node.value, str):
            continue
        seen.add(id(node))
        inner = []
        for item in node.value:
            if isinstance(item, tuple):
                key, value = item
                if key.value == PLAN and id(value) not in seen:
                    seen.add(id(value))
                    yield value
                inner.append(value)
            else:
                inner.append(item)
        pending.extend(reversed(inner))


def _specs(path: str, plan: yaml.Node) -> Iterator[PlanSpec]:
    for key, (place, value) in _entries(plan).items():
        fields = {name: _field(path, *pair) for name, pair in _entries(value).items()}
        yield PlanSpec(key, _span(path, place), fields)


def _field(path: str, place: yaml.Node, node: yaml.Node) -> PlanField:
    keys = None
    if not isinstance(node.value, str):
        found = _entries(node)
        pairs = [item for item in node.value if isinstance(item, tuple)]
        known = all(key.tag in (_STRING, _MERGE) for key, _ in pairs)
        keys = tuple(found) if known and len(pairs) == len(node.value) else None
    off = node.tag == _BOOL and str(node.value).lower() in _FALSE
    return PlanField(_span(path, place), keys, off)


def _entries(mapping: yaml.Node) -> dict[str, tuple[yaml.Node, yaml.Node]]:
    """A mapping's string keys, each with its own node and its value's; merge keys included."""
    found: dict[str, tuple[yaml.Node, yaml.Node]] = {}
    pending, seen = [mapping], {id(mapping)}
    while pending:
        node = pending.pop()
        if isinstance(node.value, str):
            continue
        own: dict[str, tuple[yaml.Node, yaml.Node]] = {}
        merged = []
        for item in node.value:
            key, value = item if isinstance(item, tuple) else (None, item)
            if key is not None and key.tag == _STRING:
                own[key.value] = (key, value)
            elif (key is None or key.tag == _MERGE) and id(value) not in seen:
                seen.add(id(value))
                merged.append(value)
        pending.extend(reversed(merged))
        found = {**own, **found}
    return found


def _span(path: str, node: yaml.Node) -> Span:
    start, end = node.start_mark, node.end_mark
    return Span(path, start.line + 1, start.column, end.line + 1, end.column)
