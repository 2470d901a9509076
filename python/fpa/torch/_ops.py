# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ops fpa::attention and fpa::attention_backward: what they are, what they
compute, and what shapes they return. The target of tensors on a GPU is that GPU."""

from typing import Optional, Tuple

import torch
from torch import Tensor
# In a signature a Scalar: the dispatcher takes a tensor for a float, whether it
# wants a gradient or not, but not for a Scalar.
from torch.types import Number

from .. import _attention, _attention_backward, _shapes
from .._attention_call import check_options, check_type
from .._plans import Plans
from .._program import cached, sizes_of
from ._library import fake, op
from ._tensors import (describe, dtype_of, float_tensor, run, same_device,
                       target_for)

_plans = Plans()


@op
def attention(q: Tensor, k: Tensor, v: Tensor, field: Optional[Tensor] = None,
              level: Optional[Tensor] = None, cu_q: Optional[Tensor] = None,
              cu_k: Optional[Tensor] = None, scale: Optional[Number] = None,
              window: Optional[int] = None, smooth: Optional[Number] = None,
              target: str = "cpu",
              prune_eps: Number = 0.0) -> Tuple[Tensor, Tensor]:
    """Output [B, HQ, Lq, Dv] and log-sum-exp [B, HQ, Lq] of fpa.attention.
    field and level are of lse's type; cu_q and cu_k bound packed sequences."""
    operands = (q, k, v, field, level, cu_q, cu_k)
    options = ("attention", scale, window, smooth, target, prune_eps)
    key = Plans.key(operands, options, q.device)
    plan = _plans.get(key) or _plans.add(key, plan_of(operands, *options[1:]))
    return plan.run(operands)


@op
def attention_dropped(
        q: Tensor, k: Tensor, v: Tensor, field: Optional[Tensor] = None,
        level: Optional[Tensor] = None, cu_q: Optional[Tensor] = None,
        cu_k: Optional[Tensor] = None, scale: Optional[Number] = None,
        window: Optional[int] = None, smooth: Optional[Number] = None,
        target: str = "cpu", prune_eps: Number = 0.0, counts: bool = False
) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """What attention returns, the share of each row that was left out, and with
    `counts` of how many keys; the counts have no elements without it."""
    operands = (q, k, v, field, level, cu_q, cu_k)
    options = ("attention_dropped", scale, window, smooth, target, prune_eps,
               counts)
    key = Plans.key(operands, options, q.device)
    plan = _plans.get(key) or _plans.add(
        key, plan_of(operands, *options[1:6], dropped=True, counts=counts))
    results = plan.run(operands)
    return results + tuple([q.new_empty(0, dtype=torch.int64)
                            for _ in range(5 - len(results))])


@fake(attention)
def _(q, k, v, field=None, level=None, cu_q=None, cu_k=None, scale=None,
      window=None, smooth=None, target="cpu", prune_eps=0.0):
    _, wide = _check(target, q, k, v, field, level, cu_q, cu_k)
    check_options(scale, None, smooth, wide, prune_eps)
    return (q.new_empty((*q.shape[:3], v.shape[3])),
            q.new_empty(q.shape[:3], dtype=dtype_of(wide)))


@fake(attention_dropped)
def _(q, k, v, field=None, level=None, cu_q=None, cu_k=None, scale=None,
      window=None, smooth=None, target="cpu", prune_eps=0.0, counts=False):
    _, wide = _check(target, q, k, v, field, level, cu_q, cu_k)
    check_options(scale, None, smooth, wide, prune_eps)
    rows = q.shape[:3]
    return (q.new_empty((*rows, v.shape[3])),
            *[q.new_empty(rows, dtype=dtype_of(wide)) for _ in range(2)],
            *[q.new_empty(rows if counts else 0, dtype=torch.int64)
              for _ in range(2)])


@op
def attention_backward(
        q: Tensor, k: Tensor, v: Tensor, field: Optional[Tensor],
        level: Optional[Tensor], o: Tensor, lse: Tensor, do: Tensor,
        dlse: Optional[Tensor] = None, cu_q: Optional[Tensor] = None,
        cu_k: Optional[Tensor] = None, scale: Optional[Number] = None,
        window: Optional[int] = None, smooth: Optional[Number] = None,
        field_gradients: bool = True, target: str = "cpu",
        prune_eps: Number = 0.0
) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """Gradients of q, k, v, field and level; those that are not there or not
    asked for have no elements."""
    operands = (q, k, v, field, level, cu_q, cu_k)
    rows = (o, lse, do, dlse)
    options = ("attention_backward", scale, window, smooth, field_gradients,
               target, prune_eps)
    key = Plans.key(operands + rows, options, q.device)
    plan = _plans.get(key) or _plans.add(
        key, _backward_plan(operands, rows, *options[1:]))
    results = plan.run(operands, rows)
    return results + tuple([lse.new_empty(0)
                            for _ in range(5 - len(results))])


