# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fields and levels: each pattern gives (field, level), level None when tied.

A pattern is a function of a random generator and the shape [..., Lk].
"""

import numpy as np

INF = np.inf


def walk(rng, shape):
    return np.cumsum(rng.normal(0, 0.7, shape), axis=-1), None


def nested(rng, shape):
    """Push and pop: the field is the depth, so minima tie all the time."""
    steps = rng.choice([-1, 1], p=[0.45, 0.55], size=shape)
    depth = np.zeros(shape)
    level = np.zeros(shape[:-1])
    for t in range(shape[-1]):
        level = np.maximum(level + steps[..., t], 0)
        depth[..., t] = level
    return depth, None


def one_dip(rng, shape):
    field = rng.normal(0, 0.1, shape)
    if shape[-1]:
        field[..., shape[-1] // 2] = -30.0
    return field, None


def dip_at_ends(rng, shape):
    """Dips at the first and the last key: (j, p] leaves out the one at j."""
    field = rng.normal(0, 0.1, shape)
    field[..., :1] = -3.0
    field[..., -1:] = -2.0
    return field, None


def equal_minima(rng, shape):
    return rng.choice([0.0, 1.5], size=shape), None


def flat(rng, shape):
    return np.full(shape, 0.25), None


def all_inf(rng, shape):
    return np.full(shape, INF), None


def level_minus_inf(rng, shape):
    return rng.normal(size=shape), np.full(shape, -INF)


def level_plus_inf(rng, shape):
    """Some keys vanish for every row but their own."""
    level = rng.normal(size=shape)
    level[rng.random(shape) < 0.3] = INF
    return rng.normal(size=shape), level


def mixed_inf(rng, shape):
    field = np.cumsum(rng.normal(0, 0.3, shape), axis=-1)
    pick = rng.random(shape)
    field[pick < 0.06] = -INF
    field[pick > 0.8] = INF
    return field, None


def mixed_inf_untied(rng, shape):
    field, _ = mixed_inf(rng, shape)
    level, _ = mixed_inf(rng, shape)
    return field, level


def largest_finite(rng, shape):
    """Finite, and yet the difference of two of them overflows f32."""
    big = np.float64(np.finfo(np.float32).max)
    field = rng.normal(size=shape)
    pick = rng.random(shape)
    field[pick < 0.05] = -big
    field[pick > 0.9] = big
    return field, None


def big_sums(rng, shape):
    """Sums past 1e4: the difference must be formed before any scaling."""
    field = 2e4 + np.cumsum(rng.normal(0.3, 0.8, shape), axis=-1)
    return field, None


def falling_sums(rng, shape):
    return -1.2e4 - np.cumsum(rng.random(shape) * 0.1, axis=-1), None


def fox(rng, shape):
    """The sum of log gates, with strong and weak forgetting."""
    gate = 1 / (1 + np.exp(-rng.normal(2.0, 2.0, shape)))
    return np.cumsum(np.log(gate), axis=-1), None


def alibi(rng, shape):
    heads = shape[-2] if len(shape) > 1 else 1
    slope = 2.0 ** (-8.0 * (1 + np.arange(heads)) / heads)
    field = -slope[:, None] * np.arange(shape[-1])
    return np.broadcast_to(field, shape).copy(), None


def rising(rng, shape):
    """A field that never falls penalises nothing."""
    return np.cumsum(rng.random(shape), axis=-1), None


def free_level(rng, shape):
    return rng.normal(size=shape), rng.normal(size=shape)


def heights(rng, shape):
    """Heights 0..7 with a level just below: ties count as not penalised."""
    h = rng.integers(0, 8, shape).astype(np.float64)
    return h, h - rng.integers(0, 2, shape)


def level_above(rng, shape):
    """Every key but a row's own is penalised."""
    field, _ = walk(rng, shape)
    return field, field + 1.0 + rng.random(shape)


