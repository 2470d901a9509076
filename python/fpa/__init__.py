# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""First passage attention on NumPy arrays.

    o = fpa.attention(q, k, v, field)          # see help(fpa.attention)
    m, at = fpa.prefix_min(x, return_index=True)
    f = fpa.compile(open("layer.mlir").read())  # any MLIR module; call f(...)

`fpa.reference` holds the same functions in plain NumPy and float64; its
attention and prefix_min always return both results.
"""

from . import reference
from ._attention import attention
from ._library import get_threads, memory_peak, memory_reset, set_threads
from ._prefix import prefix_min, prefix_sum
from ._program import CompileError, Program, compile

__all__ = [
    "CompileError", "Program", "attention", "compile", "get_threads",
    "memory_peak", "memory_reset", "prefix_min", "prefix_sum", "reference",
    "set_threads",
]
