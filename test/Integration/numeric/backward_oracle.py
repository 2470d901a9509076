# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients from the definition, on whole tables of pairs, and the same in the
arithmetic of a narrower type.

The truth is float64. The other arithmetic has float32 sums, and rounds the
weights P, dS and the results to the type, as an implementation with matrix units
does: what it loses is the measure for f16 and bf16.
"""

import dataclasses
import itertools

import numpy as np

from . import dtypes, oracle


@dataclasses.dataclass(frozen=True)
class Arithmetic:
    real: type = np.float64
    dtype: str = "f64"

    def narrow(self, x):
        """x rounded to the type, in the sums' type."""
        with np.errstate(over="ignore"):
            return dtypes.decode(dtypes.encode(x, self.dtype),
                                 self.dtype).astype(self.real)


TRUTH = Arithmetic()


@dataclasses.dataclass
class Gradients:
    """Arrays by name, without those that nobody asked for.

    sizes: the gradients with all terms taken absolute: what rounding errors
    are judged by. vague: where a NaN in the operands may or may not show,
    because which place of a segment with a NaN has the minimum is not
    specified.
    """
    values: dict
    sizes: dict
    vague: dict


def minima(field):
    """m[p, j] and the last place t of it, j < t <= p; +inf and -1 for none.

    Goes along p with "less or equal", where the definition goes from p to the
    left with "less"."""
    n = len(field)
    least = np.full((n, n), np.inf)
    place = np.full((n, n), -1)
    for p in range(1, n):
        least[p], place[p] = least[p - 1], place[p - 1]
        new = np.arange(n) < p
        with np.errstate(invalid="ignore"):
            new &= ~(least[p] < field[p]) | np.isnan(field[p])
        new |= np.arange(n) == p - 1
        new &= ~np.isnan(least[p]) | np.isnan(field[p])
        least[p, new], place[p, new] = field[p], p
    return least, place


def _pairs(field, level, lq, smooth, real):
    """Penalty, its slope and the minimum's place for all rows and keys; slope
    NaN where there is a NaN in the segment or the level."""
    lk = len(field)
    least, place = minima(field)
    p = np.arange(lq) + (lk - lq)
    rows = np.maximum(p, 0)
    least, place = least[rows], np.where(p[:, None] < 0, -1, place[rows])
    level = np.broadcast_to(level, least.shape)
    some = place >= 0
    own = np.where(np.isnan(level), level, 0)
    with np.errstate(over="ignore"):
        pen = np.where(some, oracle.penalty(level, least, smooth), own).astype(real)
    same = (level == least) & np.isinf(level)
    with np.errstate(invalid="ignore", over="ignore"):
        z = np.where(same, 0, level - least)
        slope = (z > 0).astype(real) if smooth is None else \
            np.exp(-np.logaddexp(0, -smooth * z)).astype(real)
    slope = np.where(np.isnan(z), np.nan, slope)
    return pen, np.where(some | np.isnan(level), slope, 0), place


def _vague(slope, see, place, lq, lk):
    """Keys, and places of the field, that pairs with a NaN may count for."""
    unknown = see & np.isnan(slope)
    edges = np.zeros(lk + 1, np.int64)
    for i, j in np.argwhere(unknown & (place >= 0)):
        edges[j + 1] += 1
        edges[i + lk - lq + 1] -= 1
    return np.cumsum(edges)[:lk] > 0, unknown.any(axis=0)


