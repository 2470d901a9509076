# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.attention_backward against the reference, and its messages."""

import unittest

import numpy as np

import fpa
from fpa import reference
from operands import Comparisons, bits, floats, inputs, turned

NAMES = ("dq", "dk", "dv", "dfield", "dlevel")


def saved(q, k, v, field, level=None, seed=5, **options):
    """o, lse, do and dlse for these operands."""
    o, lse = reference.attention(q, k, v, field, level, **options)
    rng = np.random.default_rng(seed)
    wide = np.float64 if q.dtype == np.float64 else np.float32
    return (o.astype(q.dtype), lse.astype(wide),
            rng.normal(size=o.shape).astype(q.dtype),
            rng.normal(size=lse.shape).astype(wide))


def limit(x):
    """How far from the truth a gradient of this type may be, as a share of the
    largest one."""
    return {"float64": 1e-12, "float32": 5e-5, "float16": 2e-3,
            "bfloat16": 1.6e-2}[x.dtype.name]


class Results(Comparisons, unittest.TestCase):

    LENGTHS = ((1, 1), (2, 3), (65, 65), (40, 30), (1, 70), (0, 3), (3, 0))

    def compare(self, q, k, v, field, level=None, **options):
        o, lse, do, dlse = saved(q, k, v, field, level, **options)
        for lse_gradient in (None, dlse):
            got = fpa.attention_backward(q, k, v, field, level, o, lse, do,
                                         dlse=lse_gradient, **options)
            want = reference.attention_backward(
                q, k, v, field, level, o, lse, do, dlse=lse_gradient,
                **options)
            self.assertEqual(len(got), 5)
            for name, x, y, of in zip(NAMES, got, want,
                                      (q, k, v, field, level)):
                if of is None:
                    self.assertIsNone(x, name)
                    self.assertIsNone(y, name)
                    continue
                self.assertEqual(x.shape, of.shape)
                self.assertEqual(
                    x.dtype, lse.dtype if name in NAMES[3:] else q.dtype)
                bound = limit(x) * np.abs(y).max(initial=0)
                if q.dtype.itemsize == 2:
                    bound = max(bound, 1e-3 * np.abs(y).max(initial=0))
                # Where a gradient is 0, rounding is left.
                bound = max(bound, 1e-6 if lse.dtype == np.float32 else 1e-14)
                np.testing.assert_allclose(x.astype(np.float64), y, rtol=0,
                                           atol=bound, err_msg=name)

    def test_bfloat16_by_its_bits(self):
        q, k, v, field = inputs()
        q, k, v = map(bits, (q, k, v))
        o, lse, do, _ = saved(*map(floats, (q, k, v)), field)
        o, do = bits(o), bits(do)
        got = fpa.attention_backward(q, k, v, field, None, o, lse, do)
        want = reference.attention_backward(
            *map(floats, (q, k, v)), field, None, floats(o), lse, floats(do))
        for x, y in zip(got[:3], want):
            np.testing.assert_allclose(floats(x), y, rtol=0,
                                       atol=1.6e-2 * np.abs(y).max())

    def test_narrow_fields_have_wide_gradients(self):
        q, k, v, field = inputs()
        field = field.astype("f2")
        o, lse, do, dlse = saved(q, k, v, field)
        got = fpa.attention_backward(q, k, v, field, None, o, lse, do,
                                     dlse=dlse.astype("f2"))
        self.assertEqual(got[3].dtype, np.float32)

    def test_a_step_against_the_gradient_lowers_the_loss(self):
        operands = inputs(q_length=40, k_length=40)
        target = np.random.default_rng(9).normal(
            size=operands[0].shape).astype("f4")

        def loss_and_gradient(arrays):
            o, lse = fpa.attention(*arrays, return_lse=True)
            do = o - target
            return (do ** 2).sum() / 2, fpa.attention_backward(
                *arrays, None, o, lse, do)

        before, gradient = loss_and_gradient(operands)
        for n in range(4):
            moved = list(operands)
            moved[n] = moved[n] - 1e-2 * gradient[n]
            after, _ = loss_and_gradient(moved)
            expected = 1e-2 * (gradient[n].astype(np.float64) ** 2).sum()
            self.assertGreater(before - after, 0.5 * expected)

    def test_strides(self):
        q, k, v, field = inputs(heads=2, key_heads=2)
        o, lse, do, dlse = saved(q, k, v, field)
        want = fpa.attention_backward(q, k, v, field, None, o, lse, do,
                                      dlse=dlse)
        q, k, v, o, lse, do, dlse = turned(q, k, v, o, lse, do, dlse)
        got = fpa.attention_backward(q, k, v, field, None, o, lse, do,
                                     dlse=dlse)
        for x, y in zip(got[:4], want):
            np.testing.assert_array_equal(x, y)

    def test_arguments_stay_as_they_are(self):
        q, k, v, field = inputs()
        arrays = [q, k, v, field, field - 1, *saved(q, k, v, field)[:3]]
        before = [x.copy() for x in arrays]
        fpa.attention_backward(*arrays)
        for x, old in zip(arrays, before):
            np.testing.assert_array_equal(x, old)


