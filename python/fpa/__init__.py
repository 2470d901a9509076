# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""First passage attention on NumPy arrays and PyTorch's tensors.

    o = fpa.attention(q, k, v, field)          # see help(fpa.attention)
    dq, dk, dv, dfield, dlevel = fpa.attention_backward(
        q, k, v, field, level, o, lse, do)
    m, at = fpa.prefix_min(x, return_index=True)
    cache = fpa.KVCache(batch, kv_heads, head_dim, evict_above=12.0)
    f = fpa.compile(open("layer.mlir").read())  # any MLIR module; call f(...)
    print(fpa.show("streaming"))               # what becomes of it, by stages
    fpa.plot.penalty("penalty.png", field[0, 0])

`fpa.reference` holds the same functions in plain NumPy and float64; its
attention and prefix_min always return both results. Imported when they are first
asked for: `fpa.torch`, the ops of PyTorch; `fpa.nn`, its modules; `fpa.plot`,
pictures; `fpa.package`, which runs packages of kernels on a GPU; `fpa.from_torch`
and `fpa.compile_module`, which import PyTorch's modules. `fpa.cache` is where
compiled kernels are kept.
"""

__version__ = "0.1.0"

from . import cache, reference
from ._attention import attention
from ._attention_backward import attention_backward
from ._cache import KVCache
from ._device import DeviceArray, to_device
from ._library import get_threads, memory_peak, memory_reset, set_threads
from ._prefix import prefix_min, prefix_sum
from ._program import CompileError, Program, compile
from ._show import show
from ._transform import transform


# Imported when they are first asked for: the loader of packages, pictures, and
# what needs PyTorch.
_LAZY = ("nn", "package", "plot", "torch", "torch_import")
_FROM_IMPORT = ("compile_module", "from_torch")


def __getattr__(name):
    from importlib import import_module
    if name in _LAZY:
        return import_module(f".{name}", __name__)
    if name in _FROM_IMPORT:
        return getattr(import_module(".torch_import", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *_LAZY, *_FROM_IMPORT])


__all__ = [
    "CompileError", "DeviceArray", "KVCache", "Program", "attention",
    "attention_backward", "cache", "compile",
    "get_threads", "memory_peak", "memory_reset", "prefix_min", "prefix_sum",
    "reference", "set_threads", "show", "to_device",
]
