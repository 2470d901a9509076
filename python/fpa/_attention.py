# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.attention."""

from . import _arrays, _shapes
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
        arrays += _shapes.boundaries(cu_seqlens, q, k)
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
    wide = "f64" if element == "f64" else "f32"
    arrays = [q, k, v]
    types = ("f16", "bf16", "f32", "f64")
    for name, x in (("field", field), ("level", level)):
        if x is not None:
            _arrays.float_array(name, x, types[:types.index(wide) + 1])
            arrays.append(_arrays.widened(x, wide))
    _shapes.check_operands(q, k, v, field, level)
    return element, wide, arrays
