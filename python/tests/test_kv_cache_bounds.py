# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The certified bounds of fpa.KVCache, and what it refuses."""

import math
import unittest

import numpy as np

import fpa
from fpa import reference
from operands import inputs
from test_kv_cache import make, tokens


def cases(rng):
    """Fields and levels [length], with a threshold."""
    length = int(rng.integers(8, 40))
    threshold = float(rng.choice((0.1, 0.5, 2.0)))
    kind = rng.integers(6)
    field = rng.normal(size=length).cumsum() * rng.uniform(0.1, 1)
    level = field if rng.integers(2) else field + rng.normal(size=length)
    if kind == 1:  # just above and just below the threshold
        level = np.full(length, threshold) * (1 + 1e-6 * rng.choice(
            (-1, 1), length))
        field = np.where(np.arange(length) < length - 2, 9.0, 0.0)
    elif kind == 2:  # a dip on the very last token but one
        field = np.full(length, 4.0)
        level = rng.uniform(0, 4, length)
        field[-2] = -threshold
    elif kind == 3:  # all keys dead but one
        field = np.linspace(0, -3 * threshold - 1, length)
        level = field
    elif kind == 4:  # alternating deep dips
        field = np.where(np.arange(length) % 2, 0.0, 2 * threshold)
        level = rng.uniform(0, 2 * threshold, length)
    elif kind == 5:  # brackets
        field = np.abs(np.arange(length) % 10 - 5) * threshold * 0.7
        level = field
    return field.astype("f4"), level.astype("f4"), threshold


class Bounds(unittest.TestCase):

    def test_they_hold_and_say_something(self):
        ratios, dropping = [], 0
        for seed in range(500):
            rng = np.random.default_rng(seed)
            field, level, threshold = cases(rng)
            length, size = len(field), int(rng.choice((2, 4, 16)))
            q, k, v = (rng.normal(size=(1, 1, length, size)) for _ in range(3))
            # Adversaries have one huge key or value.
            if seed % 10 == 0:
                k[0, 0, rng.integers(length)] *= 6
                v[0, 0, rng.integers(length)] *= 30
            else:
                q, k = (x / np.linalg.norm(x, axis=-1, keepdims=True)
                        for x in (q, k))
            arrays = [x.astype("f4") for x in (q, k, v)]
            arrays += [field[None, None], level[None, None]]
            cache = make(*arrays[1:3], evict_above=threshold)
            want = [reference.decode(*arrays, evict_above=e)[0]
                    for e in (threshold, np.inf)]
            kept = reference.decode(*arrays, evict_above=threshold)[1]
            whole = reference.decode(*arrays)[1]
            for t in range(length):
                bound = cache.dropped_mass_bound(
                    *(float(np.linalg.norm(x[0, 0, t]) * (1 + 1e-6))
                      for x in arrays[:2]))[0, 0]
                cache.step(*tokens(arrays, t, t + 1))
                share = -np.expm1(min(0.0, kept[0, 0, t] - whole[0, 0, t]))
                self.assertLessEqual(share - 1e-12,
                                     cache.dropped_mass[0, 0, 0], seed)
                self.assertLessEqual(cache.dropped_mass[0, 0, 0],
                                     bound * (1 + 1e-3), seed)
                error = np.abs(want[0] - want[1])[0, 0, t].max()
                self.assertLessEqual(error - 1e-12, cache.error_bound[0, 0, 0],
                                     seed)
                if share > 1e-9:
                    ratios.append(cache.error_bound[0, 0, 0] / error)
            dropping += int(cache.live[0, 0] < length)
        self.assertGreater(dropping, 400)
        self.assertGreater(len(ratios), 1000)
        self.assertLessEqual(np.median(ratios), 50)

    def test_nothing_dropped_is_no_error(self):
        q, k, v, field = inputs(q_length=20, k_length=20)
        cache = make(k, v)
        self.assertIsNone(cache.error_bound)
        cache.step(q, k, v, field)
        self.assertTrue((cache.error_bound == 0).all())
        self.assertTrue((cache.dropped_mass == 0).all())
        self.assertTrue((cache.dropped_mass_bound(5.0, 5.0) == 0).all())

    def test_a_cache_whose_last_token_killed_all(self):
        q, k, v, field = inputs(q_length=9, k_length=9)
        field = np.zeros_like(field)
        field[..., -1] = -100
        cache = make(k, v, evict_above=10.0)
        cache.step(*tokens((q, k, v, field), 0, 9))
        self.assertEqual(cache.live.tolist(), [[1]])
        self.assertTrue((cache.error_bound == 0).all())
        self.assertLess(cache.dropped_mass_bound(1.0, 1.0)[0, 0], 1e-40)


