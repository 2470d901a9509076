# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.KVCache against the reference that drops the same keys."""

import os
import unittest

import numpy as np

import fpa
from fpa import reference
from operands import BFLOAT16, bits, floats, inputs
from test_attention import limit


def tokens(arrays, begin, end):
    """Tokens of q, k, v, field and level."""
    return [None if x is None else x[:, :, begin:end] for x in arrays]


def make(k, v, **options):
    options.setdefault("capacity", max(k.shape[2], 1))
    return fpa.KVCache(k.shape[0], k.shape[1], k.shape[3], v.shape[3],
                       dtype=k.dtype, **options)


def decode(arrays, steps, prompt=0, **options):
    """The outputs, lse and live counts of a whole decode, and the cache."""
    cache = make(*arrays[1:3], **options)
    outs, live, begin = [], [], 0
    if prompt:
        outs.append(cache.prefill(*tokens(arrays, 0, prompt),
                                  return_lse=True))
        begin = prompt
        live.append(cache.live)
    for step in steps:
        outs.append(cache.step(*tokens(arrays, begin, begin + step),
                               return_lse=True))
        live.append(cache.live)
        begin += step
    out, lse = (np.concatenate(x, axis=2) for x in zip(*outs))
    return out, lse, live, cache


def nested(rng, batch, heads, length, depth=8.0):
    """A field that opens and closes brackets: its stack, by position."""
    field = np.zeros((batch, heads, length), np.float32)
    for b, h in np.ndindex(batch, heads):
        height = 0
        for t in range(length):
            height = max(0, height + rng.choice((1, 1, -1, -3)))
            field[b, h, t] = height * depth
    return field


def compare(test, arrays, steps, prompt=0, **options):
    q, k, v, field, level = arrays
    out, lse, live, cache = decode(arrays, steps, prompt, **options)
    threshold = options.get("evict_above", np.inf)
    taken = ([prompt] if prompt else []) + list(steps)
    want, want_lse, kept = reference.decode(
        q, k, v, field, level, evict_above=threshold, steps=taken,
        scale=options.get("scale"))
    test.assertEqual(out.dtype, q.dtype)
    np.testing.assert_allclose(out.astype(np.float64), want,
                               atol=limit(out), rtol=limit(out))
    wide = 1e-12 if q.dtype == np.float64 else 1e-5
    np.testing.assert_allclose(lse, want_lse, atol=wide, rtol=wide)
    np.testing.assert_array_equal(cache.live, kept.sum(-1))
    return live, cache, kept