def sawtooth(rng, shape):
    t = np.arange(shape[-1])
    field = 2.0 * (t % 37) / 37.0 + rng.normal(0, 0.01, shape)
    return field, None


def sums_past_1e5(rng, shape):
    """Running sums in float32: their neighbours are often equal."""
    return 2e5 + np.cumsum(rng.normal(0, 0.02, shape), axis=-1), None


def fox_past_1e5(rng, shape):
    return -2e5 - np.cumsum(rng.random(shape) * 0.03, axis=-1), None


def on_the_kink(rng, shape):
    """Levels that are the minimum of the field from the next key up to one of
    the following keys, or a step of float32 beside it."""
    field = rng.normal(size=shape).astype(np.float32)
    level = field.copy()
    for j in range(shape[-1] - 1):
        end = j + 2 + int(rng.integers(0, 9))
        least = field[..., j + 1:end].min(axis=-1)
        up = np.nextafter(least, np.float32(9))
        down = np.nextafter(least, np.float32(-9))
        level[..., j] = (least, least, up, down)[int(rng.integers(4))]
    return field.astype(np.float64), level.astype(np.float64)


def scopes(rng, shape):
    """Push and pop: a scope of 20 to 90 keys lies 32 above the one around it,
    and is gone for what comes after it."""
    depth = np.zeros(shape)
    for head in np.ndindex(shape[:-1]):
        t, level = 0, 0
        while t < shape[-1]:
            n = int(rng.integers(20, 90))
            depth[head][t:t + n] = 32.0 * level
            t += n
            level = max(0, level + int(rng.choice([-1, 1])))
    return depth, None


def steep_walk(rng, shape):
    return np.cumsum(rng.normal(0, 3.0, shape), axis=-1), None


def one_live(rng, shape):
    """One key lies below all others."""
    field = np.zeros(shape)
    field[..., shape[-1] // 5:] = -60.0
    level = np.full(shape, 0.0)
    level[..., shape[-1] // 7:shape[-1] // 7 + 1] = -100.0
    return field, level


def deep_dips(rng, shape):
    """Every 50 keys a dip of its own depth."""
    field = rng.normal(0, 0.1, shape)
    field[..., ::50] = rng.uniform(-60, -5, field[..., ::50].shape)
    return field, None


PATTERNS = {f.__name__: f for f in (
    walk, nested, one_dip, dip_at_ends, equal_minima, flat, all_inf,
    level_minus_inf, level_plus_inf, mixed_inf, mixed_inf_untied,
    largest_finite, big_sums, falling_sums, fox, alibi, rising, free_level,
    heights, level_above, sawtooth)}


def high_blocks(rng, shape):
    """Blocks of 64 keys whose levels lie far above all, but whose field is the
    minimum of keys on their left that count."""
    field = rng.normal(0, 0.5, shape)
    high = np.arange(shape[-1]) // 64 % 3 == 1
    return np.where(high, field - 1.0, field), field + np.where(high, 90.0, 0.5)


def shallow_dip(rng, shape):
    """A dip that leaves each key before it a weight of exp(-7.5): all of them
    together weigh far more than one."""
    field = np.zeros(shape)
    if shape[-1]:
        field[..., shape[-1] // 2] = -7.5
    return field, None


# What leaves many keys without weight.
PRUNED_PATTERNS = {f.__name__: f for f in (
    scopes, steep_walk, one_live, deep_dips, high_blocks, shallow_dip)}

# Fields that never rise, with a tied level: `non_increasing` may be asserted.
NON_INCREASING = {"flat", "fox", "alibi", "falling_sums", "all_inf"}


# What gradients feel and outputs hardly.
GRADIENT_PATTERNS = {f.__name__: f for f in (
    sums_past_1e5, fox_past_1e5, on_the_kink)}


def make(name, rng, shape):
    return {**PATTERNS, **GRADIENT_PATTERNS, **PRUNED_PATTERNS}[
        name](rng, shape)
