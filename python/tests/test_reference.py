# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference against cases worked out by hand."""

import unittest

import numpy as np

from fpa import reference

INF = np.inf


class Penalty(unittest.TestCase):

    def test_deepest_dip_between_key_and_query(self):
        field = [9.0, 3.0, 5.0, 1.0, 4.0]
        level = [4.0, 2.0, 6.0, 7.0, 8.0]
        np.testing.assert_array_equal(
            reference.penalty(field, level, 2), [1.0, 0.0, 0.0])
        np.testing.assert_array_equal(
            reference.penalty(field, level, 4), [3.0, 1.0, 5.0, 3.0, 0.0])

    def test_tied_penalises_what_a_dip_popped(self):
        depth = [0.0, 1.0, 2.0, 1.0, 1.0, 0.0, 1.0]
        live = reference.penalty(depth, depth, 6) == 0
        np.testing.assert_array_equal(live, [1, 0, 0, 0, 0, 1, 1])

    def test_infinities(self):
        field = [0.0, INF, -INF, INF]
        level = [INF, -INF, -INF, INF]
        np.testing.assert_array_equal(
            reference.penalty(field, level, 3), [INF, 0.0, 0.0, 0.0])

    def test_nan_reaches_only_older_keys(self):
        pen = reference.penalty([0.0, 0.0, np.nan, 0.0], [1.0] * 4, 3)
        np.testing.assert_array_equal(np.isnan(pen), [1, 1, 0, 0])

    def test_smooth_is_above_and_tends_to_exact(self):
        rng = np.random.default_rng(1)
        field, level = rng.normal(size=(2, 30))
        exact = reference.penalty(field, level, 29)
        near = reference.penalty(field, level, 29, smooth=1000.0)
        far = reference.penalty(field, level, 29, smooth=1.0)
        self.assertTrue((far >= exact).all() and (far >= near).all())
        np.testing.assert_allclose(near, exact, atol=1e-3)
        self.assertEqual(far[-1], 0.0)


class Attention(unittest.TestCase):

    def test_plain_softmax(self):
        rng = np.random.default_rng(2)
        q, k, v = rng.normal(size=(3, 1, 1, 5, 4))
        s = np.where(np.tri(5, dtype=bool), 0.5 * q[0, 0] @ k[0, 0].T, -INF)
        p = np.exp(s)
        out, lse = reference.attention(q, k, v)
        np.testing.assert_allclose(
            out[0, 0], p @ v[0, 0] / p.sum(1, keepdims=True), rtol=1e-12)
        np.testing.assert_allclose(lse[0, 0], np.log(p.sum(1)), rtol=1e-12)

    def test_tied_falling_field_is_a_difference(self):
        rng = np.random.default_rng(3)
        q, k, v = rng.normal(size=(3, 1, 1, 7, 4))
        f = np.cumsum(-rng.uniform(size=(1, 1, 7)), -1)
        s = 0.5 * q[0, 0] @ k[0, 0].T + f[0, 0][:, None] - f[0, 0][None, :]
        p = np.where(np.tri(7, dtype=bool), np.exp(s), 0)
        out, _ = reference.attention(q, k, v, f)
        np.testing.assert_allclose(
            out[0, 0], p @ v[0, 0] / p.sum(1, keepdims=True), rtol=1e-10)

    def test_rows_without_keys(self):
        q = np.ones((1, 1, 3, 2))
        k = v = np.ones((1, 1, 1, 2))
        out, lse = reference.attention(q, k, v, np.zeros((1, 1, 1)))
        np.testing.assert_array_equal(out[0, 0, :, 0], [0, 0, 1])
        np.testing.assert_array_equal(np.isinf(lse[0, 0]), [1, 1, 0])

    def test_window_and_heads(self):
        rng = np.random.default_rng(4)
        q = rng.normal(size=(1, 4, 6, 3))
        k, v = rng.normal(size=(2, 1, 2, 6, 3))
        f = rng.normal(size=(1, 2, 6))
        out, _ = reference.attention(q, k, v, f, window=1)
        np.testing.assert_allclose(out, np.repeat(v, 2, axis=1), rtol=1e-12)

    def test_packed_is_each_by_itself(self):
        rng = np.random.default_rng(5)
        q, k, v = rng.normal(size=(3, 1, 2, 9, 3))
        f = rng.normal(size=(1, 2, 9))
        out, lse = reference.attention(q, k, v, f, cu_seqlens=[0, 4, 4, 9])
        for b, e in ((0, 4), (4, 9)):
            part = (x[:, :, b:e] for x in (q, k, v, f))
            alone, alone_lse = reference.attention(*part)
            np.testing.assert_array_equal(out[:, :, b:e], alone)
            np.testing.assert_array_equal(lse[:, :, b:e], alone_lse)


    def test_wrong_shapes_are_refused(self):
        x, f = np.zeros((1, 2, 5, 4)), np.zeros((1, 2, 5))
        for message, *arguments in (
                (r"expected q of shape \[B, HQ, Lq, D\], got shape \[2, 5, 4\]",
                 x[0], x, x, f),
                ("expected k of shape .* D = 4", x, x[..., :3], x, f),
                ("expected v of shape .* Lk = 5", x, x, x[:, :, 1:], f),
                ("expected field of shape .* Lk = 5", x, x, x, f[..., 1:]),
                ("expected level of shape .* Lk = 5", x, x, x, f, f[..., 1:]),
                ("expected a field to go with level", x, x, x, None, f)):
            with self.assertRaisesRegex(ValueError, message):
                reference.attention(*arguments)
        with self.assertRaisesRegex(ValueError, "rise from 0 to 5"):
            reference.attention(x, x, x, f, cu_seqlens=[0, 4])


