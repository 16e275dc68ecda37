"""Generated modules: the fix leaves nothing to find, and the same numbers."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import torch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from torch import nn

from fnmodule_lint.engine import Engine
from fnmodule_lint.fixes.apply import Fixer
from fnmodule_lint.fixes.rewrite import rewrite
from runtime import FunctionModule

NAMES = ("Scale", "MixFunction", "_Wide_Fn")
STYLES = ("direct", "alias", "stored", "stored class", "local")


@dataclass(frozen=True)
class Spec:
    """An autograd Function: its tensor inputs, its scalar parameter, its form."""

    name: str
    tensors: int
    scalar: str
    split: bool

    @property
    def parameters(self) -> str:
        scalar = [self.scalar] if self.scalar else []
        return ", ".join([f"t{index}" for index in range(self.tensors)] + scalar)

    def source(self) -> str:
        """Its output is the product of the inputs times the scalar; the gradient is twice that."""
        k = "k" if self.scalar else "1.5"
        names = [f"t{index}" for index in range(self.tensors)]
        saved = f"ctx.save_for_backward({', '.join(names)})"
        product = " * ".join([*names, k])
        grads = []
        for index in range(self.tensors):
            others = [f"saved[{other}]" for other in range(self.tensors) if other != index]
            grads.append(" * ".join(["2 * grad", "ctx.k", *others]))
        grads += ["None"] * bool(self.scalar)
        lines = [f"class {self.name}(torch.autograd.Function):", "    @staticmethod"]
        if self.split:
            unpacked = f"{', '.join([*names, *(['k'] if self.scalar else [])])}, = inputs"
            lines += [
                f"    def forward({self.parameters}):",
                f"        return {product}",
                "    @staticmethod",
                "    def setup_context(ctx, inputs, output):",
                f"        {unpacked}",
                f"        ctx.k = {k}",
                f"        {saved}",
            ]
        else:
            lines += [
                f"    def forward(ctx, {self.parameters}):",
                f"        ctx.k = {k}",
                f"        {saved}",
                f"        return {product}",
            ]
        lines += [
            "    @staticmethod",
            "    def backward(ctx, grad):",
            "        saved = ctx.saved_tensors",
            f"        return {', '.join(grads)},",
        ]
        return "\n".join(lines)


@st.composite
def functions(draw: st.DrawFn) -> list[Spec]:
    specs = []
    for name in NAMES[: draw(st.integers(1, 3))]:
        tensors = draw(st.integers(1, 3))
        scalar = draw(st.sampled_from(("", "k: float", "k: float = 0.5")))
        split = draw(st.booleans())
        specs.append(Spec(name, tensors, scalar.split(" =")[0] if split else scalar, split))
    return specs


BASE = """\
class Base(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.linspace(0.5, 1.5, 3))


class Both(nn.Sequential):
    def __init__(self):
        super().__init__(Net(), ByHand())"""


def _by_hand(spec: Spec) -> str:
    """A shell written by hand, whose whole forward is the call."""
    scalar = ["0.25"] if spec.scalar else []
    arguments = ", ".join(["a"] * spec.tensors + scalar)
    return (
        "class ByHand(nn.Module):\n    def forward(self, a):\n"
        f"        return {spec.name}.apply({arguments})"
    )


@st.composite
def programs(draw: st.DrawFn) -> str:
    specs = draw(functions())
    module, init, forward = [], [], []
    for number in range(draw(st.integers(1, 4))):
        spec, style = draw(st.sampled_from(specs)), draw(st.sampled_from(STYLES))
        reference = f"{spec.name}.apply"
        if style == "alias":
            module.append(f"alias_{number} = {reference}")
            reference = f"alias_{number}"
        elif style == "stored":
            init.append(f"self.act_{number} = {reference}")
            reference = f"self.act_{number}"
        elif style == "stored class":
            init.append(f"self.fn_{number} = {spec.name}")
            reference = f"self.fn_{number}.apply"
        elif style == "local":
            forward.append(f"step_{number} = {reference}")
            reference = f"step_{number}"
        operands = draw(st.lists(st.sampled_from(("x", "self.weight", "x + 1")), min_size=3))
        given_ = operands[: spec.tensors]
        if spec.scalar:
            given_.append(draw(st.sampled_from(("0.25", "self.factor"))))
        forward.append(f"x = {reference}({', '.join(given_)})")
    body = ["    factor = 0.75", ""]
    if init or draw(st.booleans()):
        arguments = draw(st.sampled_from(("", ", width=3", ", *args, **kwargs")))
        body += [f"    def __init__(self{arguments}):", "        super().__init__()"]
        body += [f"        {line}" for line in init] + [""]
    body += ["    def forward(self, x):", '        """Go."""']
    body += [f"        {line}" for line in forward]
    body.append("        return x * 2" if draw(st.booleans()) else "        return x")
    head = draw(st.sampled_from(("", '"""A net."""\n', "from __future__ import annotations\n")))
    parts = [f"{head}import torch\nfrom torch import nn", *(spec.source() for spec in specs)]
    parts += [
        BASE,
        _by_hand(draw(st.sampled_from(specs))),
        "\n".join(module),
        "class Net(Base):\n" + "\n".join(body),
    ]
    return "\n\n\n".join(part for part in parts if part) + "\n"


def numbers(text: str) -> tuple[nn.Module, list[torch.Tensor]]:
    module = ModuleType("generated")
    exec(compile(text, "generated.py", "exec"), module.__dict__)
    model: nn.Module = module.__dict__["Both"]()
    x = torch.linspace(-1, 1, 3).requires_grad_()
    output = model(x)
    (output * torch.tensor([1.0, 2.0, 3.0])).sum().backward()
    grads = [leaf.grad for leaf in (x, *model.parameters())]
    return model, [output.detach(), *(grad for grad in grads if grad is not None)]


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_fixed_programs_mean_the_same(text: str):
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "net.py")
        Path(folder, "setup.cfg").touch()
        file.write_text(text)
        found = [item.code for item in Engine().check_paths([file]).findings]
        outcome = Fixer(Engine(), [file], list, rewrite).run(unsafe=False)
        assert found and outcome.left == [] and outcome.problems == ()
        after = outcome.texts[str(file)]
        file.write_text(after)
        assert Engine().check_paths([file]).findings == ()
        again = Fixer(Engine(), [file], list, rewrite).run(unsafe=False)
        assert again.texts == {}
    before, wanted = numbers(text)
    fixed, got = numbers(after)
    assert len(wanted) == len(got)
    assert all(torch.equal(one, other) for one, other in zip(wanted, got, strict=True))
    assert list(before.state_dict()) == list(fixed.state_dict())
    assert any(isinstance(child, FunctionModule) for child in fixed.modules())
