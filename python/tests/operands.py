# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operands that attention and its gradients are tested with."""

import unittest

import numpy as np

try:
    import ml_dtypes
    BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
except ImportError:
    BFLOAT16 = None


def inputs(batch=1, heads=2, key_heads=1, q_length=33, k_length=33, size=16,
           v_size=None, dtype=np.float32, seed=0):
    """q, k, v and a field that walks."""
    rng = np.random.default_rng(seed)
    q = rng.normal(size=(batch, heads, q_length, size))
    k = rng.normal(size=(batch, key_heads, k_length, size))
    v = rng.normal(size=(batch, key_heads, k_length, v_size or size))
    field = rng.normal(size=(batch, key_heads, k_length)).cumsum(-1)
    wide = np.float64 if dtype == np.float64 else np.float32
    return q.astype(dtype), k.astype(dtype), v.astype(dtype), field.astype(wide)


def bits(x):
    """float32 as bfloat16, cut off, not rounded."""
    return (x.view(np.uint32) >> 16).astype(np.uint16).view("V2")


def floats(x):
    """bfloat16 as float32."""
    return (x.view(np.uint16).astype(np.uint32) << 16).view(np.float32)


def turned(*arrays):
    """The same values with axes 1 and 2 stored the other way round."""
    return [np.ascontiguousarray(x.swapaxes(1, 2)).swapaxes(1, 2)
            for x in arrays]


class Comparisons:
    """Tests of whoever has `compare`, which takes operands and options, and
    `LENGTHS` of queries and keys to go through."""

    def test_element_types(self):
        for dtype in (np.float16, np.float32, np.float64):
            with self.subTest(dtype=dtype):
                self.compare(*inputs(dtype=dtype))

    @unittest.skipIf(BFLOAT16 is None, "ml_dtypes is not installed")
    def test_bfloat16(self):
        self.compare(*inputs(dtype=BFLOAT16))

    def test_lengths(self):
        for q_length, k_length in self.LENGTHS:
            with self.subTest(q_length=q_length, k_length=k_length):
                self.compare(*inputs(q_length=q_length, k_length=k_length))

    def test_heads_and_sizes(self):
        for heads, key_heads, size, v_size in ((4, 4, 8, 8), (6, 2, 24, 40),
                                               (3, 1, 5, 7)):
            with self.subTest(heads=heads, size=size):
                self.compare(*inputs(2, heads, key_heads, size=size,
                                     v_size=v_size))

    def test_field_for_each_query_head(self):
        q, k, v, _ = inputs(heads=4, key_heads=2)
        field = np.random.default_rng(1).normal(size=(1, 4, 33)).astype("f4")
        self.compare(q, k, v, field)

    def test_level_of_its_own(self):
        q, k, v, field = inputs()
        level = np.random.default_rng(2).normal(size=field.shape).astype("f4")
        self.compare(q, k, v, field, level)
        self.compare(q, k, v, field, np.full_like(field, -np.inf))

    def test_options(self):
        q, k, v, field = inputs(q_length=70, k_length=70)
        self.compare(q, k, v, field, scale=0.7)
        self.compare(q, k, v, field, window=9)
        self.compare(q, k, v, field, smooth=2.0)
        self.compare(q, k, v, None)

    def test_packed(self):
        q, k, v, field = inputs(q_length=90, k_length=90)
        self.compare(q, k, v, field, cu_seqlens=[0, 30, 30, 31, 90])
        self.compare(q[:, :, :50], k, v, field,
                     cu_seqlens=([0, 20, 50], np.int32([0, 45, 90])))
