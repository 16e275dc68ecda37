"""Names for what a fix adds, that are taken by nothing in reach."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection

_SUFFIX = re.compile(r"(?<=.)(AutogradFunction|Autograd|Function|Func|Fn)$")
_WORDS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+\d*|[A-Z]+\d*|\d+")


def stem(function: str) -> str:
    """A Function's name without the part that says that it is one."""
    plain = function.strip("_")
    short = _SUFFIX.sub("", plain).strip("_")
    return short if short.isidentifier() and not keyword.iskeyword(short) else plain or function


def attribute_name(function: str, taken: Collection[str]) -> str:
    """An attribute for the shell of ``function``: ``SwishFunction`` gives ``swish_fn``."""
    words = _WORDS.findall(stem(function)) or ["function"]
    return _first_free(["_".join(words).lower() + "_fn"], taken, "_")


def class_name(function: str, taken: Collection[str]) -> str:
    """A name for the shell class of ``function``: ``RMSNormFunction`` gives ``RMSNorm``."""
    short = stem(function)
    short = short[0].upper() + short[1:]
    return _first_free([short, f"{short}Shell"], taken, "")


def _first_free(names: list[str], taken: Collection[str], between: str) -> str:
    for name in names:
        if name not in taken:
            return name
    number = 2
    while f"{names[-1]}{between}{number}" in taken:
        number += 1
    return f"{names[-1]}{between}{number}"
