"""The audit sees every bare apply in a running forward, and nothing else."""

from __future__ import annotations

import contextlib
import functools
import json
import subprocess
import sys
import textwrap
import threading
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")

from torch import nn  # noqa: E402
from torch.autograd import function  # noqa: E402
from torch.utils.checkpoint import checkpoint  # noqa: E402

from fnmodule_lint.engine import Engine  # noqa: E402
from fnmodule_lint.json_report import as_json  # noqa: E402
from runtime import FunctionModule  # noqa: E402
from runtime.audit import Report, audit  # noqa: E402

COLUMNS = sys.version_info >= (3, 11)
HERE = Path(__file__)
LINES = HERE.read_text("utf-8").splitlines()


class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

    @staticmethod
    def backward(ctx, grad):
        return grad * 2


class Outer(torch.autograd.Function):
    """A Function that applies another one, forward and backward."""

    @staticmethod
    def forward(ctx, x):
        return Double.apply(x)

    @staticmethod
    def backward(ctx, grad):
        return Double.apply(grad)


class WithContext(torch.autograd.Function):
    @staticmethod
    def forward(x, factor=3):
        return x * factor

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.factor = inputs[1]

    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.factor, None


early = Double.apply


def helper(x):
    return early(x)


def factory():
    return lambda x: Double.apply(x)


def traced(method):
    @functools.wraps(method)
    def wrapper(*arguments):
        return method(*arguments)

    return wrapper


class Mixin:
    def mixed(self, x):
        return Double.apply(x)  # site: mixin


class Unit(nn.Module):
    def run(self, x):
        return Double.apply(x)  # site: run

    def forward(self, x):
        return self.run(x)


class Block(Mixin, nn.Module):
    def __init__(self):
        super().__init__()
        self.double_fn = FunctionModule(Double)
        self.unit = Unit()
        self.act = factory()
        self.unused = Double.apply(torch.ones(1))
        self.made = self.make()
        self.hidden = [Unit()]

    def make(self):
        return lambda x: Double.apply(x)

    @property
    def value(self):
        return Double.apply(torch.ones(2))  # site: property

    @traced
    def decorated(self, x):
        return Double.apply(x)  # site: decorated

    def nested(self, x):
        def inner(y):
            return Double.apply(y)  # site: inner

        return inner(x)

    def forward(self, x):
        x = self.double_fn(x)
        x = Double.apply(x)  # site: direct
        x = early(x)  # site: alias
        x = helper(x)  # site: helper
        x = self.act(x)  # site: factory
        x = self.made(x)  # site: made
        x = (lambda y: Double.apply(y))(x)  # site: lambda
        x = Outer.apply(x)  # site: outer
        x = WithContext.apply(x)  # site: context
        x = checkpoint(Double.apply, x, use_reentrant=False)  # site: handed on
        x = checkpoint(helper, x, use_reentrant=True)  # site: reentrant
        x = self.decorated(self.mixed(self.nested(x))) + self.value
        x = self.hidden[0](x)
        return self.unit(x)


PLACES = {
    line.partition("# site: ")[2]: number
    for number, line in enumerate(LINES, 1)
    if "# site: " in line and "partition" not in line and '"# site: "' not in line
}


def seen(report: Report) -> dict[str, int]:
    names = {number: name for name, number in PLACES.items()}
    counts: dict[str, int] = {}
    for site, count in report.sites.items():
        assert Path(site.path) == HERE
        counts[names[site.line]] = counts.get(names[site.line], 0) + count
    return counts


def run(model: nn.Module) -> torch.Tensor:
    return model(torch.ones(2, requires_grad=True))


def once() -> dict[str, int]:
    return {**dict.fromkeys(PLACES, 1), "run": 2}


def is_untouched() -> bool:
    return function._is_setup_context_defined.__module__ == function.__name__


def test_every_site_is_seen_once():
    model = Block()
    with audit(model) as report:
        run(model)
    assert seen(report) == once()
    assert is_untouched()


def test_sites_name_module_function_and_place():
    model = nn.Sequential(nn.Identity(), Block())
    with audit(model) as report:
        run(model)
    by_line = {site.line: site for site in report.sites}
    helped = by_line[PLACES["helper"]]
    assert (helped.fqn, helped.model) == ("1", "Sequential")
    assert helped.module.endswith(".Block") and helped.function.endswith(".Double")
    assert LINES[helped.applied_line - 1].strip() == "return early(x)"
    assert by_line[PLACES["mixin"]].fqn == "1"
    fqns = {site.fqn for site in report.sites if site.line == PLACES["run"]}
    assert fqns == {"1.unit", "1"}  # the unregistered unit counts for the module that calls it
    if COLUMNS:
        assert (helped.column, helped.end_column) == (13, 22)
        text = LINES[helped.line - 1]
        assert text[helped.column - 1 : helped.end_column - 1] == "helper(x)"


