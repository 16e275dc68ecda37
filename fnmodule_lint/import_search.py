"""Who imports a name from whom, told from the files' bytes, without parsing."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping

from fnmodule_lint.imports import Resolver

_STATEMENT = re.compile(
    rb"^[ \t]*(?:from[ \t]+([.\w]+)[ \t]*import\b[ \t]*(\([^)]*\)|(?:[^\n\\#;]|\\\r?\n)*)"
    rb"|import[ \t]+((?:[^\n\\#;]|\\\r?\n)*))",
    re.MULTILINE,
)
_COMMENT = re.compile(r"#[^\n]*")
_CHAINED = re.compile(rb";[ \t]*((?:from|import)[ \t])")


class ImportSearch:
    """Finds the files that may use a name, by their import statements.

    Coarse on purpose: a text that only looks like an import counts as one.
    """

    def __init__(self, resolver: Resolver, files: Mapping[str, bytes]) -> None:
        self._resolver = resolver
        self._files = files
        self._by_name: dict[tuple[str, str], set[str]] = {}
        self._by_star: dict[str, set[str]] = {}
        self._by_module: dict[str, set[str]] = {}
        for path, data in files.items():
            self._read(path, data)

    def users(self, path: str, name: str) -> set[str]:
        """The files that may use the top-level ``name`` of the module at ``path``.

        Those import it, import everything of the module (or of one that does so), or
        import a module or package on the way to it and read an attribute of that name.
        """
        providers = self._providers(path)
        word = name.encode()
        found: set[str] = set()
        for provider in providers:
            found |= self._by_name.get((provider, name), set())
            stars = self._by_star.get(provider, ())
            found.update(user for user in stars if word in self._files[user])
        attribute = b"." + word
        for module in _with_packages(providers):
            users = self._by_module.get(module, ())
            found.update(user for user in users if attribute in self._files[user])
        return found

    def _providers(self, path: str) -> set[str]:
        """The module and those that import everything of it, by any number of steps."""
        found, todo = {path}, [path]
        while todo:
            for user in self._by_star.get(todo.pop(), ()):
                if user not in found:
                    found.add(user)
                    todo.append(user)
        return found

    def _read(self, path: str, data: bytes) -> None:
        if b"import" not in data:
            return
        if b";" in data:
            data = _CHAINED.sub(rb"\n\1", data)
        for module, names, plain in _STATEMENT.findall(data):
            if module:
                self._read_from(path, module.decode("utf-8", "replace"), _words(names))
            else:
                for dotted in _words(plain):
                    self._read_import(path, dotted)

    def _read_import(self, path: str, dotted: str) -> None:
        parts = dotted.split(".")
        for length in range(1, len(parts) + 1):
            target = self._resolver.absolute(".".join(parts[:length]), path)
            if target:
                self._by_module.setdefault(target, set()).add(path)

    def _read_from(self, path: str, module: str, names: list[str]) -> None:
        dotted = module.lstrip(".")
        level = len(module) - len(dotted)
        target = (
            self._resolver.relative(dotted, level, path)
            if level
            else self._resolver.absolute(dotted, path)
        )
        if not target:
            return
        for name in names:
            if name == "*":
                self._by_star.setdefault(target, set()).add(path)
                continue
            self._by_name.setdefault((target, name), set()).add(path)
            submodule = self._resolver.submodule(target, name)
            if submodule:
                self._by_module.setdefault(submodule, set()).add(path)


def _words(names: bytes) -> list[str]:
    """The names of an import list, without their aliases."""
    text = names.decode("utf-8", "replace").replace("\\", " ")
    text = _COMMENT.sub("", text).strip("() \t\r\n")
    return [words[0] for part in text.split(",") if (words := part.split())]


def _with_packages(modules: Iterable[str]) -> set[str]:
    """The modules and the packages that they are in."""
    found: set[str] = set()
    for module in modules:
        found.add(module)
        folder = os.path.dirname(module)
        while folder != os.path.dirname(folder):
            found.add(os.path.join(folder, "__init__.py"))
            found.add(folder)
            folder = os.path.dirname(folder)
    return found
