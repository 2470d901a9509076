# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.attention against the reference, and its messages."""

import unittest

import numpy as np

import fpa
from fpa import _program, reference
from operands import Comparisons, bits, floats, inputs, turned


def limit(x):
    """How far from the truth a result of this type may be, values near 1."""
    return {"float64": 1e-13, "float32": 1e-5, "float16": 2e-3,
            "bfloat16": 1.6e-2}[x.dtype.name]


class Results(Comparisons, unittest.TestCase):

    LENGTHS = ((1, 1), (2, 3), (63, 64), (65, 65), (127, 200), (40, 30),
               (1, 130))

    def compare(self, q, k, v, field, level=None, **options):
        out, lse = fpa.attention(q, k, v, field, level, return_lse=True,
                                 **options)
        want, want_lse = reference.attention(q, k, v, field, level, **options)
        self.assertEqual(out.dtype, q.dtype)
        self.assertEqual(out.shape, want.shape)
        np.testing.assert_allclose(out.astype(np.float64), want,
                                   atol=limit(out), rtol=limit(out))
        wide = limit(lse) if q.dtype == np.float64 else 1e-5
        np.testing.assert_allclose(lse, want_lse, atol=wide, rtol=wide)

    def test_bfloat16_by_its_bits(self):
        arrays = [bits(x) for x in inputs()]
        values = [floats(x) for x in arrays]
        want = fpa.attention(*values)
        out = fpa.attention(*arrays)
        self.assertEqual(out.dtype.itemsize, 2)
        np.testing.assert_allclose(floats(out), want, atol=1.6e-2, rtol=1.6e-2)

    def test_smooth_at_the_ends_of_its_range(self):
        for smooth in (2.0**-100, 2.0**100):
            with self.subTest(smooth=smooth):
                self.compare(*inputs(), smooth=smooth)

    def test_arrays_of_another_layout_in_later_calls(self):
        """What was checked in the first call is not what these depend on."""
        given = inputs()
        want = fpa.attention(*given)

        def unaligned(x):
            memory = np.zeros(x.nbytes + 1, np.uint8)[1:]
            view = memory.view(x.dtype).reshape(x.shape)
            view[...] = x
            return view

        def read_only(x):
            x = x.copy()
            x.flags.writeable = False
            return x

        layouts = (read_only, unaligned, np.asfortranarray,
                   lambda x: np.repeat(x, 2, axis=-1)[..., ::2],
                   lambda x: x.astype(x.dtype.newbyteorder()))
        for layout in layouts:
            for which in range(4):
                changed = [layout(x) if n == which else x
                           for n, x in enumerate(given)]
                for _ in range(2):
                    np.testing.assert_array_equal(fpa.attention(*changed),
                                                  want)

    def test_one_program_for_every_smooth(self):
        q, k, v, field = inputs(size=24)
        programs = _program.cached.cache_info().misses
        for smooth in (0.5, 4, np.float32(30)):
            with self.subTest(smooth=smooth):
                self.compare(q, k, v, field, smooth=smooth)
        self.assertEqual(_program.cached.cache_info().misses, programs + 1)

    def test_the_largest_scale(self):
        q, k, v, field = inputs()
        q[0, 0, 3] = 0
        self.compare(q, k, v, field, scale=2.0**100)

    def test_no_rows_and_no_keys(self):
        q, k, v, f = inputs(q_length=0)
        self.assertEqual(fpa.attention(q, k, v, f).shape, q.shape)
        q, k, v, f = inputs(k_length=0)
        out, lse = fpa.attention(q, k, v, f, return_lse=True)
        self.assertTrue((out == 0).all() and (lse == -np.inf).all())

    def test_strides(self):
        q, k, v, field = inputs(heads=2, key_heads=2)
        want = fpa.attention(q, k, v, field)
        got = fpa.attention(*turned(q, k, v), field)
        np.testing.assert_array_equal(got, want)
        backward = field[..., ::-1].copy()[..., ::-1]
        np.testing.assert_array_equal(fpa.attention(q, k, v, backward), want)

    def test_arguments_stay_as_they_are(self):
        arrays = inputs()
        before = [x.copy() for x in arrays]
        fpa.attention(*arrays)
        for x, old in zip(arrays, before):
            np.testing.assert_array_equal(x, old)

    def test_result_outlives_the_call(self):
        q, k, v, field = inputs()
        first = fpa.attention(q, k, v, field)
        copy = first.copy()
        for _ in range(5):
            fpa.attention(2 * q, k, v, field)
        np.testing.assert_array_equal(first, copy)
        first[:] = 0  # writable