def test_backward_adds_recomputed_sites_only():
    class Net(nn.Module):
        def __init__(self):
            super().__init__()
            self.block = Unit()

        def forward(self, x):
            return checkpoint(self.block, Outer.apply(x), use_reentrant=False)

    model = Net()
    with audit(model) as report:
        out = run(model)
        before = sum(report.sites.values())
        out.sum().backward()
    assert before == 2
    assert {(site.fqn, count) for site, count in report.sites.items()} == {("", 1), ("block", 1)}


def test_recomputation_counts_where_a_tensor_is_saved():
    class Saving(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * x

        @staticmethod
        def backward(ctx, grad):
            return grad * 2 * ctx.saved_tensors[0]

    class Square(nn.Module):
        def forward(self, x):
            return Saving.apply(x)

    class Net(nn.Module):
        def __init__(self, reentrant):
            super().__init__()
            self.square = Square()
            self.reentrant = reentrant

        def forward(self, x):
            return checkpoint(self.square, x, use_reentrant=self.reentrant)

    for reentrant in (False, True):
        model = Net(reentrant)
        with audit(model) as report:
            run(model).sum().backward()
        assert [(site.fqn, count) for site, count in report.sites.items()] == [("square", 2)]


def test_what_runs_outside_of_a_forward_is_not_seen():
    model = Block()
    with audit(model) as report:
        Double.apply(torch.ones(2))
        Block()
        model.nested(torch.ones(2))
        run(model.double_fn)
    assert report.sites == {}
    assert report.table() == "no Function was applied outside of a FunctionModule"


def test_a_forward_called_by_name_is_seen():
    model = Unit()
    with audit(model) as report:
        model.forward(torch.ones(2))
    assert seen(report) == {"run": 1}


def test_only_the_model_is_audited():
    model, other = Unit(), Unit()
    with audit(model) as report:
        run(other)
    assert report.sites == {}
    with audit() as report:
        run(other)
        run(nn.Sequential(model))
    assert {(site.model, site.fqn) for site in report.sites} == {("Unit", ""), ("Sequential", "0")}


def test_shells_by_hand_are_no_shells():
    class Shell(nn.Module):
        def forward(self, x):
            return Double.apply(x)

    class Named(FunctionModule):
        def forward(self, x):
            return self._fn.apply(x)

    model = nn.Sequential(Shell(), Named(Double))
    with audit(model) as report:
        run(model)
    assert [site.fqn for site in report.sites] == ["0"]


def test_everything_is_restored_after_an_error():
    class Failing(nn.Module):
        def forward(self, x):
            Double.apply(x)
            raise KeyboardInterrupt

    model = Failing()
    with pytest.raises(KeyboardInterrupt), audit(model) as report:
        assert not is_untouched()
        run(model)
    assert len(report.sites) == 1
    assert is_untouched()
    run(Unit())
    assert len(report.sites) == 1
    assert not model._forward_hooks and not model._forward_pre_hooks


def test_audits_nest():
    model = nn.Sequential(Unit(), Unit())
    with audit(model) as outer:
        with audit(model[1]) as inner:
            run(model)
        run(model)
    assert {(site.fqn, count) for site, count in outer.sites.items()} == {("0", 2), ("1", 2)}
    assert {(site.fqn, count) for site, count in inner.sites.items()} == {("", 1)}
    assert is_untouched()


def test_threads_are_counted_together():
    model = Block()
    with audit(model) as report:
        threads = [threading.Thread(target=run, args=(model,)) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert seen(report) == {name: 8 * count for name, count in once().items()}


def test_replicas_have_the_fqns_of_their_originals():
    model = nn.Sequential(Unit(), Unit())
    replica = model._replicate_for_data_parallel()
    for name, child in model._modules.items():
        replica._modules[name] = child._replicate_for_data_parallel()
    with audit(nn.DataParallel(model)) as report:
        run(replica)
        run(model)
    assert {(site.fqn, count) for site, count in report.sites.items()} == {("0", 2), ("1", 2)}


def test_a_compiled_model_runs_eagerly():
    model = nn.Sequential(Unit())
    compiled = torch.compile(model, backend="eager")
    run(compiled)
    with audit(compiled) as report:
        out = run(compiled)
    assert [(site.fqn, count) for site, count in report.sites.items()] == [("0", 1)]
    assert torch.equal(out, run(compiled))


def test_a_functorch_transform_counts_once():
    class Scaled(nn.Module):
        def forward(self, x):
            return WithContext.apply(x, 2).sum()

    model = Scaled()
    with audit(model) as report:
        torch.func.grad(model)(torch.ones(2))
    assert list(report.sites.values()) == [1]


def test_modules_added_later_have_an_fqn():
    class Growing(nn.Module):
        def forward(self, x):
            self.late = Unit()
            return self.late(x)

    model = Growing()
    with audit(model) as report:
        run(model)
    assert [site.fqn for site in report.sites] == ["late"]


def test_numbers_do_not_change():
    torch.manual_seed(0)
    model, x = Block(), torch.rand(2, requires_grad=True)
    gradients = []
    for auditing in (contextlib.nullcontext(), audit(model)):
        x.grad = None
        with auditing:
            model(x).sum().backward()
        gradients.append(x.grad)
    assert torch.equal(*gradients)


def test_json_and_table():
    model = Block()
    with audit(model) as report:
        run(model)
    rows = json.loads(report.to_json())
    assert [row["count"] for row in rows] == list(report.sites.values())
    assert rows[0].keys() >= {"fqn", "function", "module", "path", "line", "column", "count"}
    lines = report.table().splitlines()
    assert lines[0].split() == ["FQN", "Function", "Count", "Called", "at"]
    assert len(lines) == len(rows) + 1
    assert any(line.startswith("Block.unit ") for line in lines)


def test_the_linter_sees_the_same_sites():
    model = Block()
    with audit(model) as report:
        run(model)
    findings = as_json(Engine().check_text(HERE, HERE.read_bytes()).findings, {})
    comparison = report.compare(findings)
    assert comparison.runtime_only == ()
    assert len(comparison.both) == len(PLACES)
    assert comparison.agreement == 1.0
    unseen = {row["line"] for row in comparison.linter_only}
    assert unseen.isdisjoint(PLACES.values()) and unseen


def test_compare_tells_the_three_kinds_apart(tmp_path: Path):
    model = Block()
    with audit(model) as report:
        run(model)
    rows = [
        {"path": str(HERE), "line": PLACES["alias"], "code": "FNM101"},
        {"path": str(HERE), "line": PLACES["direct"], "code": "FNM203"},
        {"path": "elsewhere.py", "line": 1, "code": "FNM102"},
    ]
    comparison = report.compare(json.dumps(rows), tmp_path)
    assert [site.line for site in comparison.both] == [PLACES["alias"]]
    assert PLACES["direct"] in {site.line for site in comparison.runtime_only}
    assert list(comparison.linter_only) == rows[2:]
    assert comparison.agreement == 1 / len(PLACES)
    first, *others = comparison.table().splitlines()
    assert first.startswith(f"seen by both: 1, at run time only: {len(PLACES) - 1}")
    assert "linter only: elsewhere.py:1: FNM102" in others


@pytest.mark.parametrize("text", ["{}", "[1]", "nothing", '[{"path": 1}]'])
def test_compare_refuses_what_is_no_report(text: str):
    with pytest.raises(ValueError, match=r"\S"):
        Report().compare(text)


SCRIPT = """\
import sys
import torch
from torch import nn

class Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 2

class Net(nn.Module):
    def forward(self, x):
        return Double.apply(x)

net = torch.compile(Net())
print(sys.argv[1:], __name__, net(torch.ones(1)).item())
sys.exit(int(sys.argv[1]))
"""


def command(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "runtime.audit", *arguments],
        cwd=folder, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip


def test_the_command_runs_a_script(tmp_path: Path):
    (tmp_path / "train.py").write_text(SCRIPT)
    (tmp_path / "findings.json").write_text('[{"path": "train.py", "line": 12, "code": "FNM103"}]')
    run = command(
        tmp_path, "--json", "out.json", "--compare", "findings.json", "train.py", "3", "--json"
    )
    assert run.returncode == 3
    assert run.stdout == "['3', '--json'] __main__ 2.0\n"
    assert "Net  __main__.Double  1      train.py:12" in run.stderr
    assert "seen by both: 1, at run time only: 0" in run.stderr
    rows = json.loads((tmp_path / "out.json").read_text())
    assert [(row["model"], row["fqn"], row["line"]) for row in rows] == [("Net", "", 12)]


def test_the_command_runs_a_module_and_keeps_its_errors(tmp_path: Path):
    (tmp_path / "train.py").write_text(SCRIPT.replace("sys.exit(", "raise LookupError("))
    run = command(tmp_path, "-m", "train", "7")
    assert run.returncode == 1
    assert run.stdout == "['7'] __main__ 2.0\n"
    assert "LookupError: 7" in run.stderr and "Double  1 " in run.stderr


def test_the_command_needs_a_script(tmp_path: Path):
    run = command(tmp_path)
    assert run.returncode == 2
    assert "name a script" in run.stderr and "Traceback" not in run.stderr


def test_the_fixture_shows_its_table_when_a_test_fails(tmp_path: Path):
    (tmp_path / "train.py").write_text(SCRIPT.split("net = ")[0])
    (tmp_path / "test_net.py").write_text(
        textwrap.dedent(
            """
            import torch
            from train import Net

            def test_mounted(fnmodule_audit):
                model = Net()
                with fnmodule_audit(model) as report:
                    model(torch.ones(1))
                assert not report.sites
            """
        )
    )
    run = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert run.returncode == 1
    assert "1 failed" in run.stdout
    assert "fnmodule audit" in run.stdout and "train.Double" in run.stdout


def test_the_plugin_does_not_load_torch():
    code = "import sys, pytest_fnmodule; print('torch' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"
