# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.attention_backward."""

from . import _arrays, _shapes
from ._attention_call import (Inputs, attribute_text, check_operands,
                              check_options, narrower)
from ._program import cached, check_target


def attention_backward(q, k, v, field, level, o, lse, do, *, dlse=None,
                       scale=None, window=None, cu_seqlens=None, smooth=None,
                       target=None):
    """Gradients of fpa.attention.

    Arguments (NumPy arrays with any strides):

    - q, k, v, field, level, and scale, window, cu_seqlens, smooth: what was
      given to fpa.attention. level None means level = field; field None means
      plain causal softmax.
    - o [B, HQ, Lq, Dv] in q's type, lse [B, HQ, Lq] in float32 (float64 with a
      float64 q): what fpa.attention returned with return_lse=True. They are
      used as they are; nothing is computed again.
    - do [B, HQ, Lq, Dv] in q's type, dlse [B, HQ, Lq]: the gradients of a
      scalar with respect to o and lse. dlse None means 0; a narrower float type
      than lse's is widened.
    - target: as in fpa.attention; float64 on the CPU only.

    Returns (dq, dk, dv, dfield, dlevel), each of the shape of its operand. dq,
    dk and dv are of q's type, dfield and dlevel float32 (float64 with a float64
    q) whatever the type of field and level.

    - level None: dfield is the gradient of both uses of the field, dlevel None.
    - field None: dfield and dlevel are None.

    The minimum of the field between a query and a key has its gradient at the
    last place where it stands. A key whose level is the minimum counts as not
    penalised. Keys and values, and fields of key heads, sum over the query heads
    that share them. A query that sees no key gives 0 to all.

    Raises TypeError for a wrong type and ValueError for a wrong shape or
    value; the message names the argument.
    """
    element, wide, arrays = check_operands(q, k, v, field, level)
    options = check_options(scale, window, smooth, wide)
    packed = cu_seqlens is not None
    if packed:
        arrays += _shapes.boundaries(cu_seqlens, q, k)
    _check_rows("o", o, (element,), q, v.shape[3])
    _check_rows("lse", lse, (wide,), q)
    _check_rows("do", do, (element,), q, v.shape[3])
    arrays += [o, lse, do]
    if dlse is not None:
        _check_rows("dlse", dlse, narrower(wide), q)
        arrays.append(_arrays.widened(dlse, wide))
    target = check_target(target)
    text = module_text(element, wide, q.shape[3], v.shape[3],
                       field is not None, level is not None, packed,
                       dlse is not None, **options)
    results = cached(text, "main", target)(*arrays)
    return results + (None,) * (5 - len(results))


def module_text(element, wide, head_size, value_size, field, level, packed,
                lse_gradient, **options):
    """The module that one call of attention_backward compiles."""
    inputs = Inputs(element, wide, head_size, value_size, field, level, packed)
    inputs.add("saved", ("o", inputs.value), ("lse", inputs.row))
    inputs.add("gradient", ("do", inputs.value))
    if lse_gradient:
        inputs.add("lse_gradient", ("dlse", inputs.row))
    results = [(inputs.query, "q"), (inputs.query, "k"), (inputs.value, "v")]
    if field:
        results.append((inputs.row, "field"))
    if level:
        results.append((inputs.row, "level"))
    return inputs.function("attention_backward", results,
                           attribute_text(**options))


def _check_rows(name, x, types, q, value_size=None):
    """Refuses x unless it has one number, or one value, for each row of q."""
    _arrays.float_array(name, x, types)
    dims = [("B", q.shape[0]), ("HQ", q.shape[1]), ("Lq", q.shape[2])]
    if value_size is not None:
        dims.append(("Dv", value_size))
    if x.shape != tuple(size for _, size in dims):
        expected = ", ".join(f"{dim} = {size}" for dim, size in dims)
        raise ValueError(f"expected {name} of shape [{expected}], got shape "
                         f"{list(x.shape)}")
