"""Which files can matter: search bytes first, parse only what a resolved name leads to.

A *hot* top-level name may lead to an autograd Function: its definition mentions a Function
base, or another hot name. Hot names are looked for in the bytes of the files not parsed
yet; such a file is parsed, and its names become hot only where they resolve to a hot one.
A Module class stops this: it matters to others only as a base, through a method other than
``forward``, or by what its constructor is handed (*warm*).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from fnmodule_lint import known
from fnmodule_lint.facts import Expr, Mention
from fnmodule_lint.import_search import ImportSearch
from fnmodule_lint.imports import Resolver
from fnmodule_lint.library import Library
from fnmodule_lint.origins import Origin, origins
from fnmodule_lint.settings import Settings
from fnmodule_lint.source import SourceError
from fnmodule_lint.values import Value, project_class
from fnmodule_lint.world import World

_SPEC = "ModuleShardingSpec"
_DEPTH = 4
_ORDINARY = frozenset({"forward", "extra_repr", "reset_parameters"})


class Relevance:
    """Grows an open world from the seeds to all files that can matter."""

    def __init__(
        self, world: World, library: Library, resolver: Resolver, settings: Settings
    ) -> None:
        self._world = world
        self._resolver = resolver
        self._library = library
        self._outside = _outside_names(settings)
        self._seed_names = {dotted.rpartition(".")[2] for dotted in self._outside}
        self._unparsed: dict[str, bytes] = {}
        self._mentions: dict[str, list[tuple[int, Mention]]] = {}
        self._hot: set[Origin] = set()
        self._warm: set[Origin] = set()
        self._origins_of: dict[tuple[int, int, tuple[str, ...]], set[Origin | str]] = {}
        self._handed: set[Origin] = set()
        self._names: set[str] = set()
        self._new_hot: list[Origin] = []
        self._new_warm: list[Origin] = []
        self._indexed = 0
        self._leads: dict[tuple[int, int], bool] = {}

    def run(self, paths: Sequence[str]) -> set[Origin]:
        """Load what matters of ``paths`` (sorted) into the world.

        Returns the top-level names in whose definitions a site can be.
        """
        for path in paths:
            try:
                self._unparsed[path] = self._library.data(path)
            except SourceError:
                continue
        self._imports = ImportSearch(self._resolver, dict(self._unparsed))
        seeds = [path for path, data in self._unparsed.items() if self._is_seed(data)]
        self._parse(seeds)
        while self._new_hot or self._new_warm or self._warm_constructed():
            hot, self._new_hot = self._new_hot, []
            warm, self._new_warm = self._new_warm, []
            self._parse(self._users(hot, warm))
            for origin in hot:
                self._check(self._mentions.get(origin[1], ()))
            self._index_new_files()
            for origin in warm:
                self._spread_warm(origin)
            self._index_new_files()
        for file in range(len(self._world.files)):
            for index in range(len(self._world.files[file].classes)):
                self._world.is_module(project_class(file, index))
        return self._hot | self._warm | self._users_of_warm()

    def _users_of_warm(self) -> set[Origin]:
        """What mentions a warm class, so that it can use one of its methods."""
        found: set[Origin] = set()
        for name in {name for _, name in self._warm}:
            for file, mention in self._mentions.get(name, ()):
                if not self._warm.isdisjoint(self._origins(file, mention)):
                    found.add((file, mention.owner))
        return found

    # -- searching -------------------------------------------------------------------

    def _is_seed(self, data: bytes) -> bool:
        if b"Function" in data and (b"autograd" in data or b"FunctionModule" in data):
            return True
        if b"platform.Function" in data or _SPEC.encode() in data:
            return True
        custom = self._seed_names - {"Function", "InplaceFunction", "NestedIOFunction"}
        return any(name.encode() in data for name in custom)

    def _users(self, hot: Sequence[Origin], warm: Sequence[Origin]) -> list[str]:
        """Unparsed files in which one of the names stands as it would if used."""
        found: set[str] = set()
        for file, name in hot:
            found.update(self._candidates(file, name))
            self._names.add(name)
        for file, name in warm:
            candidates = self._candidates(file, name)
            if candidates:
                pattern = self._warm_use(file, name)
                found.update(p for p in candidates if pattern.search(self._unparsed[p]))
        return sorted(found)

    def _candidates(self, file: int, name: str) -> list[str]:
        users = self._imports.users(self._world.paths[file], name)
        return [path for path in users if path in self._unparsed]

    def _warm_use(self, file: int, name: str) -> re.Pattern[bytes]:
        """A class statement with the base ``name``, or a use of one of its methods."""
        base = rf"class\s+\w+\s*\([^)]*\b{name}\b"
        cls = self._class_of(file, name)
        methods = sorted(self._method_names(cls) - _ORDINARY) if cls is not None else []
        if methods:
            base += rf"|\.(?:{'|'.join(methods)})\b"
        return re.compile(base.encode())

    def _method_names(self, cls: Value) -> set[str]:
        """The methods of a class and its bases that others may call, special ones aside."""
        names: set[str] = set()
        for item in self._world.mro(cls):
            if item[0] == "cls":
                facts = self._world.files[item[1]]
                names.update(facts.functions[i].name for i in facts.classes[item[2]].methods)
        return {name for name in names if not name.startswith("__")}

    # -- parsing ---------------------------------------------------------------------

    def _parse(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._unparsed.pop(path, None)
            self._world.add(path)
        self._index_new_files()

    def _index_new_files(self) -> None:
        while self._indexed < len(self._world.files):
            file = self._indexed
            self._indexed += 1
            self._unparsed.pop(self._world.paths[file], None)
            self._check(self._index(file))

    def _index(self, file: int) -> list[tuple[int, Mention]]:
        """Note what a new file mentions; those mentions that may be of something hot."""
        facts = self._world.files[file]
        mentions = list(facts.mentions)
        for name, bindings in facts.scopes[0].bindings.items():
            if any(binding.kind == "import" for binding in bindings):
                mentions.append(Mention(name, 0, (name,)))
        own = []
        for mention in mentions:
            names = {*mention.chain, *self._imported_names(file, mention)}
            for name in names:
                self._mentions.setdefault(name, []).append((file, mention))
            if not names.isdisjoint(self._names) or not names.isdisjoint(self._seed_names):
                own.append((file, mention))
        return own

    def _imported_names(self, file: int, mention: Mention) -> list[str]:
        _, bindings = self._world.find(file, mention.scope, mention.chain[0])
        return [
            binding.value[2]
            for binding in bindings
            if binding.kind == "import"
            and binding.value[2]
            and binding.value[2] != mention.chain[0]
        ]

    def _origins(self, file: int, mention: Mention) -> set[Origin | str]:
        """The mention's origins, looked up once: files do not change during a search."""
        key = (file, mention.scope, mention.chain)
        found = self._origins_of.get(key)
        if found is None:
            found = self._origins_of[key] = origins(self._world, file, mention)
        return found

    # -- marking ---------------------------------------------------------------------

    def _check(self, mentions: Iterable[tuple[int, Mention]]) -> None:
        for file, mention in list(mentions):
            owner = (file, mention.owner)
            if not mention.owner or owner in self._hot or self._only_imported(file, mention):
                continue
            found = self._origins(file, mention)
            if any(item in self._hot or item in self._outside for item in found):
                self._mark(owner)

    def _only_imported(self, file: int, mention: Mention) -> bool:
        """Whether the owner is an import that the mention merely stands beside.

        ``torch.serialization.add_safe_globals([Hot])`` does not make ``torch`` hot.
        """
        if mention.chain == (mention.owner,):
            return False
        bindings = self._world.files[file].scopes[0].bindings.get(mention.owner, ())
        return all(binding.kind == "import" for binding in bindings)

    def _mark(self, origin: Origin) -> None:
        cls = self._class_of(*origin)
        if (
            cls is not None
            and self._world.is_module(cls)
            and not self._world.is_function_module(cls)
        ):
            self._mark_warm(origin)
            return
        self._hot.add(origin)
        self._new_hot.append(origin)

    def _mark_warm(self, origin: Origin) -> None:
        if origin not in self._warm:
            self._warm.add(origin)
            self._new_warm.append(origin)

    def _class_of(self, file: int, name: str) -> Value | None:
        for binding in self._world.files[file].scopes[0].bindings.get(name, ()):
            if binding.kind == "class":
                return project_class(file, binding.value)
        return None

    def _spread_warm(self, origin: Origin) -> None:
        """Subclasses and further names of a warm class are warm."""
        cls = self._class_of(*origin)
        for file, mention in list(self._mentions.get(origin[1], ())):
            user = self._class_of(file, mention.owner)
            if user is not None and user != cls and cls is not None:
                if cls in self._world.mro(user):
                    self._mark_warm((file, mention.owner))
            elif user is None and mention.chain == (mention.owner,):
                if not self._warm.isdisjoint(self._origins(file, mention)):
                    self._mark_warm((file, mention.owner))

    def _warm_constructed(self) -> bool:
        """Make classes warm that are handed something hot; whether more are than before."""
        before = len(self._handed)
        self._leads = {}
        for file in sorted({file for file, _ in self._hot | self._warm}):
            facts = self._world.files[file]
            for call, scope in facts.calls:
                _, func, args, keywords = facts.exprs[call]
                if args or keywords:
                    self._check_construction(file, func, scope, [i for _, i in (*args, *keywords)])
        self._index_new_files()
        return len(self._handed) > before

    def _check_construction(self, file: int, func: int, scope: int, handed: list[int]) -> None:
        chain = self._chain(file, func)
        if not chain or not chain[-1].lstrip("_")[:1].isupper():
            return
        if not any(self._leads_to_hot(file, item, _DEPTH) for item in handed):
            return
        for found in self._origins(file, Mention("", scope, chain)):
            if isinstance(found, tuple) and self._class_of(*found) is not None:
                self._handed.add(found)
                self._mark_warm(found)

    def _takes_hot(self, file: int, function: int) -> bool:
        """Whether the function is a constructor of a class that is handed something hot."""
        facts = self._world.files[file]
        fact = facts.functions[function]
        if fact.name != "__init__" or fact.class_index < 0:
            return False
        return (file, facts.classes[fact.class_index].owner) in self._handed

    def _stored(self, file: int, expr: Expr) -> list[int]:
        """What methods of a class store in the attribute of ``self`` that ``expr`` reads."""
        facts = self._world.files[file]
        if facts.exprs[expr[1]][0] != "N":
            return []
        owner = self._world.own_class(file, self._world.method_of(file, facts.exprs[expr[1]][1]))
        if owner is None:
            return []
        return [value for value, _ in facts.classes[owner[2]].stores.get(expr[2], ())]

    def _chain(self, file: int, index: int) -> tuple[str, ...]:
        parts: list[str] = []
        expr = self._world.files[file].exprs[index]
        while expr[0] == "A":
            parts.append(expr[2])
            expr = self._world.files[file].exprs[expr[1]]
        return (expr[2], *reversed(parts)) if expr[0] == "N" else ()

    def _leads_to_hot(self, file: int, index: int, depth: int) -> bool:
        """Whether an argument may be something hot, by the names on the way to it."""
        if depth == 0 or index <= 0:
            return False
        known = self._leads.get((file, index))
        if known is None:
            self._leads[file, index] = False
            known = self._leads[file, index] = any(self._parts_lead(file, index, depth))
        return known

    def _parts_lead(self, file: int, index: int, depth: int) -> Iterator[bool]:
        expr = self._world.files[file].exprs[index]
        if expr[0] == "N":
            yield expr[2] in self._names
            scope, bindings = self._world.find(file, expr[1], expr[2])
            yield any(b.kind == "param" and self._takes_hot(file, b.value[0]) for b in bindings)
            parts = [b.value for b in bindings if b.kind == "value" and scope > 0]
        elif expr[0] == "A":
            yield expr[2] in self._names
            stored = self._stored(file, expr)
            parts = [expr[1], *stored]
        elif expr[0] == "C":
            parts = [expr[1], *(item for _, item in expr[2])]
        elif expr[0] == "O":
            parts = list(expr[1])
        elif expr[0] in ("L", "D"):
            parts = [part for _, part in expr[1]]
        else:
            yield expr[0] == "F"
            parts = []
        for part in parts:
            yield self._leads_to_hot(file, part, depth - 1)


def _outside_names(settings: Settings) -> set[str]:
    return {
        *known.FUNCTION_BASES,
        *known.HYPERPARALLEL_FUNCTION_BASES,
        *known.HYPERPARALLEL_FUNCTION_MODULES,
        *settings.function_module,
        *settings.function_bases,
        *settings.visible_bases,
        *settings.reaching_functions,
    }