class _Head:
    """The gradients of one query head, in slices of the whole arrays."""

    def __init__(self, arithmetic, scale, window, smooth):
        self.arithmetic, self.scale = arithmetic, arithmetic.real(scale)
        self.window, self.smooth = window, smooth

    def weights(self, q, k, lse, see, pen):
        with np.errstate(invalid="ignore", over="ignore"):
            logits = self.scale * (q @ k.T) - pen
            return np.where(see, np.exp(logits - lse[:, None]), 0)

    def add(self, x, into):
        """x: operands by name; into: slices of results by name and kind."""
        lq, lk = len(x["query"]), len(x["key"])
        if not lq or not lk:
            return
        narrow = self.arithmetic.narrow
        see = oracle.visible(lq, lk, self.window)
        see &= ~np.isneginf(x["lse"])[:, None]
        pen = 0
        if "field" in x:
            pen, slope, place = _pairs(x["field"], x["level"], lq, self.smooth,
                                       self.arithmetic.real)
        p = self.weights(x["query"], x["key"], x["lse"], see, pen)
        do, dlse = x["output_gradient"], x["lse_gradient"]
        for kind, absolute in (("values", lambda a: a), ("sizes", np.abs)):
            sign = -1 if kind == "values" else 1
            with np.errstate(invalid="ignore"):
                delta = sign * (absolute(do) * absolute(x["output"])).sum(1) \
                    + absolute(dlse)
                dp = absolute(do) @ absolute(x["value"]).T
                ds = np.where(see, p * (dp + delta[:, None]), 0)
            scale = absolute(self.scale)
            out, narrow_ds = into[kind], narrow(ds)
            with np.errstate(invalid="ignore"):
                out["dq"] += scale * oracle.seen_product(narrow_ds, see,
                                              absolute(x["key"]))
                out["dk"] += scale * oracle.seen_product(narrow_ds.T, see.T,
                                              absolute(x["query"]))
            out["dv"] += oracle.seen_product(narrow(p).T, see.T, absolute(do))
            if "dfield" in out:
                felt = see & (place >= 0) & ~np.isnan(slope)
                if self.smooth is None:
                    felt &= slope > 0
                with np.errstate(invalid="ignore"):
                    part = np.where(felt, slope * ds, 0)
                level = out.get("dlevel", out["dfield"])
                level += sign * part.sum(axis=0)
                np.add.at(out["dfield"], place[felt], part[felt])
        if "dfield" in into["vague"]:
            field, level = _vague(slope, see, place, lq, lk)
            into["vague"]["dfield"] |= field
            into["vague"].get("dlevel", into["vague"]["dfield"])[...] |= level


def attention_backward(x, names, *, scale=None, window=None, smooth=None,
                       cu_seqlens=None, arithmetic=TRUTH):
    """The gradients named in `names`, which says of which operand each is; x has
    the operands by name, as float64 values."""
    real = arithmetic.real
    x = {name: np.asarray(a, real) for name, a in x.items()}
    batch, hq, lq, d = x["query"].shape
    x.setdefault("lse_gradient", np.zeros(x["lse"].shape, real))
    if "field" in x:
        x.setdefault("level", x["field"])
    result = Gradients(
        {n: np.zeros(x[o].shape, real) for n, o in names.items()},
        {n: np.zeros(x[o].shape, real) for n, o in names.items()},
        {n: np.zeros(x[o].shape, bool) for n, o in names.items()})
    head = _Head(arithmetic, 1.0 / np.sqrt(d) if scale is None else scale,
                 window, smooth)
    cq, ck = cu_seqlens or ([0, lq], [0, x["key"].shape[2]])
    spans = list(zip(cq[:-1], cq[1:], ck[:-1], ck[1:]))
    for b, h, (q0, q1, k0, k1) in itertools.product(range(batch), range(hq),
                                                    spans):
        def part(name, a):
            on_keys = name in ("key", "value", "field", "level", "dk", "dv",
                               "dfield", "dlevel")
            rows = slice(k0, k1) if on_keys else slice(q0, q1)
            return a[b, h * a.shape[1] // hq, rows]
        head.add({n: part(n, a) for n, a in x.items()},
                 {kind: {n: part(n, a)
                         for n, a in getattr(result, kind).items()}
                  for kind in ("values", "sizes", "vague")})
    for name in ("dq", "dk", "dv"):
        result.values[name] = arithmetic.narrow(result.values[name])
    return result