class Prefix(unittest.TestCase):

    def test_min_and_index(self):
        x = [3.0, 1.0, 2.0, 1.0, 4.0]
        for reverse, exclusive, value, index in (
                (False, False, [3, 1, 1, 1, 1], [0, 1, 1, 3, 3]),
                (False, True, [INF, 3, 1, 1, 1], [-1, 0, 1, 1, 3]),
                (True, False, [1, 1, 1, 1, 4], [3, 3, 3, 3, 4]),
                (True, True, [1, 1, 1, 4, INF], [3, 3, 3, 4, -1])):
            got = reference.prefix_min(x, 0, reverse, exclusive)
            np.testing.assert_array_equal(got[0], value)
            np.testing.assert_array_equal(got[1], index)

    def test_min_nan_and_infinity(self):
        x = np.float32([INF, np.nan, 0.0, np.nan, 1.0])
        value, index = reference.prefix_min(x)
        np.testing.assert_array_equal(value, [INF] + 4 * [np.nan])
        np.testing.assert_array_equal(index, [0, 1, 1, 3, 3])
        value, index = reference.prefix_min(x, reverse=True)
        np.testing.assert_array_equal(value, 4 * [np.nan] + [1.0])
        np.testing.assert_array_equal(index, [3, 3, 3, 3, 4])
        self.assertEqual(value.dtype, np.float32)

    def test_axis_and_empty(self):
        x = np.arange(6.0).reshape(2, 3)[::-1]
        np.testing.assert_array_equal(
            reference.prefix_min(x, axis=0)[0], [[3, 4, 5], [0, 1, 2]])
        self.assertEqual(reference.prefix_min(np.ones((2, 0)))[0].shape, (2, 0))
        self.assertEqual(
            reference.prefix_sum(np.ones((2, 0)), exclusive=True).shape, (2, 0))

    def test_sum(self):
        x = [1.0, 2.0, 4.0]
        for reverse, exclusive, value in (
                (False, False, [1, 3, 7]), (False, True, [0, 1, 3]),
                (True, False, [7, 6, 4]), (True, True, [6, 4, 0])):
            np.testing.assert_array_equal(
                reference.prefix_sum(x, 0, reverse, exclusive), value)


if __name__ == "__main__":
    unittest.main()
