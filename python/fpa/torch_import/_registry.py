# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which function imports which operator."""

OPERATORS = {}


def operator(*names):
    """Registers an importer `f(emitter, node, *args, **kwargs)`. Arguments of
    the operator come as `Tensor`s, sizes and Python values; `node.meta["val"]`
    has the result's shape and type."""
    def register(function):
        for name in names:
            OPERATORS[name] = function
        return function
    return register
