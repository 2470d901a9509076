# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ops fpa::prefix_min and fpa::prefix_sum with their gradients."""

from typing import Tuple

import torch
from torch import Tensor

from .. import _prefix
from .._plans import Plans
from .._program import cached
from . import _transforms
from ._library import fake, op
from ._tensors import float_tensor, run, target_for

_plans = Plans()


@op
def prefix_min(x: Tensor, axis: int, reverse: bool = False,
               exclusive: bool = False,
               target: str = "cpu") -> Tuple[Tensor, Tensor]:
    """The running minimum and where it is, of fpa.prefix_min."""
    return _scan("prefix_min", x, axis, reverse, exclusive, True, target)


@op
def prefix_sum(x: Tensor, axis: int, reverse: bool = False,
               exclusive: bool = False, target: str = "cpu") -> Tensor:
    """The running sum of fpa.prefix_sum."""
    return _scan("prefix_sum", x, axis, reverse, exclusive, False, target)[0]


def _scan(op, x, *options):
    target = target_for("x", x, None if options[-1] == "cpu" else options[-1])
    options = (*options[:-1], target)
    key = Plans.key((x,), (op, *options))
    plan = _plans.get(key) or _plans.add(
        key, _prefix.plan(float_tensor, x, op, *options))
    text, target, shape = plan
    return tuple([part.view(x.shape) for part in
                  run(cached(text, "main", target), [x.reshape(shape)])])


def _check(op, x, axis):
    float_tensor("x", x, _prefix.TYPES[op])
    _prefix.check_axis(x, axis)


@fake(prefix_min)
def _(x, axis, reverse=False, exclusive=False, target="cpu"):
    _check("prefix_min", x, axis)
    return x.new_empty(x.shape), x.new_empty(x.shape, dtype=torch.int64)


@fake(prefix_sum)
def _(x, axis, reverse=False, exclusive=False, target="cpu"):
    _check("prefix_sum", x, axis)
    return x.new_empty(x.shape)


def _setup_min(ctx, inputs, output):
    ctx.axis = inputs[1]
    ctx.save_for_backward(output[1])
    ctx.mark_non_differentiable(output[1])


def _min_backward(ctx, gradient, _):
    """Each minimum's gradient goes to where the minimum is; index -1 has
    none."""
    at, = ctx.saved_tensors
    total = torch.zeros_like(gradient).scatter_add(
        ctx.axis, at.clamp(min=0), gradient.masked_fill(at < 0, 0))
    return total, None, None, None, None


def _setup_sum(ctx, inputs, output):
    _, *ctx.options = inputs


def _sum_backward(ctx, gradient):
    """The sum the other way round."""
    axis, reverse, exclusive, target = ctx.options
    total = sums(gradient, axis, not reverse, exclusive, target)
    return total, None, None, None, None


def _mapped(x, dim, axis):
    """x with the mapped dimension first, and its axis there."""
    return x.movedim(dim, 0), axis % (x.dim() - 1) + 1


def _min_vmap(op, info, in_dims, x, axis, *options):
    return op(*_mapped(x, in_dims[0], axis), *options), (0, 0)


def _sum_vmap(op, info, in_dims, x, axis, *options):
    return op(*_mapped(x, in_dims[0], axis), *options), 0


minima = _transforms.register(prefix_min, _setup_min, _min_backward, _min_vmap)
sums = _transforms.register(prefix_sum, _setup_sum, _sum_backward, _sum_vmap)
