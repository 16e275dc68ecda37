"""The executable binding rule, and that the linter's FNM302 is the same rule."""

from __future__ import annotations

import functools
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from hypothesis import given, settings  # noqa: E402
from hypothesis import strategies as st  # noqa: E402
from torch import nn  # noqa: E402

from fnmodule_lint.engine import Engine  # noqa: E402
from runtime import FunctionModule  # noqa: E402
from runtime.contract import ContractError, bind_inputs, check_plan  # noqa: E402


class Mix(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight):
        return x * weight


class Half(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x / 2


class MixShell(FunctionModule):
    def forward(self, x, weight, *rest, eps=1.0):
        return self._fn.apply(x, weight)


class Nothing(FunctionModule):
    def forward(self, *, x):
        return self._fn.apply(x, x)


class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.mix_fn = MixShell(Mix)
        self.raw_fn = FunctionModule(Half)
        self.proj = nn.Linear(2, 2)


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList(Layer() for _ in range(2))


@dataclass
class Spec:
    in_src: Any = None
    in_dst: Any = None
    out_src: Any = None
    out_dst: Any = None
    params: dict[str, Any] = field(default_factory=dict)
    region_dispatch: bool | None = None


BOTH = {"x": "shard(1)", "weight": "replicate"}
GOOD = Spec(in_src=BOTH, in_dst=BOTH, region_dispatch=False)
RAW = {"region_dispatch": False, "in_src": {"any": 1}, "in_dst": {"any": 1}}


def rules(plan: dict[str, Any], model: nn.Module | None = None) -> list[tuple[str, str, str]]:
    return [(v.rule, v.key, v.fqn) for v in check_plan(model or Model(), plan)]


def test_names_bind_by_position():
    assert bind_inputs(MixShell(Mix), ["weight", "x"]) == {"weight": 1, "x": 0}
    assert bind_inputs(nn.Linear(2, 2), ["input"]) == {"input": 0}
    assert bind_inputs(nn.MultiheadAttention(2, 1), ["value", "query"]) == {"value": 2, "query": 0}
    assert bind_inputs(MixShell(Mix), []) == {}


def test_one_unknown_name_falls_back_to_argument_0():
    assert bind_inputs(FunctionModule(Half), ["hidden_states"]) == {"hidden_states": 0}
    assert bind_inputs(MixShell(Mix), {"hidden_states": 1}) == {"hidden_states": 0}


@pytest.mark.parametrize(
    ("module", "names", "words"),
    [
        (MixShell(Mix), ["x", "w"], ["`w` will never bind", "takes (x, weight, *args)"]),
        (MixShell(Mix), ["x", "eps"], ["`eps` will never bind", "name these parameters"]),
        (FunctionModule(Half), ["x", "w"], ["`x`, `w`", "(*args)", "forward(self, x, w)"]),
        (Nothing(Mix), ["x"], ["`x` will never bind", "takes ()"]),  # noqa: FNM201
    ],
)  # fmt: skip
def test_what_does_not_bind_is_an_error(module: nn.Module, names: list[str], words: list[str]):
    with pytest.raises(ContractError) as error:
        bind_inputs(module, names)
    for word in words:
        assert word in str(error.value)


def test_one_string_is_a_mistake():
    with pytest.raises(TypeError, match="'weight'"):
        bind_inputs(MixShell(Mix), "weight")


def test_a_wrapped_forward_keeps_its_names():
    module = MixShell(Mix)
    original = module.forward

    @functools.wraps(original)
    def wrapper(*args, **kwargs):
        return original(*args, **kwargs)

    module.forward = wrapper
    assert bind_inputs(module, ["weight"]) == {"weight": 1}


def test_a_plan_that_holds():
    assert rules({"layers.*.mix_fn": GOOD, "...raw_fn": RAW}) == []
    assert rules({"*": {"region_dispatch": False}}) == []


def test_every_rule():
    found = rules(
        {
            "layers.0.mix_fn": Spec(in_src=BOTH, in_dst=BOTH),
            "layers.1.mix_fn": Spec(
                in_src={"x": 1, "w": 1}, in_dst={"x": 1}, region_dispatch=False
            ),
            "layers.0.raw_fn": {
                "region_dispatch": False,
                "params": {"weight": 1},
                "out_src": {"a": 1},
                "out_dst": {"b": 1},
            },
            "layers.9.raw_fn": RAW,
            "layers.*.proj": Spec(in_src={"a": 1, "b": 1}, in_dst={"c": 1}),
        }
    )
    assert found == [
        ("FNM301", "layers.0.mix_fn", "layers.0.mix_fn"),
        ("FNM302", "layers.1.mix_fn", "layers.1.mix_fn"),
        ("FNM303", "layers.1.mix_fn", "layers.1.mix_fn"),
        ("FNM303", "layers.0.raw_fn", "layers.0.raw_fn"),
        ("FNM304", "layers.0.raw_fn", "layers.0.raw_fn"),
        ("unmatched-key", "layers.9.raw_fn", ""),
        ("FNM305", "", "layers.1.raw_fn"),
    ]


def test_strict_lists_every_violation():
    with pytest.raises(ContractError) as error:
        check_plan(Model(), {"layers.*.mix_fn": GOOD, "nothing": GOOD}, strict=True)
    assert len(str(error.value).splitlines()) == 3
    assert check_plan(Model(), {"layers.*.*_fn": {**RAW}}, strict=True) == []


def test_wrappers_do_not_change_fqns():
    model = Model()
    model.layers[0] = torch.compile(model.layers[0])
    plan = {"layers.*.mix_fn": GOOD, "layers.?.raw_fn": RAW}
    assert rules(plan, nn.DataParallel(model)) == []


def test_a_projects_own_copy_is_a_shell():
    source = Path(FunctionModule.__module__.replace(".", "/") + ".py")
    text = (Path(__file__).parent.parent.parent / source).read_text()
    namespace: dict[str, Any] = {"__name__": "copied"}
    exec(compile(text, "copied.py", "exec"), namespace)
    model = nn.Sequential(namespace["FunctionModule"](Mix))
    assert rules({}, model) == [("FNM305", "", "0")]


NAMES = ("x", "w", "y")


@st.composite
def signatures(draw: st.DrawFn) -> str:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True, max_size=3))
    split = draw(st.integers(0, len(names)))
    keyword = names[split:] if draw(st.booleans()) else []
    parts = [name for name in names if name not in keyword]
    if parts and draw(st.booleans()):
        parts.insert(draw(st.integers(1, len(parts))), "/")
    if draw(st.booleans()):
        parts.append("*rest")
    elif keyword:
        parts.append("*")
    parts += [f"{name}=None" for name in keyword]
    if draw(st.booleans()):
        parts.append("**more")
    return ", ".join(["self", *parts])