class Messages(unittest.TestCase):

    def check(self, error, message, call, *args, **options):
        with self.assertRaises(error) as caught:
            call(*args, **options)
        self.assertEqual(str(caught.exception), message)

    def test_cache(self):
        self.check(ValueError, "expected batch to be in [1, 1099511627776], "
                   "got 0", fpa.KVCache, 0, 1, 8)
        self.check(TypeError, "expected head_dim to be an integer, got float",
                   fpa.KVCache, 1, 1, 8.0)
        self.check(ValueError, "expected capacity to be in [1, 1099511627776], "
                   "got -1", fpa.KVCache, 1, 1, 8, capacity=-1)
        for value, text in ((-1, "-1.0"), (math.nan, "nan")):
            self.check(ValueError, f"expected evict_above to be at least 0, got "
                       f"{text}", fpa.KVCache, 1, 1, 8, evict_above=value)
        self.check(TypeError, "expected evict_above to be a number, got '1'",
                   fpa.KVCache, 1, 1, 8, evict_above="1")
        self.check(TypeError, "expected evict_above to be a number, got NoneType",
                   fpa.KVCache, 1, 1, 8, evict_above=None)
        for dtype in ("int8", "nothing", None, 3):
            with self.subTest(dtype=dtype):
                if dtype is not None:  # NumPy's float64
                    self.check(TypeError, f"expected dtype to be float16, "
                               f"bfloat16, float32 or float64, got {dtype!r}",
                               fpa.KVCache, 1, 1, 8, dtype=dtype)
        self.check(ValueError, "expected scale to be finite, got inf",
                   fpa.KVCache, 1, 1, 8, scale=math.inf)

    def test_calls(self):
        q, k, v, field = inputs(q_length=6, k_length=6)
        cache = make(k, v, capacity=7, evict_above=100.0)
        cache.step(q, k, v, field)
        before = [part.array.copy() for part in cache._memory._parts]

        def check(error, message, *args, call=cache.step, **options):
            self.check(error, message, call, *args, **options)
            for part, old in zip(cache._memory._parts, before):
                np.testing.assert_array_equal(part.array, old)
            self.assertEqual(cache.live.tolist(), [[6]])

        check(ValueError, "expected at most 7 keys in a head, the capacity, got "
              "12 with the new ones", q, k, v, field)
        check(ValueError, "expected an empty cache to prefill, got one with 6 "
              "keys in a head", q, k, v, field, call=cache.prefill)
        one = tokens((q, k, v, field), 0, 1)
        q1, k1, v1, f1 = one
        check(TypeError, "expected k to be a NumPy array of float32, got "
              "float64 of shape [1, 1, 1, 16]", q1, k1.astype("f8"), v1, f1)
        check(TypeError, "expected q to be a NumPy array of float32, got list",
              [1.0], k1, v1, f1)
        check(ValueError, "expected k of shape [B = 1, HK = 1, T = 1, D = 16], "
              "got shape [1, 1, 2, 16]", q1, k[:, :, :2], v1, f1)
        check(ValueError, "expected v of shape [B = 1, HK = 1, T = 1, Dv = 16], "
              "got shape [1, 1, 1, 8]", q1, k1, v1[..., :8], f1)
        check(ValueError, "expected q of shape [B = 1, HQ, T, D = 16], got shape "
              "[2, 2, 1, 16]", np.concatenate((q1, q1)), k1, v1, f1)
        check(ValueError, "expected field of shape [B = 1, HK = 1, T = 1], got "
              "shape [1, 2, 1]", q1, k1, v1, np.repeat(f1, 2, 1))
        check(ValueError, "expected q of shape [B HQ T D]".replace(
            "B HQ T D", "B, HQ, T, D") + ", got shape [1, 16]", q1[0, 0, :, :1]
            .repeat(16, 1), k1, v1, f1)
        check(ValueError, "expected at least 1 new token, got 0",
              *tokens((q, k, v, field), 0, 0))
        check(ValueError, "expected lengths in [0, 1], got [2]", *one,
              lengths=[2])
        check(ValueError, "expected lengths of shape [1], got shape [2]", *one,
              lengths=[1, 1])
        check(TypeError, "expected lengths to be integers, got list", *one,
              lengths=[0.5])
        check(ValueError, "expected query_norm to be at least 0, got -1.0", -1,
              1, call=cache.dropped_mass_bound)
        check(TypeError, "expected key_norm to be a number, got NoneType", 1,
              None, call=cache.dropped_mass_bound)
        # It goes on.
        self.assertEqual(cache.step(*one).shape, q1.shape)
        self.assertEqual(cache.live.tolist(), [[7]])

    def test_heads(self):
        q, k, v, field = inputs(heads=3, key_heads=2, q_length=1, k_length=1)
        self.check(ValueError, "expected q's heads to be a multiple of the "
                   "cache's 2, got 3", make(k, v).step, q, k, v, field)
