# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.prefix_min and fpa.prefix_sum against the reference."""

import itertools
import unittest

import numpy as np

import fpa
from fpa import reference

DIRECTIONS = list(itertools.product([False, True], repeat=2))
SHAPES = [((7,), 0), ((1000,), -1), ((3, 65), 1), ((65, 3), 0),
          ((2, 17, 5), 1), ((2, 3, 4, 33), 3), ((4, 0), 1), ((0, 4), 1)]


class PrefixMin(unittest.TestCase):

    def compare(self, x, axis, reverse, exclusive):
        value, index = fpa.prefix_min(x, axis, reverse, exclusive,
                                      return_index=True)
        want, want_index = reference.prefix_min(x, axis, reverse, exclusive)
        np.testing.assert_array_equal(value, want)
        np.testing.assert_array_equal(index, want_index)
        self.assertEqual((value.dtype, index.dtype), (x.dtype, np.int64))
        np.testing.assert_array_equal(
            fpa.prefix_min(x, axis, reverse, exclusive), want)

    def test_shapes_and_directions(self):
        rng = np.random.default_rng(0)
        for (shape, axis), (reverse, exclusive) in itertools.product(
                SHAPES, DIRECTIONS):
            with self.subTest(shape=shape, axis=axis, reverse=reverse,
                              exclusive=exclusive):
                x = rng.integers(-4, 30, shape).astype(np.float32)
                self.compare(x, axis, reverse, exclusive)

    def test_element_types(self):
        x = np.random.default_rng(1).normal(size=(3, 70))
        for dtype in (np.float16, np.float32, np.float64):
            with self.subTest(dtype=dtype):
                self.compare(x.astype(dtype), 1, False, False)

    def test_special_values(self):
        x = np.float32([3, np.inf, -np.inf, -np.inf, np.nan, 1, np.nan, 0])
        for reverse, exclusive in DIRECTIONS:
            self.compare(x, 0, reverse, exclusive)
            self.compare(np.full(40, np.inf, "f4"), 0, reverse, exclusive)

    def test_strides(self):
        x = np.random.default_rng(2).normal(size=(6, 50)).astype("f4")
        self.compare(x.T, 0, False, True)
        self.compare(x[:, ::-2], 1, True, False)

    def test_messages(self):
        for error, message, x, axis in (
                (TypeError, "expected x to be a NumPy array of float16, "
                 "bfloat16, float32, float64, got int64", np.arange(3), 0),
                (TypeError, "got list", [1.0], 0),
                (TypeError, "got a scalar of type float32", np.float32(1), 0),
                (ValueError, "expected x to have an axis", np.array(1.0), 0),
                (ValueError, r"expected axis to be in \[-1, 0\], got 1",
                 np.ones(3), 1),
                (TypeError, "expected axis to be an integer", np.ones(3), 0.5)):
            with self.assertRaisesRegex(error, message):
                fpa.prefix_min(x, axis)
        for name in ("reverse", "exclusive", "return_index"):
            with self.assertRaisesRegex(TypeError, f"expected {name} to be "
                                        "true or false, got bool of shape"):
                fpa.prefix_min(np.ones(3), **{name: np.array([True, False])})


class PrefixSum(unittest.TestCase):

    def test_shapes_and_directions(self):
        rng = np.random.default_rng(3)
        for (shape, axis), (reverse, exclusive), dtype in itertools.product(
                SHAPES, DIRECTIONS, (np.float32, np.float64)):
            with self.subTest(shape=shape, reverse=reverse,
                              exclusive=exclusive, dtype=dtype):
                # Sums of small integers are exact in any order.
                x = rng.integers(-9, 9, shape).astype(dtype)
                got = fpa.prefix_sum(x, axis, reverse, exclusive)
                self.assertEqual(got.dtype, x.dtype)
                np.testing.assert_array_equal(
                    got, reference.prefix_sum(x, axis, reverse, exclusive))

    def test_messages(self):
        with self.assertRaisesRegex(TypeError, "float32, float64, got float16"):
            fpa.prefix_sum(np.ones(3, np.float16))


if __name__ == "__main__":
    unittest.main()