class Results(unittest.TestCase):

    compare = compare

    def operands(self, level=False, **sizes):
        arrays = [*inputs(**sizes), None]
        if level:
            rng = np.random.default_rng(7)
            arrays[4] = rng.normal(size=arrays[3].shape).astype(
                arrays[3].dtype)
        return arrays

    def test_without_threshold_it_is_the_forward(self):
        for heads, key_heads in ((1, 1), (2, 2), (6, 2), (16, 1)):
            for level in (False, True):
                arrays = self.operands(level, heads=heads, key_heads=key_heads,
                                       q_length=40, k_length=40)
                with self.subTest(heads=heads, level=level):
                    self.compare(arrays, [1] * 40)
                    self.compare(arrays, [1] * 3, 37)
                    self.compare(arrays, [5, 1, 2, 20, 12])
                    self.compare(arrays, [40])

    def test_long_caches_in_tiles_and_chunks(self):
        arrays = self.operands(heads=2, key_heads=1, q_length=5000,
                               k_length=5000)
        q, k, v, field, _ = arrays
        want = fpa.attention(q, k, v, field)
        for steps in ([1, 1, 4], [100, 1]):
            prompt = 5000 - sum(steps)
            out, _, live, _ = decode(arrays, steps, prompt)
            np.testing.assert_allclose(out[:, :, prompt:], want[:, :, prompt:],
                                       atol=1e-5, rtol=1e-5)
            self.assertEqual(live[-1].tolist(), [[5000]])

    def test_with_threshold_it_drops_the_same_keys(self):
        for threshold in (0.0, 0.5, 3.0):
            for level in (False, True):
                arrays = self.operands(level, batch=2, heads=4, key_heads=2,
                                       q_length=60, k_length=60)
                with self.subTest(threshold=threshold, level=level):
                    live, _, kept = self.compare(arrays, [1] * 60,
                                                 evict_above=threshold)
                    self.assertLess(kept.mean(), 0.9)
                    self.compare(arrays, [7, 1, 1, 30, 21],
                                 evict_above=threshold)
                    self.compare(arrays, [1] * 20, 40, evict_above=threshold)

    def test_element_types(self):
        types = [np.float16, np.float64] + ([BFLOAT16] if BFLOAT16 else [])
        for dtype in types:
            with self.subTest(dtype=dtype):
                arrays = self.operands(heads=2, q_length=30, k_length=30,
                                       dtype=dtype)
                self.compare(arrays, [1] * 30, evict_above=1.0)

    def test_bfloat16_by_its_bits(self):
        arrays = inputs(q_length=20, k_length=20)
        cache = fpa.KVCache(1, 1, 16, dtype="bfloat16", capacity=20)
        q, k, v = map(bits, arrays[:3])
        got = [cache.step(*tokens((q, k, v, arrays[3]), t, t + 1))
               for t in range(20)]
        got = floats(np.concatenate([np.ascontiguousarray(x).view("V2")
                                     for x in got], axis=2))
        want, _, _ = reference.decode(*map(floats, (q, k, v)), arrays[3])
        np.testing.assert_allclose(got, want, atol=1.6e-2, rtol=1.6e-2)

    def test_sizes_and_scale(self):
        for size, v_size in ((5, 7), (64, 32), (80, 80)):
            arrays = self.operands(heads=3, key_heads=1, q_length=20,
                                   k_length=20, size=size, v_size=v_size)
            with self.subTest(size=size):
                self.compare(arrays, [1] * 20, evict_above=2.0, scale=0.3)

    def test_tied_fields_keep_a_stack(self):
        rng = np.random.default_rng(3)
        field = nested(rng, 2, 2, 80)
        q, k, v, _ = inputs(2, 2, 2, 80, 80)
        cache = make(k, v, evict_above=4.0)
        stacks = [[], [], [], []]
        for t in range(80):
            cache.step(*tokens((q, k, v, field), t, t + 1))
            for stack, now in zip(stacks, field[:, :, t].reshape(-1)):
                while stack and stack[-1] > now:
                    stack.pop()
                stack.append(now)
            self.assertEqual(cache.live.reshape(-1).tolist(),
                             [len(s) for s in stacks])

    def test_sequences_of_different_lengths(self):
        arrays = self.operands(batch=3, heads=4, key_heads=2, q_length=30,
                               k_length=30)
        q, k, v, field, _ = arrays
        lengths = np.array([[4, 0, 9], [1, 1, 0], [3, 3, 3], [0, 1, 0]])
        for prompt in (True, False):
            cache = make(k, v, evict_above=2.0)
            done, got = np.zeros(3, int), [[], [], []]
            for n, counts in enumerate(lengths):
                wide = int(counts.max())
                step = [np.full((3, x.shape[1], wide, *x.shape[3:]), np.nan,
                                x.dtype) for x in (q, k, v, field)]
                for b, count in enumerate(counts):
                    for part, x in zip(step, (q, k, v, field)):
                        part[b, :, :count] = x[b, :, done[b]:done[b] + count]
                call = cache.prefill if prompt and n == 0 else cache.step
                out, lse = call(*step, lengths=counts, return_lse=True)
                for b, count in enumerate(counts):
                    got[b].append(out[b, :, :count])
                    self.assertTrue((out[b, :, count:] == 0).all())
                    self.assertTrue((lse[b, :, count:] == -np.inf).all())
                done += counts
            for b in range(3):
                own = [x[b:b + 1, :, :done[b]] for x in (q, k, v, field)]
                want, _, kept = reference.decode(
                    *own, evict_above=2.0,
                    steps=[int(c) for c in lengths[:, b] if c])
                np.testing.assert_allclose(np.concatenate(got[b], axis=1)[None],
                                           want, atol=1e-5, rtol=1e-5)
                np.testing.assert_array_equal(cache.live[b], kept.sum(-1)[0])

    def test_fields_at_the_threshold(self):
        q, k, v, _ = inputs(q_length=8, k_length=8)
        for dip, kept in ((3.0, 8), (np.nextafter(np.float32(3), np.float32(9)), 1)):
            field = np.full((1, 1, 8), 5, np.float32)
            field[..., 7] -= np.float32(0)
            level = np.full_like(field, 5)
            field[..., 7] = 0
            level[..., :7] = dip
            live, _, _ = self.compare([q, k, v, field, level], [1] * 8,
                                      evict_above=3.0)
            self.assertEqual(live[-1].tolist(), [[kept]])

    def test_infinite_fields_and_nan(self):
        q, k, v, field = inputs(q_length=12, k_length=12)
        field[..., 3], field[..., 6] = np.inf, -np.inf
        self.compare([q, k, v, field, None], [1] * 12, evict_above=9.0)
        field[..., 6] = np.nan
        cache = make(k, v, evict_above=0.0)
        for t in range(12):
            out = cache.step(*tokens((q, k, v, field), t, t + 1))
        # Nothing is dropped whose penalty is not known.
        self.assertGreaterEqual(int(cache.live[0, 0]), 6)
        self.assertTrue(np.isnan(out).all())

    def test_results_do_not_depend_on_capacity_or_threads(self):
        arrays = self.operands(heads=2, key_heads=2, q_length=4500,
                               k_length=4500)
        want = None
        try:
            for capacity, threads in ((4500, 1), (20000, 1), (4500, 2)):
                fpa.set_threads(threads)
                out, _, _, _ = decode(arrays, [1, 1], 4498, capacity=capacity)
                want = out if want is None else want
                np.testing.assert_array_equal(out, want)
        finally:
            fpa.set_threads(0)

    def test_live_keys_op(self):
        check_live_keys(self, fpa.compile(LIVE), (0, 1, 2, 33, 700))


