"""Which uses of a module's children would notice one more."""

from __future__ import annotations

import ast

import pytest

from fnmodule_lint.fixes.children import goes_through_children

NOTICED = (
    "for child in self.children(): x = child(x)",
    "x = nn.Sequential(*self.children())(x)",
    "last = list(self._modules.values())[-1]",
    "for name, child in self.named_children():\n    if isinstance(child, nn.Module): x = child(x)",
    "for child in self.children():\n    if isinstance(child, Part): x = 1\n    else: x = child(x)",
    "for child in self.children():\n    if isinstance(child, Part): x = 1\n    x += 1",
    "for child in self.children():\n    if flag: x = child(x)",
    "return len(self._modules)",
)
UNNOTICED = (
    "return name in self._modules",
    "return self._modules[name]",
    "return self._modules.get(name)",
    "for child in self.children():\n    if isinstance(child, Part): x = child(x)",
    "for _, child in self.named_children():\n"
    "    if isinstance(child, (Part, nn.Linear)): x = child(x)\n"
    "    elif isinstance(child, Other): x = 1",
    "for child in other.children(): x = child(x)",
)


def parsed(body: str) -> ast.ClassDef:
    lines = "".join(f"        {line}\n" for line in body.splitlines())
    node = ast.parse(f"class Net:\n    def forward(self, x):\n{lines}").body[0]
    assert isinstance(node, ast.ClassDef)
    return node


@pytest.mark.parametrize("body", NOTICED)
def test_noticed(body: str):
    assert goes_through_children(parsed(body))


@pytest.mark.parametrize("body", UNNOTICED)
def test_unnoticed(body: str):
    assert not goes_through_children(parsed(body))
