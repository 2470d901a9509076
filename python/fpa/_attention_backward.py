# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.attention_backward."""

from ._arrays import describe, flag, host_arrays, is_array, is_tensor
from ._attention_call import (Call, Inputs, attribute_text, check_operands,
                              check_options, check_type, float_array,
                              narrower)
from ._device import device_operands, is_on_device
from ._plans import Plans
from ._program import check_target


def attention_backward(q, k, v, field, level, o, lse, do, *, dlse=None,
                       scale=None, window=None, cu_seqlens=None, smooth=None,
                       prune_eps=0.0, return_counts=False, target=None):
    """Gradients of fpa.attention.

    Arguments (of the kinds that fpa.attention takes, any strides):

    - q, k, v, field, level, and scale, window, cu_seqlens, smooth: what was
      given to fpa.attention. level None means level = field; field None means
      plain causal softmax.
    - o [B, HQ, Lq, Dv] in q's type, lse [B, HQ, Lq] in float32 (float64 with a
      float64 q): what fpa.attention returned with return_lse=True. They are
      used as they are; nothing is computed again.
    - do [B, HQ, Lq, Dv] in q's type, dlse [B, HQ, Lq]: the gradients of a
      scalar with respect to o and lse. dlse None means 0; a narrower float type
      than lse's is widened.
    - prune_eps: from 0.0, exact, to below 1: keys whose weights exp(s - lse) are
      together at most this for a row may be taken for 0.
    - target: as in fpa.attention; float64 on the CPU only.

    Returns (dq, dk, dv, dfield, dlevel), each of the shape of its operand. dq,
    dk and dv are of q's type, dfield and dlevel float32 (float64 with a float64
    q) whatever the type of field and level. With return_counts, which is for
    arrays, not tensors, two int64 arrays of lse's shape follow: of the keys that
    a row sees, how many gave nothing to any gradient because their group of
    tiles was skipped, and how many because the walk of the row's keys ended
    early. Of prune_eps 0 both are 0.

    - level None: dfield is the gradient of both uses of the field, dlevel None.
    - field None: dfield and dlevel are None.

    The minimum of the field between a query and a key has its gradient at the
    last place where it stands. A key whose level is the minimum counts as not
    penalised. Keys and values, and fields of key heads, sum over the query heads
    that share them. A query that sees no key gives 0 to all.

    Raises TypeError for a wrong type and ValueError for a wrong shape or
    value; the message names the argument.
    """
    return_counts = flag("return_counts", return_counts)
    if is_tensor(q):
        if return_counts:
            raise ValueError("expected return_counts to be False where q is a "
                             "tensor, got True")
        from .torch import attention_backward as of_tensors
        return of_tensors(
            q, k, v, field, level, o, lse, do, dlse=dlse, scale=scale,
            window=window, cu_seqlens=cu_seqlens, smooth=smooth,
            prune_eps=prune_eps, target=target)
    if is_on_device(q):
        target, q, k, v, field, level, o, lse, do, dlse = device_operands(
            target, q=q, k=k, v=v, field=field, level=level, o=o, lse=lse,
            do=do, dlse=dlse)
    elif not is_array(q):
        q, k, v, field, level, o, lse, do, dlse = host_arrays(
            q=q, k=k, v=v, field=field, level=level, o=o, lse=lse, do=do,
            dlse=dlse)
    operands = (q, k, v, field, level)
    rows = (o, lse, do, dlse)
    options = (scale, window, cu_seqlens is not None, smooth, prune_eps,
               return_counts, target)
    key = Plans.key(operands + rows, options)
    plan = _plans.get(key) or _plans.add(key, _plan(operands, rows, *options))
    results = plan(operands, cu_seqlens, rows)
    count = len(results) - 2 * return_counts
    return results[:count] + (None,) * (5 - count) + results[count:]


_plans = Plans()


def _plan(operands, rows, scale, window, packed, smooth, prune_eps,
          return_counts, target):
    """Checks all that a call depends on but the boundaries of packed
    sequences."""
    element, wide = check_operands(*operands)
    options = check_options(scale, window, smooth, wide, prune_eps)
    q, _, v, field, level = operands
    check_rows(float_array, element, wide, narrower(wide), q, v, *rows)
    target = check_target(target)
    check_type(element, target, describe(q))
    text = module_text(element, wide, q.shape[3], v.shape[3],
                       field is not None, level is not None, packed,
                       rows[3] is not None, counts=return_counts, **options)
    return Call(text, target, operands, wide, rows[3], options["smooth"])


def module_text(element, wide, head_size, value_size, field, level, packed,
                lse_gradient, field_gradients=True, smooth=None, counts=False,
                **options):
    """The module that one call of attention_backward compiles. Without
    field_gradients it returns those of q, k and v alone. With counts skipped
    and ended come last."""
    inputs = Inputs(element, wide, head_size, value_size, field, level, packed,
                    smooth is not None)
    inputs.add("saved", ("o", inputs.value), ("lse", inputs.row))
    inputs.add("gradient", ("do", inputs.value))
    if lse_gradient:
        inputs.add("lse_gradient", ("dlse", inputs.row))
    results = [(inputs.query, "q"), (inputs.query, "k"), (inputs.value, "v")]
    if field and field_gradients:
        results.append((inputs.row, "field"))
    if level and field_gradients:
        results.append((inputs.row, "level"))
    if counts:
        results += [(inputs.tensor("?", "?", "?", of="i64"), "q")] * 2
    return inputs.function("attention_backward", results,
                           attribute_text(counts=counts, **options))


def check_rows(check, element, wide, gradient_types, q, v, o, lse, do, dlse):
    """Refuses what was saved and what is given for q's rows unless it has one
    value, or one number, for each. check(name, x, types) judges element types:
    those of q and lse, and the ones that dlse may have."""
    _check_rows(check, "o", o, (element,), q, v.shape[3])
    _check_rows(check, "lse", lse, (wide,), q)
    _check_rows(check, "do", do, (element,), q, v.shape[3])
    if dlse is not None:
        _check_rows(check, "dlse", dlse, gradient_types, q)


def _check_rows(check, name, x, types, q, value_size=None):
    check(name, x, types)
    dims = [("B", q.shape[0]), ("HQ", q.shape[1]), ("Lq", q.shape[2])]
    if value_size is not None:
        dims.append(("Dv", value_size))
    if tuple(x.shape) != tuple(size for _, size in dims):
        expected = ", ".join(f"{dim} = {size}" for dim, size in dims)
        raise ValueError(f"expected {name} of shape [{expected}], got shape "
                         f"{list(x.shape)}")