def check_live_keys(test, program, lengths):
    """The program of LIVE on random fields."""
    rng = np.random.default_rng(5)
    for length in lengths:
        field = rng.normal(size=(2, 3, length)).cumsum(-1).astype("f4")
        level = field + rng.normal(size=field.shape).astype("f4")
        penalty, count, order = program(field, level)
        for b, h in np.ndindex(2, 3):
            want = reference.penalty(field[b, h], level[b, h], length - 1) \
                if length else np.zeros(0)
            np.testing.assert_allclose(penalty[b, h], want, rtol=1e-6,
                                       atol=1e-6)
            live = np.nonzero(~(penalty[b, h] > 1.5))[0]
            test.assertEqual(count[b, h], len(live))
            test.assertEqual(order[b, h].tolist(), live.tolist()
                             + [-1] * (length - len(live)))


LIVE = """
  func.func @main(%f: tensor<?x?x?xf32>, %l: tensor<?x?x?xf32>)
      -> (tensor<?x?x?xf32>, tensor<?x?xi64>, tensor<?x?x?xi64>) {
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %b = tensor.dim %f, %c0 : tensor<?x?x?xf32>
    %h = tensor.dim %f, %c1 : tensor<?x?x?xf32>
    %n = tensor.dim %f, %c2 : tensor<?x?x?xf32>
    %p0 = tensor.empty(%b, %h, %n) : tensor<?x?x?xf32>
    %n0 = tensor.empty(%b, %h) : tensor<?x?xi64>
    %o0 = tensor.empty(%b, %h, %n) : tensor<?x?x?xi64>
    %r:3 = fpa.live_keys field(%f : tensor<?x?x?xf32>)
      level(%l : tensor<?x?x?xf32>)
      outs(%p0, %n0, %o0 : tensor<?x?x?xf32>, tensor<?x?xi64>, tensor<?x?x?xi64>)
      {evict_above = 1.5 : f64}
      -> tensor<?x?x?xf32>, tensor<?x?xi64>, tensor<?x?x?xi64>
    return %r#0, %r#1, %r#2 : tensor<?x?x?xf32>, tensor<?x?xi64>, tensor<?x?x?xi64>
  }"""


