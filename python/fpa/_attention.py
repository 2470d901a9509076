# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.attention."""

from . import _arrays, _shapes
from ._attention_call import (Inputs, attribute_text, check_operands,
                              check_options)
from ._program import cached, check_target


def attention(q, k, v, field, level=None, *, scale=None, window=None,
              cu_seqlens=None, return_lse=False, prune_eps=0.0, smooth=None,
              target=None):
    """First passage attention: causal attention in which a key is penalised by
    the deepest dip of the field below its level since.

    With p_i = i + Lk - Lq and m(i,j) = min { field_t : j < t <= p_i }:

        s(i,j) = scale * <q_i, k_j> - max(0, level_j - m(i,j))   for j <= p_i
        o_i    = sum_j softmax_j(s(i,j)) * v_j

    Arguments (NumPy arrays with any strides):

    - q [B, HQ, Lq, D], k [B, HK, Lk, D], v [B, HK, Lk, Dv]: one of float16,
      bfloat16 (of ml_dtypes, or its bits as "V2"), float32, float64; HQ is a
      multiple of HK.
    - field, level [B, HK or HQ, Lk], in units of logits: float32 (float64 with
      a float64 q); narrower floats are widened. level None means level = field;
      field None means plain causal softmax.
    - scale: of the products; 1 / sqrt(D) by default.
    - window: only the last `window` keys up to a query's own are seen.
    - cu_seqlens: integers [N + 1] from 0 to L that pack N sequences along L
      (B = 1), for queries and keys alike, or a pair of them, (queries, keys).
    - smooth: beta > 0 replaces the penalty by softplus(beta z) / beta, with
      z = level_j - m(i,j); in units of 1 / logit.
    - prune_eps: 0.0, exact; pruning is not built in this version.
    - target: "cpu", the default; "emulator", GPU kernels run and checked on the CPU;
      "cuda", the first GPU of this machine.

    Returns the output [B, HQ, Lq, Dv] in q's type, and with return_lse also
    the log-sum-exp [B, HQ, Lq], float32 (float64 with a float64 q). A row that
    sees no key gives 0 and -inf.

    Raises TypeError for a wrong type and ValueError for a wrong shape or
    value; the message names the argument. Raises MemoryError where a call
    finds no memory.
    """
    element, wide, arrays = check_operands(q, k, v, field, level)
    options = check_options(scale, window, smooth, wide)
    if _arrays.real("prune_eps", prune_eps) != 0:
        raise ValueError(f"expected prune_eps to be 0, got {prune_eps}: "
                         f"pruning is not built in this version")
    target = check_target(target)
    return_lse = _arrays.flag("return_lse", return_lse)
    packed = cu_seqlens is not None
    if packed:
        arrays += _shapes.boundaries(cu_seqlens, q, k)
    text = module_text(element, wide, q.shape[3], v.shape[3],
                       field is not None, level is not None, packed,
                       return_lse, **options)
    return cached(text, "main", target)(*arrays)


def module_text(element, wide, head_size, value_size, field, level, packed,
                lse, **options):
    """The module that one call of attention compiles."""
    inputs = Inputs(element, wide, head_size, value_size, field, level, packed)
    results = [(inputs.value, "q"), (inputs.row, "q")][:2 if lse else 1]
    return inputs.function("attention", results, attribute_text(**options))
