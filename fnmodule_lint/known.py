"""Facts about torch and the standard library that the analysis relies on.

Sources: the modules named, as of torch 2.13 and Python 3.14. Neither is imported.
"""

from __future__ import annotations

FUNCTION_BASES = frozenset(
    f"torch.autograd.{name}"
    for name in (
        "Function",
        "function.Function",
        "function.InplaceFunction",
        "function.NestedIOFunction",
    )
)
"""The autograd Function base classes."""

HYPERPARALLEL_FUNCTION_BASES = frozenset(
    {
        "platform.Function",
        "hyper_parallel.platform.Function",
        "hyper_parallel.core.platform.Function",
    }
)
HYPERPARALLEL_FUNCTION_MODULES = frozenset(
    {
        "hyper_parallel.FunctionModule",
        "hyper_parallel.distributed.FunctionModule",
        "hyper_parallel.distributed.function_module.FunctionModule",
        "hyper_parallel.core.function_module.FunctionModule",
    }
)

_MODULE_BASES = frozenset(
    {
        "torch.jit.ScriptModule",
        "torch.fx.GraphModule",
        "torch.fx.graph_module.GraphModule",
        "torch.distributed.fsdp.FullyShardedDataParallel",
    }
)
_NOT_MODULES = frozenset({"Parameter", "UninitializedParameter", "Buffer", "UninitializedBuffer"})


def is_module_base(dotted: str) -> bool:
    """Whether ``dotted`` is ``torch.nn.Module`` or another class of ``torch.nn``."""
    if dotted in _MODULE_BASES:
        return True
    last = dotted.rpartition(".")[2]
    return (
        dotted.startswith("torch.nn.")
        and last.lstrip("_")[:1].isupper()
        and last not in _NOT_MODULES
    )


IMPORTS_BY_NAME = frozenset({"importlib.import_module", "pytest.importorskip"})
"""Callables that give the module that their first argument names."""

KEEPS_FIRST = frozenset(
    {
        "builtins.staticmethod",
        "builtins.classmethod",
        "builtins.list",
        "builtins.tuple",
        "builtins.set",
        "builtins.frozenset",
        "builtins.sorted",
        "builtins.reversed",
        "builtins.iter",
        "functools.partial",
        "functools.partialmethod",
        "functools.lru_cache",
        "functools.cache",
        "copy.copy",
        "copy.deepcopy",
        "torch.compile",
        "torch.jit.script",
        "torch.jit.script_if_tracing",
        "torch.jit.ignore",
        "torch.jit.unused",
        "torch.jit.export",
        "torch.compiler.disable",
        "torch.compiler.allow_in_graph",
        "torch.fx.wrap",
        "torch.vmap",
        "torch.func.vmap",
    }
)
"""Callables whose result calls, or is, their first argument."""

WITHOUT_CALLING = frozenset(
    {
        f"builtins.{name}"
        for name in (
            "callable",
            "delattr",
            "dict",
            "getattr",
            "hasattr",
            "hash",
            "help",
            "id",
            "isinstance",
            "issubclass",
            "len",
            "print",
            "property",
            "repr",
            "setattr",
            "str",
            "type",
            "vars",
        )
    }
    | {
        "functools.update_wrapper",
        "functools.wraps",
        "typing.cast",
        "inspect.signature",
        "inspect.getsource",
        "warnings.warn",
    }
    | KEEPS_FIRST
)
"""Callables that take a function without calling it."""

COLLECTING_METHODS = frozenset(
    {
        "append",
        "add",
        "insert",
        "setdefault",
        "appendleft",
        "extend",
        "update",
        "count",
        "index",
        "remove",
    }
)
"""Methods of collections that only keep or compare what they are given."""


_OWN = """
T_destination _apply _backward_hooks _backward_pre_hooks _buffers _call_impl _compiled_call_impl
_forward_hooks _forward_hooks_always_called _forward_hooks_with_kwargs _forward_pre_hooks
_forward_pre_hooks_with_kwargs _get_backward_hooks _get_backward_pre_hooks _get_name
_is_full_backward_hook _load_from_state_dict _load_state_dict_post_hooks
_load_state_dict_pre_hooks _maybe_warn_non_full_backward_hook _modules _named_members
_non_persistent_buffers_set _parameters _register_load_state_dict_pre_hook
_register_state_dict_hook _replicate_for_data_parallel _save_to_state_dict _slow_forward
_state_dict_hooks _state_dict_pre_hooks _version _wrapped_call_impl add_module apply bfloat16
buffers call_super_init children compile cpu cuda double dump_patches eval extra_repr float
forward get_buffer get_extra_state get_parameter get_submodule half ipu load_state_dict modules
mtia named_buffers named_children named_modules named_parameters parameters
register_backward_hook register_buffer register_forward_hook register_forward_pre_hook
register_full_backward_hook register_full_backward_pre_hook register_load_state_dict_post_hook
register_load_state_dict_pre_hook register_module register_parameter
register_state_dict_post_hook register_state_dict_pre_hook requires_grad_ set_extra_state
set_submodule share_memory state_dict to to_empty train training type xpu zero_grad
"""
MODULE_ATTRIBUTES = frozenset(_OWN.split())
"""What ``torch.nn.Module`` itself has (2.13): it would hide a submodule of such a name."""
