"""Damaged source files: truncated, with bits flipped, lines shuffled, tokens deleted or doubled."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

_TOKEN = re.compile(rb"\w+|[^\w\s]|\s+")


def _truncated(data: bytes, chance: random.Random) -> bytes:
    return data[: chance.randrange(len(data))]


def _flipped(data: bytes, chance: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
    return bytes(changed)


def _shuffled(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    start = chance.randrange(len(lines))
    part = lines[start : start + chance.randint(2, 12)]
    chance.shuffle(part)
    return b"".join([*lines[:start], *part, *lines[start + len(part) :]])


def _without_tokens(data: bytes, chance: random.Random) -> bytes:
    tokens = _TOKEN.findall(data)
    for _ in range(chance.randint(1, 5)):
        del tokens[chance.randrange(len(tokens))]
        if not tokens:
            break
    return b"".join(tokens)


def _with_tokens_swapped(data: bytes, chance: random.Random) -> bytes:
    """Names change places, so that most results still parse."""
    tokens = _TOKEN.findall(data)
    names = [index for index, token in enumerate(tokens) if token[:1].isalpha()]
    if len(names) > 1:
        one, other = chance.sample(names, 2)
        tokens[one], tokens[other] = tokens[other], tokens[one]
    return b"".join(tokens)


def _without_line(data: bytes, chance: random.Random) -> bytes:
    lines = data.splitlines(keepends=True)
    del lines[chance.randrange(len(lines))]
    return b"".join(lines)


MUTATIONS: tuple[Callable[[bytes, random.Random], bytes], ...] = (
    _truncated,
    _flipped,
    _shuffled,
    _without_tokens,
    _with_tokens_swapped,
    _without_line,
)


def mutated(data: bytes, number: int) -> bytes:
    """The ``number``-th damaged form of ``data``, which is not empty: always the same one."""
    chance = random.Random(number)
    for _ in range(chance.randint(1, 3)):
        if data:
            data = chance.choice(MUTATIONS)(data, chance)
    return data
