# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients and vmap rules for ops.

What torch.library keeps for an op serves autograd and torch.compile, but not
torch.func.grad, which only knows functions with a setup_context. So each op also
gets such a function, of the same parts, and is called through it where
transforms of torch.func are active.
"""

import torch


def register(op, setup_context, backward, vmap):
    """Registers these parts for an op; returns what calls it. vmap(op, info,
    in_dims, *arguments) calls the op that it is given."""
    op.register_vmap(lambda info, in_dims, *arguments: vmap(
        op, info, in_dims, *arguments))
    if backward is not None:
        op.register_autograd(backward, setup_context=setup_context)

    class Function(torch.autograd.Function):
        forward = staticmethod(lambda *arguments: op(*arguments))

    Function.setup_context = staticmethod(setup_context)
    Function.backward = staticmethod(backward or _refuse(op))
    Function.vmap = staticmethod(lambda info, in_dims, *arguments: vmap(
        Function.apply, info, in_dims, *arguments))

    def call(*arguments):
        if torch._C._are_functorch_transforms_active():
            return Function.apply(*arguments)
        return op(*arguments)

    return call


def _refuse(op):
    """What PyTorch does with an op that has no gradient."""
    def backward(ctx, *gradients):
        raise RuntimeError(
            f"Trying to backward through {op._opoverload} but no autograd "
            f"formula was registered.")
    return backward
