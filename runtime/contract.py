"""The binding rule of boundary contracts, executable: what a plan would do to a live model.

A contract says for an FQN how the inputs and outputs of a module's forward are placed
(HyperParallel's ``plan_overrides``). Its inputs are bound by the names of the forward's
positional parameters; what no name binds is passed over in silence at run time.
"""

from __future__ import annotations

import fnmatch
import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from torch import nn

from runtime.fqn import fqns, unwrapped
from runtime.fx import is_function_module

UNMATCHED = "unmatched-key"
_PAIRS = (("in_src", "in_dst"), ("out_src", "out_dst"))


class ContractError(ValueError):
    """A contract that will not hold: says what is wrong and what to write instead."""


@dataclass(frozen=True)
class Violation:
    """One rule that one entry of a plan breaks.

    ``rule`` is the code of the linter's rule (FNM301 to FNM305) or ``unmatched-key``;
    ``key`` is the plan's key, empty for a shell that no key covers; ``fqn`` is the
    module's, empty for a key that matches nothing.
    """

    rule: str
    key: str
    fqn: str
    message: str


@dataclass(frozen=True)
class _Parameters:
    """What a forward takes by position; ``variadic`` says that it has ``*args`` too."""

    names: tuple[str, ...]
    variadic: bool

    def __str__(self) -> str:
        return f"({', '.join([*self.names, '*args'] if self.variadic else self.names)})"


def bind_inputs(module: nn.Module, names: Iterable[str]) -> dict[str, int]:
    """The positional argument of ``module``'s forward that each input of a contract binds.

    Positions count from 0, after ``self``. A single name that is no parameter's falls
    back to argument 0.

    Raises:
        ContractError: a name binds to nothing; it gives the unbound names, the forward's
            parameters and the fix.
        TypeError: ``names`` is one string.

    """
    if isinstance(names, str):
        raise TypeError(f"names must be a collection of input names, not the string {names!r}")
    wanted = list(dict.fromkeys(names))
    parameters = _parameters(module)
    position = {name: index for index, name in enumerate(parameters.names)}
    lost = [name for name in wanted if name not in position]
    if lost and len(wanted) == 1 and (parameters.names or parameters.variadic):
        return {wanted[0]: 0}
    if lost:
        raise ContractError(_unbound(module, parameters, wanted, lost))
    return {name: position[name] for name in wanted}


def check_plan(
    model: nn.Module, plan: Mapping[str, Any], *, strict: bool = False
) -> list[Violation]:
    """Every violation of the contract rules by ``plan`` on ``model``'s FunctionModules.

    ``plan`` maps an FQN, a glob of FQNs (``*`` crosses dots, as in HyperParallel), or the
    end of one after ``...`` to a spec: an object or a mapping with any of ``in_src``,
    ``in_dst``, ``out_src``, ``out_dst``, ``params`` and ``region_dispatch``. Fields that
    are no mapping (``"auto"``, None) name no tensors. Reported are also keys that match no
    module, and FunctionModules that no key covers.

    Raises:
        ContractError: with ``strict``, if there is any violation; it lists them all.

    """
    modules = list(fqns(model))
    found: list[Violation] = []
    covered: set[int] = set()
    for key, spec in plan.items():
        matching = [(fqn, module) for fqn, module in modules if _matches(key, fqn)]
        covered.update(id(module) for _, module in matching)
        if not matching:
            message = (
                f"`{key}` matches no module of {type(unwrapped(model)).__name__}: compare it "
                "with the names that named_modules() gives"
            )
            found.append(Violation(UNMATCHED, key, "", message))
        for fqn, module in matching:
            if is_function_module(module):
                found.extend(_violations(key, fqn, module, spec))
    found.extend(_uncovered(modules, covered))
    if strict and found:
        raise ContractError("\n".join(f"{item.rule}: {item.message}" for item in found))
    return found


def _matches(key: str, fqn: str) -> bool:
    if not key.startswith("..."):
        return fnmatch.fnmatchcase(fqn, key)
    ending = key.lstrip(".")
    return fnmatch.fnmatchcase(f".{fqn}", f"*.{ending}")


def _parameters(module: nn.Module) -> _Parameters:
    try:
        signature = inspect.signature(module.forward)
    except (TypeError, ValueError):
        return _Parameters((), True)
    given = signature.parameters.values()
    positional = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
    return _Parameters(
        tuple(item.name for item in given if item.kind in positional),
        any(item.kind is inspect.Parameter.VAR_POSITIONAL for item in given),
    )


def _unbound(module: nn.Module, parameters: _Parameters, wanted: list[str], lost: list[str]) -> str:
    name = type(module).__name__
    start = f"{_quoted(lost)} will never bind: {name}.forward takes {parameters}"
    if parameters.names:
        return f"{start}; name these parameters in in_src and in_dst"
    if not parameters.variadic:
        return f"{start}, so nothing can be bound; leave in_src and in_dst out"
    return (
        f"{start}, which has no names; give a subclass of it an explicit "
        f"forward(self, {', '.join(wanted)})"
    )


def _violations(key: str, fqn: str, module: nn.Module, spec: Any) -> Iterator[Violation]:
    shell = type(module).__name__
    if _field(spec, "region_dispatch") is not False:
        yield Violation(
            "FNM301",
            key,
            fqn,
            f"the contract `{key}` leaves `region_dispatch` on for {shell} {fqn!r}: a custom "
            "Function is outside DTensor dispatch; add region_dispatch=False",
        )
    sides = {side: _names(spec, side) for pair in _PAIRS for side in pair}
    try:
        bind_inputs(module, [*(sides["in_src"] or ()), *(sides["in_dst"] or ())])
    except ContractError as error:
        yield Violation("FNM302", key, fqn, f"the contract `{key}` on {fqn!r}: {error}")
    for source, target in _PAIRS:
        given, expected = sides[source], sides[target]
        if given is not None and expected is not None and set(given) != set(expected):
            differing = _quoted(sorted(set(given) ^ set(expected)))
            yield Violation(
                "FNM303",
                key,
                fqn,
                f"{source} and {target} of the contract `{key}` differ in {differing}: a tensor "
                "with one side only is not redistributed; give both the same keys",
            )
    if _names(spec, "params"):
        yield Violation(
            "FNM304",
            key,
            fqn,
            f"the contract `{key}` places parameters, but {shell} {fqn!r} has none; place them "
            "on the module that owns them",
        )


def _uncovered(modules: list[tuple[str, nn.Module]], covered: set[int]) -> Iterator[Violation]:
    for fqn, module in modules:
        if is_function_module(module) and id(module) not in covered:
            covered.add(id(module))
            yield Violation(
                "FNM305",
                "",
                fqn,
                f"no key covers {type(module).__name__} {fqn!r}: an undeclared boundary means "
                "silently no communication; add a contract for it",
            )


def _field(spec: Any, name: str) -> Any:
    return spec.get(name) if isinstance(spec, Mapping) else getattr(spec, name, None)


def _names(spec: Any, field: str) -> list[str] | None:
    """The tensor names of a field, None where it is not a mapping."""
    value = _field(spec, field)
    return [str(name) for name in value] if isinstance(value, Mapping) else None


def _quoted(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in names)