class Memory(unittest.TestCase):

    def test_memory_is_given_back(self):
        length, heads, size = 16384, 2, 64
        rng = np.random.default_rng(0)
        q, k, v, _ = inputs(1, heads, heads, length, length, size)
        # At the last token one head loses all but a quarter of its keys, the
        # other none.
        field = np.full((1, heads, length), 20, np.float32)
        level = np.full_like(field, 10)
        level[0, 0, rng.permutation(length)[length // 4:]] = 20
        level[0, 0, -1] = 10
        field[..., -1] = -1
        last = tokens((q, k, v, field, level), length - 1, length)
        make(k, v, evict_above=12.0).step(*last)  # compiles
        cache = make(k, v, evict_above=12.0, capacity=length + 1)
        cache.prefill(*tokens((q, k, v, field, level), 0, length - 1))
        full, resident = cache.nbytes, memory()
        self.assertGreaterEqual(full, 2 * heads * (length - 1) * size * 4)
        cache.step(*last)
        live = cache.live[0]
        self.assertLessEqual(abs(int(live[0]) - length // 4), 1)
        self.assertEqual(int(live[1]), length)
        self.assertLess(cache.nbytes, 0.65 * full)
        if resident:
            self.assertLess(memory(), resident - 0.25 * full)
        # And it goes on.
        cache.step(*last)
        self.assertEqual(cache.live[0].tolist(), [int(live[0]) + 1, length + 1])
        cache.clear()
        self.assertLess(cache.nbytes, 4096 * 8 * heads)

    def test_a_quarter_alive_is_less_than_a_third_of_the_memory(self):
        length, size = 8192, 64
        q, k, v, _ = inputs(1, 2, 2, length, length, size)
        field = np.zeros((1, 2, length), np.float32)
        level = np.zeros_like(field)
        level[..., np.arange(length) % 4 != 0] = 20
        field[..., -1] = -1
        sizes = [decode([q, k, v, field, level], [], length,
                        evict_above=e)[3].nbytes for e in (np.inf, 12.0)]
        self.assertLessEqual(sizes[1], 0.3 * sizes[0])

    def test_hundred_thousand_tokens(self):
        # A field of 50 brackets inside of each other, over and over, each time
        # below all before.
        total, chunk, size = 100_000, 250, 8
        period = np.minimum(np.arange(100), np.arange(100)[::-1])
        rng = np.random.default_rng(1)
        cache = fpa.KVCache(1, 1, size, capacity=2048, evict_above=10.0)
        sizes = []
        for begin in range(0, total, chunk):
            q, k, v = (rng.normal(size=(1, 1, chunk, size)).astype("f4")
                       for _ in range(3))
            at = begin + np.arange(chunk)
            field = 20.0 * (period[at % 100] - at // 100)
            field = field.astype("f4")[None, None]
            cache.step(q, k, v, field)
            sizes.append((int(cache.live[0, 0]), cache.nbytes))
        steady = np.array(sizes[4:])
        self.assertLessEqual(steady[:, 0].max(), 100)
        self.assertGreater(steady[:, 0].max(), 40)
        self.assertLessEqual(steady[:, 1].max(), steady[0, 1] + 4 * 4096)


def memory():
    """Bytes of this process in memory, or 0 where the system does not say."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0