class Messages(unittest.TestCase):

    def refuse(self, error, message, change=lambda *a: a, **options):
        with self.assertRaisesRegex(error, message) as caught:
            fpa.attention(*change(*inputs()), **options)
        self.assertNotIn("\n", str(caught.exception))

    def test_types(self):
        self.refuse(TypeError, "expected q to be a NumPy array of .*, got list",
                    lambda q, k, v, f: (q.tolist(), k, v, f))
        self.refuse(TypeError, "expected q to be a NumPy array of .*, got a "
                    "masked array$",
                    lambda q, k, v, f: (np.ma.masked_array(q), k, v, f))
        self.refuse(TypeError, "expected k to be a NumPy array of float32, got "
                    r"float64 of shape \[1, 1, 33, 16\]",
                    lambda q, k, v, f: (q, k.astype("f8"), v, f))
        self.refuse(TypeError, "expected v .* got int64",
                    lambda q, k, v, f: (q, k, v.astype("i8"), f))
        self.refuse(TypeError, "expected field .*float32, got float64",
                    lambda q, k, v, f: (q, k, v, f.astype("f8")))
        self.refuse(TypeError, "expected scale to be a number", scale="big")
        self.refuse(TypeError, "expected window to be an integer", window=1.5)
        self.refuse(TypeError, "expected cu_seqlens to be integers",
                    cu_seqlens=[0.0, 33.0])

    def test_shapes(self):
        self.refuse(ValueError, r"expected q of shape \[B, HQ, Lq, D\], got "
                    r"shape \[2, 33, 16\]", lambda q, k, v, f: (q[0], k, v, f))
        self.refuse(ValueError, r"expected k of shape .* D = 16",
                    lambda q, k, v, f: (q, k[..., :8].copy(), v, f))
        self.refuse(ValueError, r"expected v of shape .* Lk = 33",
                    lambda q, k, v, f: (q, k, v[:, :, 1:], f))
        self.refuse(ValueError, "multiple of k's, got 2 and 0",
                    lambda q, k, v, f: (q, k[:, :0], v[:, :0], f))
        self.refuse(ValueError, r"expected field of shape .* Lk = 33",
                    lambda q, k, v, f: (q, k, v, f[..., 1:]))
        self.refuse(ValueError, "expected level of field's shape",
                    lambda q, k, v, f: (q, k, v, f, f.repeat(2, 1)))
        self.refuse(ValueError, "expected a field to go with level",
                    lambda q, k, v, f: (q, k, v, None, f))

    def test_types_of_targets(self):
        for target in ("emulator", "cuda"):
            self.refuse(TypeError, "expected q of float16, bfloat16 or float32 on "
                        rf"target {target}, got float64 of shape \[1, 2, 33, 16\]",
                        lambda *a: [x.astype("f8") for x in a], target=target)

    def test_values(self):
        self.refuse(ValueError, "expected window to be in", window=0)
        for smooth in (0.0, -1, float("nan"), float("inf")):
            self.refuse(ValueError, "expected smooth to be positive and finite, "
                        "got ", smooth=smooth)
        for smooth in (1e-40, 1e38):
            self.refuse(ValueError, r"expected smooth to lie between 2\^-100 and "
                        r"2\^100 for logits of f32, got 1e", smooth=smooth)
        self.refuse(ValueError, "expected scale to be finite", scale=np.nan)
        self.refuse(ValueError, r"expected scale to lie between -2\^100 and "
                    r"2\^100 for logits of f32, got -1e", scale=-1e38)
        huge = 10 ** 400
        self.refuse(ValueError, "expected scale to be finite, got -inf",
                    scale=-huge)
        self.refuse(ValueError, "expected smooth to be positive and finite, "
                    "got inf", smooth=huge)
        self.refuse(ValueError, "expected prune_eps to be finite, got inf",
                    prune_eps=huge)
        self.refuse(ValueError, r"expected window to be in \[1, .*, got a "
                    "number of 33220 bits", window=10 ** 10000)
        self.refuse(ValueError, "expected prune_eps to be at least 0 and below 1, "
                    "got 1.0", prune_eps=1.0)
        self.refuse(ValueError, "expected target to be 'cpu', 'emulator' or "
                    "'cuda', got 'tpu'",
                    target="tpu")
        self.refuse(TypeError, r"expected target to be a string, got str\w* of "
                    r"shape \[2\]", target=np.array(["cpu", "cuda"]))
        self.refuse(TypeError, "expected return_lse to be true or false, got "
                    r"bool of shape \[2\]", return_lse=np.array([True, False]))
        for empty in ([], ([], []), np.zeros((0,), np.int64)):
            self.refuse(ValueError, r"expected cu_seqlens of shape \[N \+ 1\], "
                        r"N at least 1, got shape \[0\]", cu_seqlens=empty)
        self.refuse(ValueError, "expected cu_seqlens for q to rise from 0 to 33",
                    cu_seqlens=[0, 40])
        self.refuse(ValueError, "expected cu_seqlens for q and k of one length",
                    cu_seqlens=([0, 33], [0, 3, 33]))
        self.refuse(ValueError, "expected q of batch size 1",
                    lambda *a: [np.repeat(x, 2, 0) for x in a],
                    cu_seqlens=[0, 33])


if __name__ == "__main__":
    unittest.main()