@settings(max_examples=60, deadline=None)
@given(
    signatures(),
    st.lists(st.sampled_from([*NAMES, "other"]), unique=True, max_size=3),
    st.lists(st.sampled_from([*NAMES, "other"]), unique=True, max_size=2),
)
def test_the_linter_knows_the_same_rule(signature: str, given_: list[str], wanted: list[str]):
    spec = f"in_src={dict.fromkeys(given_, 1)!r}, in_dst={dict.fromkeys(wanted, 1)!r}"
    source = f"""
import torch
from hyper_parallel import ModuleShardingSpec
from runtime import FunctionModule
from torch import nn

class Fn(torch.autograd.Function):
    @staticmethod
    def forward(ctx, *inputs):
        return inputs[0]

class Shell(FunctionModule):
    def forward({signature}):
        return None

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.some_fn = Shell(Fn)

plan = {{"some_fn": ModuleShardingSpec(region_dispatch=False, {spec})}}
"""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "block.py"
        report = Engine().check_text(file, source)
    namespace: dict[str, Any] = {}
    exec(source[source.index("class Fn") : source.index("plan =")], _names(namespace))
    binds = True
    try:
        bind_inputs(namespace["Block"]().some_fn, [*given_, *wanted])
    except ContractError:
        binds = False
    assert binds == ("FNM302" not in {finding.code for finding in report.findings})


def _names(namespace: dict[str, Any]) -> dict[str, Any]:
    namespace.update(torch=torch, nn=nn, FunctionModule=FunctionModule, __name__="generated")
    return namespace
