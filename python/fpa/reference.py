# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The meaning of the package's functions, in plain NumPy and float64.

Written from the definition alone, row by row, to be read and to be compared
with. Nothing here is fast.
"""

import numpy as np

from . import _shapes

_LARGEST = float(np.finfo(np.float32).max)


def attention(q, k, v, field=None, level=None, *, scale=None, window=None,
              cu_seqlens=None, smooth=None):
    """First passage attention.

    Shapes: q [B, HQ, Lq, D], k [B, HK, Lk, D], v [B, HK, Lk, Dv], field and
    level [B, HK or HQ, Lk]; HQ is a multiple of HK. No field: plain causal
    softmax. No level: level = field.

    cu_seqlens packs sequences along L (B = 1): either one list of N + 1
    boundaries for queries and keys alike, or a pair of such lists.

    Returns the output [B, HQ, Lq, Dv] and the log-sum-exp [B, HQ, Lq], float64.
    Wrong shapes are a ValueError, as with fpa.attention.
    """
    q, k, v, field, level, scale = _operands(q, k, v, field, level, scale)
    batch, heads, q_length, _ = q.shape
    if level is None:
        level = field

    output = np.zeros((batch, heads, q_length, v.shape[3]))
    lse = np.full((batch, heads, q_length), -np.inf)
    for q_begin, q_end, k_begin, k_end in _sequences(q, k, cu_seqlens):
        for b in range(batch):
            for h in range(heads):
                kv = h * k.shape[1] // heads
                keys, values = k[b, kv, k_begin:k_end], v[b, kv, k_begin:k_end]
                phi = ell = None
                if field is not None:
                    phi = field[b, h * field.shape[1] // heads, k_begin:k_end]
                    ell = level[b, h * level.shape[1] // heads, k_begin:k_end]
                shift = (k_end - k_begin) - (q_end - q_begin)
                for i in range(q_begin, q_end):
                    p = i - q_begin + shift
                    output[b, h, i], lse[b, h, i] = _row(
                        q[b, h, i], keys, values, phi, ell, p, scale, window,
                        smooth)
    return output, lse


def attention_backward(q, k, v, field, level, o, lse, do, *, dlse=None,
                       scale=None, window=None, cu_seqlens=None, smooth=None):
    """Gradients of first passage attention.

    Operands and options as for `attention`; o and lse are what it returned, do
    and dlse [B, HQ, Lq] the gradients of a loss with respect to them (no dlse:
    0). With P = exp(s - lse) and dS = P * (<do, v> - <do, o> + dlse), pairs of
    query and key whose level is above the minimum m of the field between them
    lower level's gradient by dS and raise that of the field by dS where the
    minimum stands, the last place of several. The smooth form weighs dS by
    sigmoid(smooth * (level - m)).

    o and lse are used as they are given: an error in them is the caller's.

    Returns dq, dk, dv, dfield and dlevel, float64. Without a level dlevel is
    None and dfield has both parts; without a field both are None.
    """
    q, k, v, field, level, scale = _operands(q, k, v, field, level, scale)
    o, lse, do, dlse = (_wide(x) for x in (o, lse, do, dlse))
    batch, heads, _, _ = q.shape
    tied = level is None
    if dlse is None:
        dlse = np.zeros(lse.shape)
    dq, dk, dv = np.zeros(q.shape), np.zeros(k.shape), np.zeros(v.shape)
    dfield = dlevel = None
    if field is not None:
        level = field if tied else level
        dfield = np.zeros(field.shape)
        dlevel = dfield if tied else np.zeros(level.shape)
    for q_begin, q_end, k_begin, k_end in _sequences(q, k, cu_seqlens):
        for b, h, i in np.ndindex(batch, heads, q_end - q_begin):
            p = i + (k_end - k_begin) - (q_end - q_begin)
            first = 0 if window is None else max(0, p - window + 1)
            i += q_begin
            if p < first or lse[b, h, i] == -np.inf:
                continue
            seen = slice(k_begin + first, k_begin + p + 1)
            kv = h * k.shape[1] // heads
            keys, values = k[b, kv, seen], v[b, kv, seen]
            s = scale * (keys @ q[b, h, i])
            if field is not None:
                f = h * field.shape[1] // heads
                phi = field[b, f, k_begin:k_begin + p + 1]
                ell = level[b, f, k_begin:k_begin + p + 1]
                s = s - penalty(phi, ell, p, smooth)[first:]
            weights = np.exp(s - lse[b, h, i])
            delta = do[b, h, i] @ o[b, h, i] - dlse[b, h, i]
            ds = weights * (values @ do[b, h, i] - delta)
            dq[b, h, i] = scale * (ds @ keys)
            dk[b, kv, seen] += scale * np.outer(ds, q[b, h, i])
            dv[b, kv, seen] += np.outer(weights, do[b, h, i])
            if field is None:
                continue
            for j, (at, slope) in enumerate(_slopes(phi, ell, smooth)):
                if j >= first and slope != 0:
                    dlevel[b, f, k_begin + j] -= slope * ds[j - first]
                    dfield[b, f, k_begin + at] += slope * ds[j - first]
    return dq, dk, dv, dfield, None if tied else dlevel


def penalty(field, level, position, smooth=None):
    """What a query at `position` subtracts from the logit of each key j of
    0 <= j <= position. field and level are [Lk]; the result is
    [position + 1]."""
    field = np.asarray(field, np.float64)[:position + 1]
    level = np.asarray(level, np.float64)[:position + 1]
    # m_j = min { field_t : j < t <= position }, +inf for the query's own key.
    m = np.append(_minima_from_right(field)[1:], np.inf)
    if smooth is None:
        with np.errstate(invalid="ignore"):
            return np.where(level <= m, 0.0, level - m)
    # Clamping keeps the difference of two infinities out.
    z = (np.clip(level, -_LARGEST, _LARGEST) - np.clip(m, -_LARGEST, _LARGEST))
    if not np.isnan(level[-1]):
        z[-1] = -np.inf
    with np.errstate(invalid="ignore"):
        return np.logaddexp(0.0, smooth * z) / smooth


def decode(q, k, v, field, level=None, *, scale=None, evict_above=np.inf,
           steps=None):
    """Attention token by token over keys of which those that have died are
    dropped for good.

    Shapes as for `attention`, with HK heads of field and level and Lq = Lk.
    steps: how many tokens each step takes, by default 1 each. The keys that a row
    sees are those of its own step up to its own, and of the earlier ones those
    whose penalty was not above evict_above at the end of any step so far. That
    penalty is the difference of level and minimum in the type of the field.

    Returns the output and the log-sum-exp, as `attention`, and whether each key
    is kept at the end, [B, HK, Lk].
    """
    narrow = np.asarray(field), np.asarray(field if level is None else level)
    q, k, v, field, level, scale = _operands(q, k, v, field, level, scale)
    level = field if level is None else level
    batch, heads, length, _ = q.shape
    steps = [1] * length if steps is None else steps
    output = np.zeros((batch, heads, length, v.shape[3]))
    lse = np.full((batch, heads, length), -np.inf)
    kept = np.zeros(k.shape[:3], bool)
    for b, h in np.ndindex(batch, heads):
        kv = h * k.shape[1] // heads
        alive = np.zeros(length, bool)
        begin = 0
        for step in steps:
            end = begin + step
            alive[begin:end] = True
            for i in range(begin, end):
                seen = np.nonzero(alive[:i + 1])[0]
                s = scale * (k[b, kv, seen] @ q[b, h, i]) - penalty(
                    field[b, kv], level[b, kv], i)[seen]
                lse[b, h, i] = np.logaddexp.reduce(s)
                output[b, h, i] = np.exp(s - lse[b, h, i]) @ v[b, kv, seen]
            phi, ell = (x[b, kv, :end] for x in narrow)
            m = np.append(_minima_from_right(phi)[1:], np.inf).astype(phi.dtype)
            with np.errstate(invalid="ignore"):
                alive[:end] &= ~((ell > m) & (ell - m > evict_above))
            begin = end
        kept[b, kv] = alive
    return output, lse, kept


def prefix_min(x, axis=-1, reverse=False, exclusive=False):
    """Running minimum along `axis` and, as int64, where it was found.

    A NaN is smaller than everything. Among equal minima the largest index is
    taken. Where `exclusive` leaves nothing to take the minimum of, the result
    is +inf and the index -1. The element type is kept.
    """
    x = np.moveaxis(np.asarray(x), axis, -1)
    length = x.shape[-1]
    value = np.full(x.shape, np.inf, x.dtype)
    index = np.full(x.shape, -1, np.int64)
    best = np.full(x.shape[:-1], np.inf, x.dtype)
    at = np.full(x.shape[:-1], -1, np.int64)
    for t in (reversed(range(length)) if reverse else range(length)):
        if exclusive:
            value[..., t], index[..., t] = best, at
        new = x[..., t]
        if reverse:
            take = (new < best) | (np.isnan(new) & ~np.isnan(best)) | (at < 0)
        else:
            take = (new <= best) | np.isnan(new) | (at < 0)
        best, at = np.where(take, new, best), np.where(take, t, at)
        if not exclusive:
            value[..., t], index[..., t] = best, at
    return np.moveaxis(value, -1, axis), np.moveaxis(index, -1, axis)


def prefix_sum(x, axis=-1, reverse=False, exclusive=False):
    """Running sum along `axis`, float64."""
    x = np.moveaxis(np.asarray(x, np.float64), axis, -1)
    if reverse:
        x = x[..., ::-1]
    total = np.cumsum(x, axis=-1)
    if exclusive:
        total = np.concatenate(
            [np.zeros_like(total[..., :1]), total[..., :-1]], axis=-1)
        total = total[..., :x.shape[-1]]
    if reverse:
        total = total[..., ::-1]
    return np.moveaxis(total, -1, axis)


def _wide(x):
    """An operand as float64, None where it is absent."""
    return None if x is None else np.asarray(x, np.float64)


def _operands(q, k, v, field, level, scale):
    """All that makes up the logits, checked; the scale is no longer absent."""
    q, k, v, field, level = (_wide(x) for x in (q, k, v, field, level))
    _shapes.check_operands(q, k, v, field, level)
    return q, k, v, field, level, q.shape[3] ** -0.5 if scale is None else scale


def _sequences(q, k, cu_seqlens):
    """(query begin, query end, key begin, key end) of each packed sequence."""
    if cu_seqlens is None:
        return [(0, q.shape[2], 0, k.shape[2])]
    queries, keys = _shapes.boundaries(cu_seqlens, q, k, least=0)
    return list(zip(queries[:-1], queries[1:], keys[:-1], keys[1:]))


def _minima_from_right(x):
    """min { x_u : u >= t } for every t; NaN wins."""
    return np.minimum.accumulate(x[::-1])[::-1]


def _slopes(field, level, smooth):
    """For each key left of the last one, the last place of the minimum of the
    field between it and the last one, and d penalty / d level. A NaN is smaller
    than everything."""
    slopes = []
    least, at = np.inf, -1
    for j in range(len(field) - 2, -1, -1):
        x = field[j + 1]
        if at < 0 or x < least or (np.isnan(x) and not np.isnan(least)):
            least, at = x, j + 1
        if smooth is None:
            slope = 0.0 if level[j] <= least else 1.0
        else:
            z = np.clip(level[j], -_LARGEST, _LARGEST) - np.clip(
                least, -_LARGEST, _LARGEST)
            slope = np.exp(-np.logaddexp(0.0, -smooth * z))
        slopes.append((at, slope))
    return slopes[::-1]


def _row(query, keys, values, field, level, p, scale, window, smooth):
    """Output and log-sum-exp of the query at position p of its sequence."""
    first = 0 if window is None else max(0, p - window + 1)
    if p < first:
        return np.zeros(values.shape[1]), -np.inf
    s = scale * (keys[first:p + 1] @ query)
    if field is not None:
        s = s - penalty(field, level, p, smooth)[first:]
    top = s.max()
    if top == -np.inf:
        return np.zeros(values.shape[1]), -np.inf
    weights = np.exp(s - top)
    total = weights.sum()
    return weights @ values[first:p + 1] / total, top + np.log(total)