@fake(attention_backward)
def _(q, k, v, field, level, o, lse, do, dlse=None, cu_q=None, cu_k=None,
      scale=None, window=None, smooth=None, field_gradients=True,
      target="cpu", prune_eps=0.0):
    _check(target, q, k, v, field, level, cu_q, cu_k)
    # One tensor without memory is enough to come here.
    same_device(q, o=o, lse=lse, do=do, dlse=dlse)
    fields = [x if field_gradients else None for x in (field, level)]
    return (*[x.new_empty(x.shape) for x in (q, k, v)],
            *[lse.new_empty(0 if x is None else x.shape) for x in fields])


class _Plan:
    """The program for operands of some types and shapes, and what else it takes."""

    def __init__(self, program, beta):
        self._program, self._beta, self._sizes = program, beta, None

    def run(self, operands, rows=(), wanted=None):
        """The results whose numbers are wanted, by default all."""
        tensors = _tensors(operands, self._beta, rows)
        if self._sizes is None:
            self._sizes = sizes_of(tensors)
        return run(cached(*self._program), tensors, self._sizes, wanted)


def _tensors(operands, beta, rows=()):
    """The arguments of the program, boundaries of sequences checked."""
    q, k, v, field, level, cu_q, cu_k = operands
    tensors = [q, k, v, *[x for x in (field, level) if x is not None]]
    if cu_q is not None:
        # They are read here: those of a GPU are waited for.
        bounds = _shapes.boundaries(_shapes.Sides((
            cu_q.numpy(force=True), cu_k.numpy(force=True))), q, k)
        tensors += [torch.from_numpy(x).to(q.device) for x in bounds]
    return tensors + beta + [x for x in rows if x is not None]


def _check(target, q, k, v, field, level, cu_q, cu_k):
    """Refuses operands that do not go together, or not on the target; element
    types of q and lse."""
    element = float_tensor("q", q)
    check_type(element, _target(q, target), describe(q))
    for name, x in (("k", k), ("v", v)):
        float_tensor(name, x, (element,))
    wide = "f64" if element == "f64" else "f32"
    for name, x in (("field", field), ("level", level)):
        if x is not None:
            float_tensor(name, x, (wide,))
    same_device(q, k=k, v=v, field=field, level=level)
    for name, x in (("cu_q", cu_q), ("cu_k", cu_k)):
        # Boundaries may be in the CPU's memory for a GPU, but somewhere.
        if x is not None and x.device.type == "meta":
            same_device(q, **{name: x})
    _shapes.check_operands(q, k, v, field, level)
    if (cu_q is None) != (cu_k is None):
        raise ValueError("expected cu_q and cu_k together, got one of them")
    return element, wide


def plan_of(operands, scale, window, smooth, target, prune_eps, **wanted):
    """The plan of a forward call."""
    element, wide = _check(target, *operands)
    q, _, v, field, level, cu_q, _ = operands
    options = check_options(scale, window, smooth, wide, prune_eps)
    text = _attention.module_text(
        element, wide, q.shape[3], v.shape[3], field is not None,
        level is not None, cu_q is not None, True, **wanted, **options)
    return _Plan((text, "main", _target(q, target)), _beta(options, wide, q))


def _backward_plan(operands, rows, scale, window, smooth, field_gradients,
                   target, prune_eps):
    element, wide = _check(target, *operands)
    q, _, v, field, level, cu_q, _ = operands
    same_device(q, **dict(zip(("o", "lse", "do", "dlse"), rows)))
    _attention_backward.check_rows(float_tensor, element, wide, (wide,), q, v,
                                   *rows)
    options = check_options(scale, window, smooth, wide, prune_eps)
    text = _attention_backward.module_text(
        element, wide, q.shape[3], v.shape[3], field is not None,
        level is not None, cu_q is not None, rows[3] is not None,
        field_gradients, **options)
    target = _target(q, target)
    return _Plan((text, "main", target), _beta(options, wide, q))


def _target(q, target):
    # The default of the op is no wish for a CPU.
    return target_for("q", q, None if target == "cpu" else target)


def _beta(options, wide, q):
    """Beta as the program takes it. On a GPU it is filled in there, since a copy
    would wait."""
    smooth = options["smooth"]
    return [] if smooth is None else [
        torch.full((), smooth, dtype=dtype_of(wide), device=q.device)]
