# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks that the shapes of attention's arguments go together."""

import numpy as np

from . import _arrays


def check_operands(q, k, v, field, level):
    """Refuses arrays whose shapes do not make an attention; field and level may
    be None."""
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
    if field is None and level is not None:
        raise ValueError("expected a field to go with level, got None")
    for name, x in (("field", field), ("level", level)):
        if x is not None:
            _check_field(name, x, q, k)
    if level is not None and field.shape != level.shape:
        raise ValueError(f"expected level of field's shape "
                         f"{list(field.shape)}, got shape {list(level.shape)}")


def _check_field(name, x, q, k):
    _arrays.has_rank(name, x, "B H Lk")
    batch, heads, length = x.shape
    if batch != k.shape[0] or length != k.shape[2] or \
            heads not in (k.shape[1], q.shape[1]):
        raise ValueError(
            f"expected {name} of shape [B = {k.shape[0]}, HK = {k.shape[1]} or "
            f"HQ = {q.shape[1]}, Lk = {k.shape[2]}], got shape {list(x.shape)}")


class Sides(tuple):
    """cu_seqlens known to be a pair, whatever their shapes are."""


def boundaries(cu_seqlens, q, k, least=1):
    """cu_seqlens for queries and for keys, as int64 arrays, of at least `least`
    sequences."""
    if q.shape[0] != 1:
        raise ValueError(
            f"expected q of batch size 1 with cu_seqlens, got {q.shape[0]}")
    pair = isinstance(cu_seqlens, (tuple, list)) and len(cu_seqlens) == 2 \
        and (isinstance(cu_seqlens, Sides) or np.ndim(cu_seqlens[0]) == 1)
    sides = cu_seqlens if pair else (cu_seqlens, cu_seqlens)
    arrays = []
    for name, side, length in zip("qk", sides, (q.shape[2], k.shape[2])):
        bounds = np.asarray(side)
        # An empty list has no type of its own.
        if bounds.ndim != 1 or bounds.size <= least:
            raise ValueError(f"expected cu_seqlens of shape [N + 1], N at least "
                             f"{least}, got shape {list(bounds.shape)}")
        if bounds.dtype.kind not in "iu":
            raise TypeError(f"expected cu_seqlens to be integers, "
                            f"got {_arrays.describe(bounds)}")
        bounds = bounds.astype(np.int64)
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
