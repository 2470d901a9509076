# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.attention."""

import numpy as np

from . import _arrays
from ._program import cached, check_target

_INT64_MAX = 2**63 - 1


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
    value; the message names the argument.
    """
    element, wide, arrays = _operands(q, k, v, field, level)
    options = {
        "scale": _arrays.real("scale", scale),
        "window": None if window is None else _arrays.integer(
            "window", window, 1, _INT64_MAX),
        "smooth": _arrays.real("smooth", smooth, positive=True),
    }
    if _arrays.real("prune_eps", prune_eps) != 0:
        raise ValueError(f"expected prune_eps to be 0, got {prune_eps}: "
                         f"pruning is not built in this version")
    target = check_target(target)
    packed = cu_seqlens is not None
    if packed:
        arrays += _boundaries(cu_seqlens, q, k)
    text = module_text(element, wide, q.shape[3], v.shape[3],
                       field is not None, level is not None, packed,
                       bool(return_lse), **options)
    return cached(text, "main", target)(*arrays)


def module_text(element, wide, head_size, value_size, field, level, packed,
                lse, scale=None, window=None, smooth=None):
    """The module that one call of attention compiles; batch, heads and lengths
    are left open, so that it serves all of them."""
    def tensor(*sizes, of=element):
        return f"tensor<{'x'.join(map(str, sizes))}x{of}>"

    query = tensor("?", "?", "?", head_size)
    value = tensor("?", "?", "?", value_size)
    row = tensor("?", "?", "?", of=wide)
    bounds = tensor("?", of="i64")
    arguments = [("q", query), ("k", query), ("v", value)]
    clauses = []
    if field:
        arguments.append(("field", row))
        clauses.append(f"field(%field : {row})")
    if level:
        arguments.append(("level", row))
        clauses.append(f"level(%level : {row})")
    if packed:
        arguments += [("cu_q", bounds), ("cu_k", bounds)]
        clauses.append(f"cu_seqlens(%cu_q, %cu_k : {bounds}, {bounds})")
    results = [value, row] if lse else [value]
    inits = ["%o_init", "%lse_init"][:len(results)]
    attributes = [f"{name} = {number}" for name, number in (
        ("scale", None if scale is None else f"{scale:.17e} : f64"),
        ("window", None if window is None else f"{window} : i64"),
        ("smooth", None if smooth is None else f"{smooth:.17e} : f64"),
    ) if number is not None]

    lines = [
        f"func.func @main({', '.join(f'%{n}: {t}' for n, t in arguments)})"
        f" -> ({', '.join(results)}) {{",
        "  %c0 = arith.constant 0 : index",
        "  %c1 = arith.constant 1 : index",
        "  %c2 = arith.constant 2 : index",
        f"  %batch = tensor.dim %q, %c0 : {query}",
        f"  %heads = tensor.dim %q, %c1 : {query}",
        f"  %length = tensor.dim %q, %c2 : {query}",
        *(f"  {name} = tensor.empty(%batch, %heads, %length) : {type}"
          for name, type in zip(inits, results)),
        f"  %r:{len(results)} = fpa.attention",
        f"    ins(%q, %k, %v : {query}, {query}, {value})",
        *(f"    {clause}" for clause in clauses),
        f"    outs({', '.join(inits)} : {', '.join(results)})",
        f"    {{{', '.join(attributes)}}} -> {', '.join(results)}",
        f"  return {', '.join(f'%r#{i}' for i in range(len(results)))} : "
        f"{', '.join(results)}",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _operands(q, k, v, field, level):
    """Element types of q and of the field, and the arrays to call with."""
    element = _arrays.float_array("q", q)
    for name, x in (("k", k), ("v", v)):
        _arrays.float_array(name, x, (element,))
    _arrays.has_rank("q", q, "B HQ Lq D")
    _arrays.has_rank("k", k, "B HK Lk D")
    _arrays.has_rank("v", v, "B HK Lk Dv")
    batch, q_heads, _, head_size = q.shape
    _, k_heads, k_length, _ = k.shape
    if k.shape[0] != batch or k.shape[3] != head_size:
        raise ValueError(
            f"expected k of shape [B = {batch}, HK, Lk, D = {head_size}] to "
            f"match q, got shape {list(k.shape)}")
    if v.shape[:3] != k.shape[:3]:
        raise ValueError(
            f"expected v of shape [B = {batch}, HK = {k_heads}, Lk = {k_length}"
            f", Dv] to match k, got shape {list(v.shape)}")
    if k_heads == 0 or q_heads % k_heads:
        raise ValueError(f"expected q's heads to be a multiple of k's, got "
                         f"{q_heads} and {k_heads}")
    if head_size == 0 or v.shape[3] == 0:
        raise ValueError(f"expected head sizes of at least 1, got "
                         f"{head_size} and {v.shape[3]}")

    wide = "f64" if element == "f64" else "f32"
    arrays = [q, k, v]
    if field is None and level is not None:
        raise ValueError("expected a field to go with level, got None")
    for name, x in (("field", field), ("level", level)):
        if x is not None:
            arrays.append(_field(name, x, wide, q, k))
    if level is not None and field.shape != level.shape:
        raise ValueError(f"expected level of field's shape "
                         f"{list(field.shape)}, got shape {list(level.shape)}")
    return element, wide, arrays


def _field(name, x, wide, q, k):
    types = ("f16", "bf16", "f32", "f64")
    _arrays.float_array(name, x, types[:types.index(wide) + 1])
    _arrays.has_rank(name, x, "B H Lk")
    batch, heads, length = x.shape
    if batch != k.shape[0] or length != k.shape[2] or \
            heads not in (k.shape[1], q.shape[1]):
        raise ValueError(
            f"expected {name} of shape [B = {k.shape[0]}, HK = {k.shape[1]} or "
            f"HQ = {q.shape[1]}, Lk = {k.shape[2]}], got shape {list(x.shape)}")
    return _arrays.widened(x, wide)


def _boundaries(cu_seqlens, q, k):
    """cu_seqlens for queries and for keys, as int64 arrays."""
    if q.shape[0] != 1:
        raise ValueError(
            f"expected q of batch size 1 with cu_seqlens, got {q.shape[0]}")
    pair = isinstance(cu_seqlens, (tuple, list)) and len(cu_seqlens) == 2 \
        and np.ndim(cu_seqlens[0]) == 1
    sides = cu_seqlens if pair else (cu_seqlens, cu_seqlens)
    arrays = []
    for name, side, length in zip("qk", sides, (q.shape[2], k.shape[2])):
        bounds = np.asarray(side)
        if bounds.dtype.kind not in "iu":
            raise TypeError(f"expected cu_seqlens to be integers, "
                            f"got {_arrays.describe(bounds)}")
        bounds = bounds.astype(np.int64)
        if bounds.ndim != 1 or bounds.size < 2:
            raise ValueError(f"expected cu_seqlens of shape [N + 1], got shape "
                             f"{list(bounds.shape)}")
        if bounds[0] != 0 or bounds[-1] != length or (np.diff(bounds) < 0).any():
            raise ValueError(
                f"expected cu_seqlens for {name} to rise from 0 to {length}, "
                f"got {bounds[:8].tolist()}{' ...' if bounds.size > 8 else ''}")
        arrays.append(bounds)
    if arrays[0].size != arrays[1].size:
        raise ValueError(
            f"expected cu_seqlens for q and k of one length, got "
            f"{arrays[0].size} and {arrays[1].size}")
    return arrays
