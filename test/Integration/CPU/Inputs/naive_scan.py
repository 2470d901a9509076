"""Scans from the definition, one position after another, and data for them."""

import numpy as np


def naive(op, x, axis, reverse, exclusive, segment):
    """x in float64: (values, indices), one position after another."""
    x = np.moveaxis(x, axis, 0)
    values, indices = np.empty(x.shape), np.empty(x.shape, np.int64)
    length = x.shape[0]
    segment = segment or max(length, 1)
    for start in range(0, length, segment):
        stop = min(length, start + segment)
        value = np.full(x.shape[1:], np.inf if op == "prefix_min" else 0.0)
        index = np.full(x.shape[1:], -1)
        places = range(start, stop)
        for t in (reversed(places) if reverse else places):
            if exclusive:
                values[t], indices[t] = value, index
            if op == "prefix_min":
                own, was = np.isnan(x[t]), np.isnan(value)
                less = (own & ~was) | (~own & ~was & (x[t] < value))
                tie = (own & was) | (~own & ~was & (x[t] == value))
                index = np.where(less | (tie & (t > index)), t, index)
                value = np.where(less, x[t], value)
            else:
                value = value + x[t]
            if not exclusive:
                values[t], indices[t] = value, index
    return np.moveaxis(values, 0, axis), np.moveaxis(indices, 0, axis)


def nearby(x, axis, reach=64):
    """The sum of magnitudes at most `reach` away, infinities left out."""
    x = np.moveaxis(np.where(np.isfinite(x), np.abs(x), 0), axis, 0)
    sums = np.concatenate([np.zeros((1, *x.shape[1:])), np.cumsum(x, axis=0)])
    places = np.arange(len(x))
    high = np.minimum(places + reach, len(x))
    low = np.maximum(places - reach, 0)
    return np.moveaxis(sums[high] - sums[low], 0, axis)


def patterns(shape, seed, op):
    """Random data; for minima also ties, NaN and infinities."""
    rng = np.random.default_rng(seed)
    yield rng.standard_normal(shape, np.float32)
    special = rng.integers(-3, 3, shape).astype(np.float32)
    special[rng.random(shape) < 0.02] = -np.inf
    if op == "prefix_min":
        special[special == 0] = rng.choice(
            np.array([0.0, -0.0], np.float32), shape)[special == 0]
        special[rng.random(shape) < 0.2] = np.inf
        yield special.copy()
        nans = np.array([np.nan, -np.nan], np.float32)
        hit = rng.random(shape) < 0.03
        special[hit] = rng.choice(nans, shape)[hit]
    yield special
