# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa's functions on tensors; help(fpa.attention) and so on say what they do."""

import torch

from .. import _arrays, _prefix
from .._attention_call import check_options, narrower
from .._plans import Plans
from . import _gradients, _prefix_ops
from ._autocast import cast, is_on
from ._direct import is_direct
from ._ops import plan_of
from ._tensors import describe, dtype_of, float_tensor, same_device, target_for

_FLOATS = ("f16", "bf16", "f32", "f64")


def attention(q, k, v, field, level=None, *, scale=None, window=None,
              cu_seqlens=None, return_lse=False, prune_eps=0.0, smooth=None,
              return_dropped=False, return_counts=False, target=None):
    """fpa.attention on tensors; differentiable, also with respect to lse."""
    return attend((q, k, v, field, level), cu_seqlens,
                  (scale, window, smooth, prune_eps, target, return_lse,
                   return_dropped, return_counts))


def attend(operands, cu_seqlens, options):
    """The same of all arguments, by position."""
    if cu_seqlens is None and is_direct(operands):
        key = Plans.key(operands, options)
        call = _direct_calls.get(key) or _direct_calls.add(
            key, _DirectCall(operands, *options))
        return call(operands)
    q, k, v, field, level = operands
    if torch.compiler.is_compiling() or torch._C._is_any_autocast_enabled():
        plan = _plan(operands, *options)
        # A function of torch.func saves what goes into the op, so that its rule
        # for autocast would be too late.
        q, k, v = cast(q.device.type, q, k, v)
    else:
        key = _key(operands, options)
        plan = _plans.get(key) or _plans.add(key, _plan(operands, *options))
    wide, numbers, wanted = plan
    if field is not None and field.dtype != wide:
        field = field.to(wide)
    if level is not None and level.dtype != wide:
        level = level.to(wide)
    bounds = (None, None) if cu_seqlens is None else _bounds(q, cu_seqlens)
    if not (wanted[2] or wanted[3]):
        o, lse = _gradients.attention(q, k, v, field, level, *bounds, *numbers)
        return (o, lse) if wanted[1] else o
    results = _gradients.attention_dropped(q, k, v, field, level, *bounds,
                                           *numbers, wanted[3])
    return tuple(x for x, is_wanted in zip(results, wanted) if is_wanted)


_plans, _direct_calls = Plans(), Plans()


class _DirectCall:
    """What becomes of operands of some types and shapes, and of options, where
    they need not go through the op."""

    def __init__(self, operands, *options):
        wide, numbers, wanted = _plan(operands, *options)
        self._widens = [wide if n > 2 and x is not None and x.dtype != wide
                        else None for n, x in enumerate(operands)]
        if not any(self._widens):
            self._widens = None
        extra = {"dropped": True, "counts": wanted[3]} \
            if wanted[2] or wanted[3] else {}
        self._plan = plan_of(self._operands(operands), *numbers, **extra)
        self._wanted = [n for n, is_wanted in enumerate(wanted) if is_wanted]

    def __call__(self, operands):
        results = self._plan.run(self._operands(operands), wanted=self._wanted)
        return results if len(results) > 1 else results[0]

    def _operands(self, operands):
        """With boundaries, of which there are none."""
        if self._widens is not None:
            operands = [x if dtype is None else x.to(dtype)
                        for x, dtype in zip(operands, self._widens)]
        return *operands, None, None


def _key(operands, options):
    """What a plan depends on: shapes are for the op to judge. None where one of
    the operands is no tensor."""
    try:
        return (options, *map(type, options), operands[0].device,
                *[x if x is None else (x.dtype, x.layout) for x in operands])
    except AttributeError:
        return None


def _plan(operands, scale, window, smooth, prune_eps, target, lse, dropped,
          counts):
    """The type of field and level, the numbers that the op takes, and which of
    its results are wanted."""
    q, k, v, field, level = operands
    element = float_tensor("q", q)
    target = target_for("q", q, target)
    wide = "f64" if element == "f64" else "f32"
    options = check_options(scale, window, smooth, wide, prune_eps)
    lse, dropped, counts = (_arrays.flag(name, x) for name, x in (
        ("return_lse", lse), ("return_dropped", dropped),
        ("return_counts", counts)))
    # Autocast brings q, k and v to one type.
    types = _FLOATS if is_on(q.device.type) else (element,)
    for name, x in (("k", k), ("v", v)):
        float_tensor(name, x, types)
    for name, x in (("field", field), ("level", level)):
        if x is not None:
            float_tensor(name, x, narrower(wide))
    numbers = (options["scale"], options["window"], options["smooth"], target,
               options["prune_eps"])
    return dtype_of(wide), numbers, (True, lse, dropped, counts, counts)


def attention_backward(q, k, v, field, level, o, lse, do, *, dlse=None,
                       scale=None, window=None, cu_seqlens=None, smooth=None,
                       prune_eps=0.0, target=None):
    """fpa.attention_backward on tensors."""
    element = float_tensor("q", q)
    target = target_for("q", q, target)
    wide = "f64" if element == "f64" else "f32"
    options = check_options(scale, window, smooth, wide, prune_eps)
    for name, x in (("k", k), ("v", v), ("o", o), ("do", do)):
        float_tensor(name, x, (element,))
    float_tensor("lse", lse, (wide,))
    *gradients, dfield, dlevel = _gradients.attention_backward(
        q, k, v, _widened("field", field, wide), _widened("level", level, wide),
        o, lse, do, _widened("dlse", dlse, wide), *_bounds(q, cu_seqlens),
        options["scale"], options["window"], options["smooth"], True,
        target, options["prune_eps"])
    return (*gradients, None if field is None else dfield,
            None if level is None else dlevel)


def prefix_min(x, axis=-1, reverse=False, exclusive=False, return_index=False,
               *, target=None):
    """fpa.prefix_min on a tensor; a minimum's gradient goes to where it is."""
    value, index = _prefix_ops.minima(
        x, *_scan_options("prefix_min", x, axis, reverse, exclusive, target))
    return (value, index) if _arrays.flag("return_index", return_index) \
        else value


def prefix_sum(x, axis=-1, reverse=False, exclusive=False, *, target=None):
    """fpa.prefix_sum on a tensor, differentiable."""
    return _prefix_ops.sums(
        x, *_scan_options("prefix_sum", x, axis, reverse, exclusive, target))


def _scan_options(op, x, axis, reverse, exclusive, target):
    float_tensor("x", x, _prefix.TYPES[op])
    target = target_for("x", x, target)
    return (_prefix.check_axis(x, axis), _arrays.flag("reverse", reverse),
            _arrays.flag("exclusive", exclusive), target)


def _widened(name, x, wide):
    """The same values in the type of lse."""
    if x is None or float_tensor(name, x, narrower(wide)) == wide:
        return x
    return x.to(dtype_of(wide))


def _bounds(q, cu_seqlens):
    """cu_seqlens for queries and for keys as tensors, or None twice. The op
    checks them."""
    if cu_seqlens is None:
        return None, None
    pair = (isinstance(cu_seqlens, (tuple, list)) and len(cu_seqlens) == 2
            and (isinstance(cu_seqlens[0], (tuple, list))
                 or getattr(cu_seqlens[0], "ndim", 0) == 1))
    sides = cu_seqlens if pair else (cu_seqlens, cu_seqlens)
    try:
        bounds = tuple(torch.as_tensor(side) for side in sides)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"expected cu_seqlens to be integers, got "
                        f"{describe(cu_seqlens)}") from None
    for side in bounds:
        if side.is_meta:
            same_device(q, cu_seqlens=side)
    return bounds
