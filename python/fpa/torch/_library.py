# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How ops become known to PyTorch: as torch.library.custom_op makes them, less
what that does in Python in every call."""

import torch

# Keeps what is registered alive.
library = torch.library.Library("fpa", "FRAGMENT")
# What computes each op, wherever its tensors are.
functions = {}


def op(function):
    """Declares the op of a function's name, arguments and defaults, which the
    function computes on CPUs and GPUs, and returns it."""
    name = function.__name__
    library.define(name + torch.library.infer_schema(function, mutates_args=()),
                   tags=(torch.Tag.pt2_compliant_tag,))
    for device in ("CPU", "CUDA"):
        library.impl(name, function, device)
    declared = getattr(torch.ops.fpa, name).default
    functions[declared] = function
    return declared


def fake(op):
    """Registers a function as what says shapes and types of an op's results."""
    return torch.library.register_fake(op.name(), lib=library)
