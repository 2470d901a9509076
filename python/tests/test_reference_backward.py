# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference's gradients against differences of the reference, against sums
of decays, and against cases worked out by hand."""

import unittest

import numpy as np

from fpa import reference

INF = np.inf


def problem(seed, batch=1, heads=2, key_heads=1, field_heads=None, q_length=6,
            k_length=6, size=3, v_size=2):
    """q, k, v, field and level, then the gradients of output and lse."""
    rng = np.random.default_rng(seed)

    def normal(*shape):
        return rng.normal(size=shape)

    field_heads = field_heads or key_heads
    return ([normal(batch, heads, q_length, size),
             normal(batch, key_heads, k_length, size),
             normal(batch, key_heads, k_length, v_size),
             normal(batch, field_heads, k_length),
             normal(batch, field_heads, k_length)],
            normal(batch, heads, q_length, v_size),
            normal(batch, heads, q_length))


def gradients(operands, do, dlse=None, **options):
    o, lse = reference.attention(*operands, **options)
    return reference.attention_backward(*operands, o, lse, do, dlse=dlse,
                                        **options)


class Differences(unittest.TestCase):
    """Random numbers are away from ties and kinks by far more than a step."""

    step = 1e-5

    def loss(self, operands, do, dlse, options):
        o, lse = reference.attention(*operands, **options)
        total = (o * do).sum()
        if dlse is not None:
            total += (np.where(np.isinf(lse), 0, lse) * dlse).sum()
        return total

    def check(self, operands, do, dlse=None, **options):
        dips = [x.ravel() for x in operands[3:] if x is not None]
        if dips:
            gaps = np.diff(np.sort(np.concatenate(dips)))
            self.assertGreater(gaps.min(), 4 * self.step)
        got = gradients(operands, do, dlse, **options)
        for n, (x, gradient) in enumerate(zip(operands, got)):
            if x is None:
                self.assertIsNone(gradient)
                continue
            self.assertEqual(gradient.shape, x.shape)
            want = np.zeros(x.shape)
            for place in np.ndindex(*x.shape):
                ends = []
                for step in (self.step, -self.step):
                    moved = list(operands)
                    moved[n] = x.copy()
                    moved[n][place] += step
                    ends.append(self.loss(moved, do, dlse, options))
                want[place] = (ends[0] - ends[1]) / (2 * self.step)
            np.testing.assert_allclose(gradient, want, rtol=1e-6, atol=1e-8,
                                       err_msg=f"operand {n}")

    def test_level_of_its_own(self):
        operands, do, dlse = problem(1)
        self.check(operands, do)
        self.check(operands, do, dlse)
        self.check(operands, do, dlse, scale=-0.7)

    def test_tied(self):
        operands, do, dlse = problem(2)
        self.check([*operands[:4], None], do, dlse)
        self.check([*operands[:4], None], do, dlse, smooth=1.3)

    def test_plain(self):
        operands, do, dlse = problem(3)
        self.check([*operands[:3], None, None], do, dlse)

    def test_smooth(self):
        operands, do, dlse = problem(4)
        for beta in (0.5, 3.0):
            self.check(operands, do, dlse, smooth=beta)

    def test_heads(self):
        for field_heads in (2, 4):
            operands, do, dlse = problem(5, batch=2, heads=4, key_heads=2,
                                         field_heads=field_heads, q_length=4,
                                         k_length=4)
            self.check(operands, do, dlse)

    def test_lengths(self):
        for q_length, k_length in ((1, 1), (3, 7), (7, 3), (4, 0), (0, 4)):
            operands, do, dlse = problem(6, q_length=q_length,
                                         k_length=k_length)
            if k_length:
                self.check(operands, do, dlse)
                self.check(operands, do, dlse, smooth=2.0)
            else:
                self.assertFalse(gradients(operands, do, dlse)[0].any())

    def test_window(self):
        operands, do, dlse = problem(7, q_length=7, k_length=8)
        for window in (1, 3, 20):
            self.check(operands, do, dlse, window=window)
        self.check(operands, do, dlse, window=3, smooth=2.0)

    def test_packed(self):
        operands, do, dlse = problem(8, q_length=8, k_length=8)
        self.check(operands, do, dlse, cu_seqlens=[0, 3, 3, 4, 8])
        self.check(operands, do, dlse, window=2,
                   cu_seqlens=([0, 2, 5, 5, 8], [0, 4, 5, 7, 8]))


class SumsOfDecays(unittest.TestCase):

    def test_forgetting_attention(self):
        """A falling tied field is the sum of log gates, whose gradient is a sum
        over all pairs that lie around a gate."""
        (q, k, v, _, _), do, _ = problem(9, heads=1, q_length=12, k_length=12)
        gates = np.random.default_rng(9).uniform(0.1, 0.99, 12)
        field = np.cumsum(np.log(gates))[None, None]
        dfield = gradients([q, k, v, field, None], do)[3][0, 0]

        scale = 3 ** -0.5
        s = scale * q[0, 0] @ k[0, 0].T
        for i, j in np.ndindex(12, 12):
            s[i, j] = s[i, j] + np.log(gates[j + 1:i + 1]).sum() if j <= i \
                else -INF
        weights = np.exp(s) / np.exp(s).sum(1, keepdims=True)
        dp = do[0, 0] @ v[0, 0].T
        ds = weights * (dp - (weights * dp).sum(1, keepdims=True))
        want = [sum(ds[i, j] for i in range(t, 12) for j in range(t))
                for t in range(12)]
        # The field is a running sum, so a gate's gradient sums what follows.
        np.testing.assert_allclose(np.cumsum(dfield[::-1])[::-1], want,
                                   rtol=1e-9, atol=1e-13)

    def test_alibi(self):
        """The field's gradient in the direction of the slope."""
        (q, k, v, _, _), do, dlse = problem(10, heads=1, q_length=9,
                                            k_length=9)
        steps = -np.arange(9.0)[None, None]

        def loss(slope):
            o, lse = reference.attention(q, k, v, slope * steps)
            return (o * do).sum() + (lse * dlse).sum()

        got = gradients([q, k, v, 0.3 * steps, None], do, dlse)[3]
        want = (loss(0.3 + 1e-5) - loss(0.3 - 1e-5)) / 2e-5
        np.testing.assert_allclose((got * steps).sum(), want, rtol=1e-8)


