# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Integers that are affine in their places, as positions are, in tensors whose
sizes are known only when the program runs. A mask that a model makes of positions,
through gathers and conditions that always hold, is then a comparison of row and
column."""

import operator
from dataclasses import dataclass

import torch

_INTEGERS = (torch.int64, torch.int32, torch.bool)


@dataclass(frozen=True)
class Affine:
    """constant + sum of slopes[d] * index d. Truth values are 0 and 1."""
    constant: int
    slopes: tuple

    @property
    def is_number(self):
        return not any(self.slopes)

    def plus(self, other, factor=1):
        """self + factor * other, broadcast from the right."""
        rank = max(len(self.slopes), len(other.slopes))
        a, b = ((0,) * (rank - len(x.slopes)) + x.slopes for x in (self, other))
        return Affine(self.constant + factor * other.constant,
                      tuple(x + factor * y for x, y in zip(a, b)))


def affine(node, known):
    """What a call's result holds, or None; `known` has what its arguments do, by
    their nodes."""
    value = node.meta.get("val")
    rule = _RULES.get(str(node.target))
    if rule is None or not isinstance(value, torch.Tensor) or \
            value.dtype not in _INTEGERS:
        return None

    def get(argument):
        if isinstance(argument, torch.fx.Node):
            return known.get(argument)
        return Affine(argument, ()) if type(argument) is int else None
    found = rule(node, get, value, *node.args)
    if found is None:
        return None
    if value.dtype == torch.bool and not (found.is_number
                                          and found.constant in (0, 1)):
        return None
    slopes = (0,) * (value.dim() - len(found.slopes)) + found.slopes
    # The one index of a dimension of size 1 is 0.
    return Affine(found.constant, tuple(
        0 if type(n) is int and n == 1 else slope
        for n, slope in zip(value.shape, slopes)))


_RULES = {}


def _rule(*names):
    def add(function):
        for name in names:
            _RULES[f"aten.{name}"] = function
        return function
    return add


@_rule("arange.default", "arange.start", "arange.start_step")
def _arange(node, get, value, *args):
    start, step = 0, 1
    if "start" in str(node.target):
        start, step = args[0], args[2] if len(args) > 2 else 1
    if type(start) is int and type(step) is int:
        return Affine(start, (step,))


@_rule("zeros.default", "new_zeros.default", "zeros_like.default")
def _zeros(node, get, value, *args):
    return Affine(0, ())


@_rule("ones.default", "new_ones.default", "ones_like.default")
def _ones(node, get, value, *args):
    return Affine(1, ())


@_rule("full.default", "new_full.default", "full_like.default")
def _full(node, get, value, shape, number, *args):
    if type(number) in (int, bool):
        return Affine(int(number), ())


@_rule("add.Tensor", "sub.Tensor")
def _sum(node, get, value, a, b):
    a, b = get(a), get(b)
    if a and b and not node.kwargs:
        return a.plus(b, -1 if "sub" in str(node.target) else 1)


@_rule("unsqueeze.default")
def _unsqueeze(node, get, value, x, dim):
    if found := get(x):
        at = dim % value.dim()
        return Affine(found.constant,
                      found.slopes[:at] + (0,) + found.slopes[at:])


@_rule("expand.default", "to.dtype", "to.dtype_layout", "to.device",
       "_to_copy.default", "clone.default", "contiguous.default")
def _same(node, get, value, x, *args):
    return get(x)


@_rule("slice.Tensor")
def _slice(node, get, value, x, dim=0, start=None, end=None, step=1):
    found, start = get(x), start or 0
    if found and type(start) is int and start >= 0 and step == 1:
        slope = found.slopes[dim % value.dim()]
        return Affine(found.constant + start * slope, found.slopes)


@_rule("diff.default")
def _difference(node, get, value, x, n=1, dim=-1, prepend=None, append=None):
    found, before = get(x), None if prepend is None else get(prepend)
    if n != 1 or append is not None or not found:
        return None
    slope = found.slopes[dim % value.dim()]
    if prepend is not None:
        # What comes before is what the sequence would have there.
        if not before or prepend.meta["val"].shape[dim] != 1:
            return None
        step = found.plus(before, -1)
        others = [s for d, s in enumerate(step.slopes)
                  if d != dim % value.dim()]
        if any(others) or step.constant != slope:
            return None
    return Affine(slope, ())


@_rule("cumsum.default")
def _cumulative(node, get, value, x, dim):
    found = get(x)
    if found and found.is_number:
        slopes = [0] * value.dim()
        slopes[dim] = found.constant
        return Affine(found.constant, tuple(slopes))


@_rule(*(f"{name}.{kind}" for name in ("eq", "ne", "lt", "le", "gt", "ge")
         for kind in ("Scalar", "Tensor")))
def _compare(node, get, value, a, b):
    a, b = get(a), get(b)
    distance = a and b and a.plus(b, -1)
    if distance and distance.is_number:
        compare = getattr(operator, str(node.target).split(".")[1])
        return Affine(int(compare(distance.constant, 0)), ())


@_rule("index.Tensor")
def _index(node, get, value, x, indices):
    found = get(x)
    at = [index is not None and index.meta["val"].dtype != torch.bool
          and get(index) for index in indices]
    # From the end count those below 0.
    if not found or len(at) != len(found.slopes) or not all(
            i and i.constant >= 0 and min(i.slopes, default=0) >= 0 for i in at):
        return None
    total = Affine(found.constant, ())
    for slope, i in zip(found.slopes, at):
        total = total.plus(i, slope)
    return total
