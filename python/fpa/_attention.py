# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.attention."""

from . import _arrays
from ._arrays import is_tensor
from ._attention_call import (Call, Inputs, attribute_text, check_operands,
                              check_options, check_type)
from ._device import device_operands, is_on_device
from ._plans import Plans
from ._program import check_target


def attention(q, k, v, field, level=None, *, scale=None, window=None,
              cu_seqlens=None, return_lse=False, prune_eps=0.0, smooth=None,
              return_dropped=False, return_counts=False, target=None):
    """First passage attention: causal attention in which a key is penalised by
    the deepest dip of the field below its level since.

    With p_i = i + Lk - Lq and m(i,j) = min { field_t : j < t <= p_i }:

        s(i,j) = scale * <q_i, k_j> - max(0, level_j - m(i,j))   for j <= p_i
        o_i    = sum_j softmax_j(s(i,j)) * v_j

    Arguments (NumPy arrays, or what gives those by __dlpack__, or PyTorch tensors,
    one kind in a call, any strides):

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
    - prune_eps: from 0.0, exact, to below 1: keys may be left out that have
      together at most this share of a row's softmax mass; gradients then leave
      out as much.
    - target: "cpu", the default; "emulator", GPU kernels run and checked on the CPU;
      "cuda", the first GPU of this machine.

    Of tensors the results are differentiable with respect to q, k, v, field and
    level (once, and not in forward mode; numbers have no gradients), and known to torch.compile, torch.func and autocast (which leaves field
    and level in float32); help(fpa.torch). Tensors on a GPU run there, on
    PyTorch's current stream.

    fpa.DeviceArrays, and other libraries' arrays on a GPU that have
    __cuda_array_interface__, run where they are (target is theirs), row-major,
    field and level in the type of lse, and give DeviceArrays; NumPy arrays beside
    them are copied over.

    Returns the output [B, HQ, Lq, Dv] in q's type, and with return_lse also
    the log-sum-exp [B, HQ, Lq], float32 (float64 with a float64 q). A row that
    sees no key gives 0 and -inf. There follow

    - with return_dropped, of lse's shape and type: for each row an upper bound of
      the share of its softmax mass that was left out, at most prune_eps. Then
      |o - exact o| <= 2 dropped max |v|, up to rounding.
    - with return_counts two int64 arrays of that shape: of the keys that a row
      sees, how many lay in tiles that were skipped one by one, and how many were
      left out together because the walk ended early.

    Of prune_eps 0, the default, all three are 0.

    Raises TypeError for a wrong type and ValueError for a wrong shape or
    value; the message names the argument. Raises MemoryError where a call
    finds no memory.
    """
    if is_tensor(q):
        # From the module that has it: a package is asked for its names anew.
        from .torch._functional import attend
        return attend((q, k, v, field, level), cu_seqlens,
                      (scale, window, smooth, prune_eps, target, return_lse,
                       return_dropped, return_counts))
    if is_on_device(q):
        target, q, k, v, field, level = device_operands(
            target, q=q, k=k, v=v, field=field, level=level)
    elif not _arrays.is_array(q):
        q, k, v, field, level = _arrays.host_arrays(
            q=q, k=k, v=v, field=field, level=level)
    operands = (q, k, v, field, level)
    options = (scale, window, cu_seqlens is not None, return_lse, prune_eps,
               smooth, return_dropped, return_counts, target)
    key = Plans.key(operands, options)
    plan = _plans.get(key) or _plans.add(key, _plan(operands, *options))
    return plan(operands, cu_seqlens)


_plans = Plans()


def _plan(operands, scale, window, packed, return_lse, prune_eps, smooth,
          return_dropped, return_counts, target):
    """Checks all that a call depends on but the boundaries of packed
    sequences."""
    element, wide = check_operands(*operands)
    options = check_options(scale, window, smooth, wide, prune_eps)
    target = check_target(target)
    check_type(element, target, _arrays.describe(operands[0]))
    wanted = {name: _arrays.flag(f"return_{name}", flag) for name, flag in (
        ("lse", return_lse), ("dropped", return_dropped),
        ("counts", return_counts))}
    q, _, v, field, level = operands
    text = module_text(element, wide, q.shape[3], v.shape[3],
                       field is not None, level is not None, packed,
                       **wanted, **options)
    return Call(text, target, operands, wide, smooth=options["smooth"])


def module_text(element, wide, head_size, value_size, field, level, packed,
                lse, dropped=False, counts=False, smooth=None, **options):
    """The module that one call of attention compiles. The op has each of its
    results only with those before it; the function returns the ones wanted."""
    inputs = Inputs(element, wide, head_size, value_size, field, level, packed,
                    smooth is not None)
    number = inputs.tensor("?", "?", "?", of="i64")
    outs = [(inputs.value, True), (inputs.row, lse), (inputs.row, dropped),
            (number, counts), (number, counts)]
    while not outs[-1][1]:
        outs.pop()
    return inputs.function(
        "attention", [(type, "q") for type, _ in outs],
        attribute_text(pruned=len(outs) > 2, **options),
        returned=[n for n, (_, wanted) in enumerate(outs) if wanted])