class ByHand(unittest.TestCase):
    """q = k = 0, so that s = -pen; v = (1, 0, 0, ...) and do = 1."""

    def gradients(self, field, level=None, rows=None, dlse=None, **options):
        length = len(field)
        rows = length if rows is None else rows
        zero = np.zeros((1, 1, length, 1))
        v = zero.copy()
        v[0, 0, :1] = 1
        field = np.array(field, np.float64)[None, None]
        if level is not None:
            level = np.array(level, np.float64)[None, None]
        got = gradients([zero[:, :, :rows], zero, v, field, level],
                        np.ones((1, 1, rows, 1)), dlse, **options)
        return [None if x is None else x[0, 0] for x in got]

    def test_ties_go_to_the_last_place_and_kinks_to_none(self):
        # Key 0 is penalised by 2 in the rows 1 (field 1) and 2 (fields 1 and 2,
        # of one value). Key 1 stands on the kink in row 2.
        e = np.exp(-2.0)
        first, second = e / (1 + e), e / (2 + e)
        first, second = first * (1 - first), second * (1 - second)
        _, _, _, dfield, dlevel = self.gradients([5, 1, 1], [3, 1, 0])
        np.testing.assert_allclose(dfield, [0, first, second], rtol=1e-12)
        np.testing.assert_allclose(dlevel, [-first - second, 0, 0], rtol=1e-12)
        _, _, _, dfield, dlevel = self.gradients([3, 1, 1])
        np.testing.assert_allclose(dfield, [-first - second, first, second],
                                   rtol=1e-12)
        self.assertIsNone(dlevel)

    def test_the_smooth_form_has_no_kink(self):
        # One pair with a penalty: z = 0, of slope 1/2 and penalty log(2) / beta.
        for value in (1.0, INF, -INF):
            _, _, _, dfield, dlevel = self.gradients([value] * 2, [value] * 2,
                                                     smooth=2.0)
            p = 2 ** -0.5 / (1 + 2 ** -0.5)
            np.testing.assert_allclose(dfield, [0, p * (1 - p) / 2],
                                       rtol=1e-12)
            np.testing.assert_allclose(dlevel, [-p * (1 - p) / 2, 0],
                                       rtol=1e-12)

    def test_infinities_have_no_gradient(self):
        for field, level in (([0, -INF, 0], None), ([INF] * 3, None),
                             ([INF] * 3, [INF] * 3), ([0.0] * 3, [-INF] * 3),
                             ([0.0] * 3, [INF] * 3), ([-INF] * 3, [-INF] * 3)):
            got = self.gradients(field, level)
            for x in got[3:]:
                if x is not None:
                    np.testing.assert_array_equal(x, 0)

    def test_gradient_of_lse(self):
        # Penalties 1 and 3 in the only row, whose lse has the gradient 2; the
        # output's gradient adds P (v - o).
        p = np.exp([-1, -3, 0])
        p /= p.sum()
        ds = p * ([1, 0, 0] - p[0] + 2)
        _, _, _, dfield, dlevel = self.gradients(
            [9, 6, 4], [5, 7, 99], rows=1, dlse=np.full((1, 1, 1), 2.0))
        np.testing.assert_allclose(dlevel, [-ds[0], -ds[1], 0], rtol=1e-12)
        np.testing.assert_allclose(dfield, [0, 0, ds[0] + ds[1]], rtol=1e-12)

    def test_rows_without_keys(self):
        q = np.ones((1, 1, 3, 2))
        k = v = np.ones((1, 1, 1, 2))
        field = np.zeros((1, 1, 1))
        dlse = np.array([[[5.0, 7.0, 2.0]]])
        dq, dk, dv, dfield, _ = gradients([q, k, v, field, None], q, dlse,
                                          scale=0.5)
        # Row 2 sees the key, with P = 1; the others have no gradient.
        np.testing.assert_allclose(dq[0, 0], [[0, 0], [0, 0], [1, 1]])
        np.testing.assert_allclose(dk[0, 0], [[1, 1]])
        np.testing.assert_allclose(dv[0, 0], [[1, 1]])
        np.testing.assert_array_equal(dfield, 0)

    def test_nan_stays_in_its_row(self):
        (q, k, v, field, level), do, dlse = problem(11, heads=1)
        q[0, 0, 2, 0] = np.nan
        dq, dk, dv, _, _ = gradients([q, k, v, field, level], do, dlse)
        np.testing.assert_array_equal(np.isnan(dq[0, 0]).any(1),
                                      [0, 0, 1, 0, 0, 0])
        for x in (dk, dv):
            np.testing.assert_array_equal(np.isnan(x[0, 0]).any(1),
                                          [1, 1, 1, 0, 0, 0])


if __name__ == "__main__":
    unittest.main()
