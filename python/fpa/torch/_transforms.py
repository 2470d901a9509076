# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients and vmap rules for ops.

Gradients are those of a function with a setup_context, which the dispatcher calls
where an argument wants one. torch.library.register_autograd makes such a function
out of the same parts, but takes as long as a small kernel to see that no argument
does; and torch.func.grad only knows functions, so that where its transforms are
active the op is called through it.
"""

import torch
from torch.autograd import forward_ad

from ._direct import is_direct
from ._library import functions, library

# What is left to be asked below autograd, but for keys that do nothing here.
_CPU = torch._C.DispatchKey.CPU
_below = torch._C._after_ADInplaceOrView_keyset.remove(
    torch._C.DispatchKey.BackendSelect)


def register(op, setup_context, backward, vmap):
    """Registers these parts for an op; returns what calls it. vmap(op, info,
    in_dims, *arguments) calls the op that it is given."""
    defaults = [a.default_value for a in op._schema.arguments]
    function = functions[op]
    tensors = sum(str(a.type) in ("Tensor", "Optional[Tensor]")
                  for a in op._schema.arguments)

    class Function(torch.autograd.Function):
        forward = staticmethod(lambda *arguments: op(*arguments))

    Function.setup_context = staticmethod(setup_context)
    Function.backward = staticmethod(
        backward or _refuse(f"{op.name()} has no gradient: second derivatives of "
                            f"fpa::attention are not supported"))
    refuse_forward = _refuse(f"{op.name()} has no derivatives in forward mode")
    Function.jvp = staticmethod(refuse_forward)
    Function.vmap = staticmethod(lambda info, in_dims, *arguments: vmap(
        Function.apply, info, in_dims, *arguments))

    def differentiable(keys, *arguments):
        if forward_ad._current_level >= 0 and _has_tangent(arguments):
            refuse_forward(None)
        if torch.is_grad_enabled():
            for x in arguments[:tensors]:
                if x is not None and x.requires_grad:
                    # The dispatcher leaves out arguments at the end that have
                    # their defaults.
                    return Function.apply(*arguments,
                                          *defaults[len(arguments):])
        if (keys & _below).highestPriorityTypeId() == _CPU:
            # Who is asked next is known: no mode, no fake tensor.
            return function(*arguments)
        return op.redispatch(keys & torch._C._after_autograd_keyset, *arguments)

    library.impl(op, differentiable, "Autograd", with_keyset=True)
    torch.library.register_vmap(
        op.name(), lambda info, in_dims, *arguments: vmap(
            op, info, in_dims, *arguments), lib=library)

    def call(*arguments):
        if is_direct(arguments[:tensors]):
            return function(*arguments)
        if torch._C._are_functorch_transforms_active():
            return Function.apply(*arguments)
        return op(*arguments)

    return call


def _has_tangent(arguments):
    """Whether a derivative in forward mode is asked for."""
    return any(isinstance(x, torch.Tensor)
               and forward_ad.unpack_dual(x).tangent is not None
               for x in arguments)


def _refuse(message):
    """Stands for derivatives that there are none of."""
    def derivative(ctx, *_):
        raise NotImplementedError(message)
    return derivative
