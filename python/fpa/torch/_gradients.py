# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of fpa::attention, also where it says what it dropped, and torch.vmap
of it: one call with more batches,
or with more heads where sequences are packed, since those have no batch."""

import torch

from . import _ops, _transforms


def _setup_context(ctx, inputs, output):
    q, k, v, field, level, cu_q, cu_k, *options = inputs
    ctx.options, ctx.given = options[:5], len(inputs)
    o, lse, *dropped = output
    ctx.save_for_backward(q, k, v, field, level, cu_q, cu_k, o, lse)
    ctx.mark_non_differentiable(*dropped)
    # A loss without lse needs no gradient of it.
    ctx.set_materialize_grads(False)


def _backward(ctx, do, dlse, *_):
    q, k, v, field, level, cu_q, cu_k, o, lse = ctx.saved_tensors
    scale, window, smooth, target, prune_eps = ctx.options
    needed = ctx.needs_input_grad[:5]
    if do is None:
        do = torch.zeros_like(o)
    gradients = attention_backward(
        q, k, v, field, level, o, lse, do, dlse, cu_q, cu_k, scale, window,
        smooth, needed[3] or needed[4], target, prune_eps)
    return (*[x if need else None for x, need in zip(gradients, needed)],
            *[None] * (ctx.given - 5))


def _fold(count, dims, tensors, axis):
    """Merges the mapped dimension of each tensor into its dimension `axis`."""
    folded = []
    for x, dim in zip(tensors, dims):
        if x is not None:
            x = x.expand(count, *x.shape) if dim is None else x.movedim(dim, 0)
            x = x.movedim(0, axis).flatten(axis, axis + 1)
        folded.append(x)
    return folded


def _unfold(count, results, axis):
    """The mapped dimension by itself again, where there is one."""
    unfolded, dims = [], []
    for x in results:
        absent = x.dim() == 1
        unfolded.append(x if absent else x.unflatten(axis, (count, -1)))
        dims.append(None if absent else axis)
    return tuple(unfolded), tuple(dims)


def _vmap(bounds_at):
    """The rule of an op whose first `bounds_at` arguments are folded; after them
    come the boundaries of packed sequences."""
    def rule(op, info, in_dims, *arguments):
        # The dispatcher leaves out arguments at the end that have their defaults.
        missing = (None,) * (bounds_at + 2 - len(arguments))
        in_dims, arguments = (*in_dims, *missing), (*arguments, *missing)
        if any(dim is not None for dim in in_dims[bounds_at:bounds_at + 2]):
            raise ValueError("expected one cu_seqlens for all, got one for "
                             "each element of the dimension that vmap maps "
                             "over")
        axis = 0 if arguments[bounds_at] is None else 1
        folded = _fold(info.batch_size, in_dims[:bounds_at],
                       arguments[:bounds_at], axis)
        return _unfold(info.batch_size, op(*folded, *arguments[bounds_at:]),
                       axis)
    return rule


attention = _transforms.register(_ops.attention, _setup_context, _backward,
                                 _vmap(5))
attention_dropped = _transforms.register(
    _ops.attention_dropped, _setup_context, _backward, _vmap(5))
attention_backward = _transforms.register(
    _ops.attention_backward, lambda ctx, inputs, output: None, None, _vmap(9))