class Messages(unittest.TestCase):

    def refuse(self, error, message, changes=None, **options):
        """changes: of the arguments by name."""
        q, k, v, field = inputs()
        o, lse, do, _ = saved(q, k, v, field)
        arguments = {"q": q, "k": k, "v": v, "field": field, "level": None,
                     "o": o, "lse": lse, "do": do}
        for name, change in (changes or {}).items():
            arguments[name] = change(arguments[name])
        with self.assertRaisesRegex(error, message) as caught:
            fpa.attention_backward(**arguments, **options)
        self.assertNotIn("\n", str(caught.exception))

    def test_types(self):
        self.refuse(TypeError, "expected q to be a NumPy array of .*, got list",
                    {"q": lambda x: x.tolist()})
        self.refuse(TypeError, "expected o to be a NumPy array of float32, got "
                    r"float64 of shape \[1, 2, 33, 16\]",
                    {"o": lambda x: x.astype("f8")})
        self.refuse(TypeError, "expected lse to be a NumPy array of float32, "
                    "got float16", {"lse": lambda x: x.astype("f2")})
        self.refuse(TypeError, "expected lse .* got NoneType",
                    {"lse": lambda x: None})
        self.refuse(TypeError, "expected do .* got int64",
                    {"do": lambda x: x.astype("i8")})
        self.refuse(TypeError, "expected dlse to be a NumPy array of float16, "
                    "bfloat16, float32, got float64",
                    dlse=np.zeros((1, 2, 33)))
        self.refuse(TypeError, "expected window to be an integer", window=1.5)
        self.refuse(TypeError, "expected q of float16, bfloat16 or float32 on "
                    "target emulator, got float64",
                    {name: lambda x: x.astype("f8") for name in
                     ("q", "k", "v", "field", "o", "lse", "do")},
                    target="emulator")

    def test_shapes(self):
        self.refuse(ValueError, r"expected o of shape \[B = 1, HQ = 2, Lq = 33,"
                    r" Dv = 16\], got shape \[1, 2, 33, 8\]",
                    {"o": lambda x: x[..., :8]})
        self.refuse(ValueError, r"expected lse of shape \[B = 1, HQ = 2, "
                    r"Lq = 33\], got shape \[1, 2, 32\]",
                    {"lse": lambda x: x[..., 1:]})
        self.refuse(ValueError, "expected do of shape .* got shape",
                    {"do": lambda x: x[:, :1]})
        self.refuse(ValueError, "expected dlse of shape .* got shape",
                    dlse=np.zeros((2, 33), "f4"))
        self.refuse(ValueError, "expected k of shape .* D = 16",
                    {"k": lambda x: x[..., :8].copy()})
        self.refuse(ValueError, "expected a field to go with level",
                    {"level": lambda x: np.zeros((1, 1, 33), "f4"),
                     "field": lambda x: None})

    def test_values(self):
        self.refuse(ValueError, "expected smooth to be positive", smooth=0.0)
        self.refuse(ValueError, r"expected smooth to lie between 2\^-100 and "
                    r"2\^100 for logits of f32, got 1e\+38", smooth=1e38)
        self.refuse(ValueError, "expected cu_seqlens for q to rise from 0 to 33",
                    cu_seqlens=[0, 40])
        self.refuse(ValueError, "expected target to be 'cpu', 'emulator' or "
                    "'cuda', got 'tpu'", target="tpu")


if __name__ == "__main__":
    unittest.main()
