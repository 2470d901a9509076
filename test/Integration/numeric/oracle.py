# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Float64 references, written from the definition alone.

Nothing here knows about tiles: range minima come from one accumulation over a
Lk x Lk table, so memory and time are O(L^2) per head.
"""

import itertools

import numpy as np


def range_minima(field):
    """m[p, j] = min { field_t : j < t <= p }, +inf where that set is empty."""
    n = field.shape[-1]
    t, j = np.arange(n)[:, None], np.arange(n)[None, :]
    table = np.where(t > j, field[..., :, None], np.inf)
    return np.minimum.accumulate(table, axis=-2)


def penalty(level, minima, smooth=None):
    """pen = max(0, level - m), or softplus(beta (level - m)) / beta.

    Equal infinities differ by 0, and an empty segment (m = +inf standing for
    nothing) is the caller's to mask in the smooth form.
    """
    level = np.broadcast_to(level, minima.shape)
    same = (level == minima) & np.isinf(level)
    with np.errstate(invalid="ignore"):
        z = np.where(same, 0.0, level - minima)
        if smooth is None:
            return np.maximum(z, 0.0)
        return np.logaddexp(0.0, smooth * z) / smooth


def visible(lq, lk, window=None):
    """Which keys a row sees: p - window < j <= p with p = i + lk - lq."""
    p = np.arange(lq)[:, None] + (lk - lq)
    j = np.arange(lk)[None, :]
    see = j <= p
    if window is not None:
        see &= j > p - window
    return see


def seen_product(weights, see, value):
    """weights @ value, where what a row does not see cannot reach it."""
    finite = np.isfinite(value)
    out = weights @ np.where(finite, value, 0.0)
    for j in np.nonzero(~finite.all(axis=-1))[0]:
        extra = np.where(finite[j], 0.0, value[j])
        with np.errstate(invalid="ignore"):
            term = weights[:, j, None] * extra
        out += np.where(see[:, j, None] & ~finite[j], term, 0.0)
    return out


def _head(q, k, v, minima, level, scale, window, smooth):
    lq, lk = q.shape[0], k.shape[0]
    see = visible(lq, lk, window)
    with np.errstate(invalid="ignore"):
        logits = scale * (q @ k.T)
    if minima is not None and lk:
        p = np.arange(lq) + (lk - lq)
        rows = minima[np.clip(p, 0, lk - 1)]
        # The segment of a row's own key is empty; only a NaN level is felt.
        own = np.arange(lk) == p[:, None]
        pen = np.where(own & ~np.isnan(level), 0.0,
                       penalty(level, rows, smooth))
        logits = logits - pen
    logits = np.where(see, logits, -np.inf)
    top = logits.max(axis=1, initial=-np.inf)
    with np.errstate(invalid="ignore"):
        weights = np.exp(logits - top[:, None])
    weights = np.where(see, weights, 0.0)
    total = weights.sum(axis=1)
    alive = see.any(axis=1)
    safe = np.where(alive, total, 1.0)
    weights = weights / safe[:, None]
    out = seen_product(weights, see, v)
    # The size against which rounding errors are judged.
    size = seen_product(weights, see, np.abs(v))
    with np.errstate(divide="ignore"):
        lse = np.where(alive, np.log(safe) + np.where(alive, top, 0.0), -np.inf)
    return out, lse, size


def attention(q, k, v, field=None, level=None, *, scale=None, window=None,
              smooth=None, cu_seqlens=None):
    """Output, lse and sum_j P |v| of fpa.attention, all in float64.

    q is [B, HQ, Lq, D], k and v [B, HK, Lk, .], field and level [B, HF, Lk];
    cu_seqlens is None or a pair of cumulative lengths (queries, keys).
    """
    q, k, v = (np.asarray(x, np.float64) for x in (q, k, v))
    if field is not None:
        field = np.asarray(field, np.float64)
        level = field if level is None else np.asarray(level, np.float64)
    batch, hq, lq, d = q.shape
    hk, dv = k.shape[1], v.shape[3]
    scale = 1.0 / np.sqrt(d) if scale is None else scale
    out = np.zeros((batch, hq, lq, dv))
    size = np.zeros((batch, hq, lq, dv))
    lse = np.full((batch, hq, lq), -np.inf)
    if cu_seqlens is None:
        spans = [(0, lq, 0, k.shape[2])]
    else:
        cq, ck = cu_seqlens
        spans = list(zip(cq[:-1], cq[1:], ck[:-1], ck[1:]))
    for b, (q0, q1, k0, k1) in itertools.product(range(batch), spans):
        minima = lv = made = None
        for h in range(hq):
            kh = h * hk // hq
            if field is not None:
                fh = h * field.shape[1] // hq
                lv = level[b, fh, k0:k1]
                if fh != made:
                    minima, made = range_minima(field[b, fh, k0:k1]), fh
            out[b, h, q0:q1], lse[b, h, q0:q1], size[b, h, q0:q1] = _head(
                q[b, h, q0:q1], k[b, kh, k0:k1], v[b, kh, k0:k1], minima, lv,
                scale, window, smooth)
    return out, lse, size


def _scan(x, axis, reverse, exclusive, segment, step, start):
    """Runs `step(state, x_t, t)` along the axis; collects the states."""
    x = np.moveaxis(np.asarray(x), axis, 0)
    n = x.shape[0]
    segment = segment or max(n, 1)
    rows = [None] * n
    for first in range(0, n, segment):
        order = range(first, min(first + segment, n))
        state = start(x.shape[1:])
        for t in (reversed(order) if reverse else order):
            after = step(state, x[t], t)
            rows[t] = state if exclusive else after
            state = after
    return rows


def prefix_min(x, axis, reverse=False, exclusive=False, segment=None):
    """The running minimum and its index (-1: none). The largest index wins a
    tie, and a NaN is smaller than everything."""

    def start(shape):
        return np.full(shape, np.inf), np.full(shape, -1, np.int64)

    def step(state, xt, t):
        low, at = state
        less = np.where(np.isnan(low), False, (xt < low) | np.isnan(xt))
        tie = (xt == low) | (np.isnan(xt) & np.isnan(low))
        low = np.where(less, xt, low)
        return low, np.where(less, t, np.where(tie, np.maximum(at, t), at))

    rows = _scan(x, axis, reverse, exclusive, segment, step, start)
    shape = np.moveaxis(np.asarray(x), axis, 0).shape
    low = np.array([r[0] for r in rows], np.float64).reshape(shape)
    at = np.array([r[1] for r in rows], np.int64).reshape(shape)
    return np.moveaxis(low, 0, axis), np.moveaxis(at, 0, axis)


def prefix_sum(x, axis, reverse=False, exclusive=False, segment=None):
    """The running sum, and the running sum of absolute values."""
    rows = _scan(np.asarray(x, np.float64), axis, reverse, exclusive, segment,
                 lambda s, xt, t: (s[0] + xt, s[1] + np.abs(xt)),
                 lambda shape: (np.zeros(shape), np.zeros(shape)))
    shape = np.moveaxis(np.asarray(x), axis, 0).shape
    total, size = (np.array([r[i] for r in rows]).reshape(shape)
                   for i in (0, 1))
    return np.moveaxis(total, 0, axis), np.moveaxis(size, 0, axis)


def key_intervals(lq, lk, window=None, cu_seqlens=None):
    """First and last key of each row; last = first - 1 for a row without keys."""
    first, last = np.zeros(lq, np.int64), np.zeros(lq, np.int64)
    cq, ck = cu_seqlens or ([0, lq], [0, lk])
    for q0, q1, k0, k1 in zip(cq[:-1], cq[1:], ck[:-1], ck[1:]):
        p = np.arange(q1 - q0) + (k1 - k0) - (q1 - q0)
        hi = np.maximum(p, -1)
        lo = np.zeros_like(hi) if window is None else np.maximum(
            0, hi - window + 1)
        first[q0:q1], last[q0:q1] = lo + k0, hi + k0
    return first, last
