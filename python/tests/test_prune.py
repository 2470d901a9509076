# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What pruning leaves out: never more than it says, and that never more than
was allowed."""

import functools
import unittest

import numpy as np

import fpa
from fpa import _attention, _attention_backward

KEYS = 32  # of a tile
OPTIONS = f"query-tile=16 key-tile={KEYS} edge-tile=16"
LENGTH = 224


def logits(q, k, field, level, scale, window=None, smooth=None):
    """s(i,j) of one head in float64, -inf where row i does not see key j."""
    q, k, field, level = (np.asarray(x, np.float64)
                          for x in (q, k, field, level))
    lq, lk = len(q), len(k)
    s = np.full((lq, lk), -np.inf)
    for i in range(lq):
        p = i + lk - lq
        first = 0 if window is None else max(0, p - window + 1)
        # Minima of the field over (j, p], for j from p down.
        least = np.full(p + 1 - first, np.inf)
        least[1:] = np.minimum.accumulate(field[p:first:-1])
        z = level[first:p + 1] - least[::-1]
        penalty = np.maximum(0.0, z) if smooth is None else \
            np.logaddexp(0.0, smooth * z) / smooth
        s[i, first:p + 1] = scale * (k[first:p + 1] @ q[i]) - penalty
    return s


def shares(s):
    """softmax, row by row."""
    weights = np.exp(s - s.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


# Fields of the keys of one head, and levels or None where they are tied.

def walk(rng, case):
    return np.cumsum(rng.normal(0, rng.uniform(0.5, 5), LENGTH)), None


def scopes(rng, case):
    field, t, depth = np.zeros(LENGTH), 0, 0
    while t < LENGTH:
        n = int(rng.integers(5, 90))
        field[t:t + n] = rng.uniform(5, 30) * depth
        t += n
        depth += int(rng.choice([-1, 1]))
    return field, None


def dip_at_last(rng, case):
    field = rng.normal(0, 0.1, LENGTH)
    field[-1] = -rng.uniform(5, 60)
    return field, None


def one_live(rng, case):
    """One key alone is below all that comes later."""
    field = -rng.uniform(10, 60) * (np.arange(LENGTH) > LENGTH // 2)
    level = rng.normal(0, 0.1, LENGTH)
    level[int(rng.integers(LENGTH // 2))] = -100.0
    return field + rng.normal(0, 0.1, LENGTH), level


def alternating(rng, case):
    """Dips deeper and less deep in turns."""
    field = rng.normal(0, 0.1, LENGTH)
    at = np.arange(0, LENGTH, int(rng.integers(7, 60)))
    field[at] = -np.where(np.arange(len(at)) % 2, 15, 45) * rng.uniform(.5, 1.5)
    return field, None


def at_threshold(rng, case):
    """A dip that makes bounds of rows about what decides, a little more or
    less."""
    reach = case.scale * np.linalg.norm(case.q, axis=1).max() * \
        np.linalg.norm(case.k, axis=1).max()
    depth = reach + np.log(LENGTH / case.eps) - \
        rng.choice([0.0, 0.1, 1.0]) * reach
    depth += rng.choice([-1, 1]) * 10.0 ** rng.integers(-6, 1)
    field = np.zeros(LENGTH)
    field[int(rng.integers(LENGTH // 3, LENGTH)):] = -max(depth, 0.0)
    return field, None


FIELDS = (walk, scopes, dip_at_last, one_live, alternating, at_threshold)


@functools.lru_cache(maxsize=None)
def compiled(text, target="cpu", options=OPTIONS):
    return fpa.compile(text, target=target, options=options)


class Case:
    """Queries and keys of one head, and values of which each column marks the
    keys of a tile: an output of 0 is a tile that was left out."""

    def __init__(self, seed, field, eps, head_size, **options):
        rng = np.random.default_rng(seed)
        self.eps, self.options = eps, options
        self.scale = head_size ** -0.5
        size = rng.choice([0.2, 1.0, 1.0, 3.0])
        self.q, self.k = (rng.normal(0, size, (LENGTH, head_size)).astype("f4")
                          for _ in range(2))
        self.field, self.level = field(rng, self)
        self.field = self.field.astype("f4")
        if self.level is not None:
            self.level = self.level.astype("f4")
        tile = np.arange(LENGTH) // KEYS
        self.v = (tile[:, None] == np.arange(tile[-1] + 1)).astype("f4")

    def run(self):
        arrays = [self.q, self.k, self.v, self.field]
        if self.level is not None:
            arrays.append(self.level)
        text = _attention.module_text(
            "f32", "f32", self.q.shape[1], self.v.shape[1], True,
            self.level is not None, False, True, True, True,
            prune_eps=self.eps, **self.options)
        program = compiled(text)
        arrays = [x[None, None] for x in arrays]
        if "smooth" in self.options:
            arrays.append(np.array(self.options["smooth"], "f4"))
        return [x[0, 0] for x in program(*arrays)]

    def reach(self):
        """How large products with each row may be, by norms."""
        return self.scale * np.linalg.norm(self.q, axis=1) * \
            np.linalg.norm(self.k, axis=1).max()

    def true_shares(self):
        level = self.field if self.level is None else self.level
        return shares(logits(self.q, self.k, self.field, level, self.scale,
                             **self.options))


def cases():
    """Of each kind of field, with each of the options, several."""
    seed = 0
    for eps in (1e-1, 1e-2, 1e-4, 1e-6):
        for head_size, options in ((4, {}), (16, {}), (64, {}),
                                   (8, {"window": 200}), (8, {"smooth": 1.0})):
            for field in FIELDS:
                for _ in range(5):
                    seed += 1
                    yield Case(seed, field, eps, head_size, **options)


class PruneTest(unittest.TestCase):

    def test_bound(self):
        ratios, near, left_out, count = [], [], 0, 0
        for case in cases():
            count += 1
            out, lse, dropped, skipped, ended = case.run()
            self.assertTrue((dropped >= 0).all())
            self.assertTrue((dropped <= case.eps).all(), dropped.max())
            share = case.true_shares()
            tiles = share @ case.v.astype(np.float64)
            is_left_out = out == 0
            lost = np.where(is_left_out, tiles, 0.0).sum(axis=1)
            # Weights below what float32 has are 0 where nothing is left out.
            self.assertTrue((lost <= dropped * (1 + 1e-5) + 1e-36).all(),
                            (lost - dropped).max())
            # What is kept makes up for it.
            kept = np.where(is_left_out, 0.0, tiles) / (1 - lost)[:, None]
            np.testing.assert_allclose(out, kept, atol=2e-5)
            # Each key in sight that was not counted was looked at.
            some = (skipped + ended) > 0
            self.assertTrue((dropped[~some] == 0).all())
            left_out += some.any()
            known = some & (lost > 1e-30)
            ratio = dropped[known] / lost[known]
            ratios += list(ratio)
            near += list(ratio[case.reach()[known] <= 4])
        self.assertGreaterEqual(count, 500)
        self.assertGreaterEqual(left_out, count // 3)
        # A bound by norms gives away exp(reach) where q and k are independent:
        # what it says is nearest the truth where that is not much.
        self.assertGreaterEqual(len(near), 1000)
        self.assertLessEqual(np.median(near), 5)
        self.assertLessEqual(np.median(ratios), 50)
        print(f"{count} cases, {left_out} with keys left out: median of bound / "
              f"true share {np.median(near):.3g} of {len(near)} rows of a reach "
              f"up to 4, {np.median(ratios):.3g} of all {len(ratios)}")

    def test_counts(self):
        """Two thirds of the keys are dead at once, one tile lives among
        them."""
        field = np.zeros(LENGTH, "f4")
        field[192:] = -80
        level = field.copy()
        level[64:96] = -90
        q = np.ones((1, 1, LENGTH, 8), "f4")
        got = compiled(_attention.module_text(
            "f32", "f32", 8, 8, True, True, False, True, True, True,
            prune_eps=1e-4))(q, q, q, field[None, None], level[None, None])
        skipped, ended = got[3][0, 0, -1], got[4][0, 0, -1]
        # Tiles at 160, 128 and 96; then 64 is looked at, and 0 to 63 end.
        self.assertEqual((skipped, ended), (96, 64))
        self.assertEqual(got[3][0, 0, 150], 0)

    def test_exact(self):
        rng = np.random.default_rng(0)
        q, k, v = rng.normal(size=(3, 1, 2, 300, 16)).astype("f4")
        field = np.cumsum(rng.normal(0, 3, (1, 2, 300)), -1).astype("f4")
        plain = fpa.attention(q, k, v, field, return_lse=True)
        told = fpa.attention(q, k, v, field, return_lse=True, prune_eps=0,
                             return_dropped=True, return_counts=True)
        self.assertEqual(len(told), 5)
        for a, b in zip(plain, told):
            np.testing.assert_array_equal(a, b)
        for x in told[2:]:
            self.assertEqual(np.abs(x).max(), 0)
        self.assertEqual(told[3].dtype, np.int64)
        # Some of the results.
        dropped = fpa.attention(q, k, v, field, prune_eps=1e-3,
                                return_dropped=True)[1]
        self.assertEqual(dropped.shape, (1, 2, 300))

    def test_refused(self):
        x = np.zeros((1, 1, 4, 8), "f4")
        field = np.zeros((1, 1, 4), "f4")
        for eps in (-1e-3, 1.0, 2, np.nan):
            with self.assertRaisesRegex(ValueError, "^expected prune_eps to be"):
                fpa.attention(x, x, x, field, prune_eps=eps)
            with self.assertRaisesRegex(ValueError, "^expected prune_eps to be"):
                fpa.attention_backward(x, x, x, field, None, x, field, x,
                                       prune_eps=eps)
        with self.assertRaisesRegex(TypeError, "^expected prune_eps to be a"):
            fpa.attention(x, x, x, field, prune_eps="1e-3")


class GradientTest(unittest.TestCase):
    """Where walks that share a head leave keys out."""

    WAYS = {"together": ("cpu", OPTIONS),
            "apart": ("cpu", "split-backward query-tile=16 key-tile=16 "
                      "edge-tile=16"),
            "kernels": ("emulator", "query-tile=16 key-tile=16 edge-tile=16 "
                        "warps=1 stages=1")}

    def gradients(self, way, eps, rows, q, k, v, field, level=None, do=None,
                  **wanted):
        """Those of one head, of the sum of all outputs of the last rows, or
        with their gradients do."""
        target, options = self.WAYS[way]
        arrays = [x[None, None] for x in (q[-rows:], k, v, field)]
        if level is not None:
            arrays.append(level[None, None])
        window = wanted.get("window")
        o, lse = fpa.attention(*arrays, return_lse=True, window=window)
        text = _attention_backward.module_text(
            "f32", "f32", q.shape[1], v.shape[1], True, level is not None,
            False, False, prune_eps=eps, **wanted)
        do = np.ones_like(o) if do is None else do[None, None]
        return compiled(text, target, options)(*arrays, o, lse, do)

    def test_one_choice(self):
        """Nothing depends on the height of a field that is its own level, so
        that all its gradients add up to 0: but only if whatever is left out is
        left out everywhere."""
        rng = np.random.default_rng(3)
        q, k, v = rng.normal(size=(3, LENGTH, 16)).astype("f4")
        q /= 100
        walks = np.cumsum(rng.normal(0, 1, (4, LENGTH)), 1)
        fields = [np.linspace(0, -14, LENGTH), *walks]
        for way in self.WAYS:
            changed = 0
            for field in fields:
                field = field.astype("f4")
                exact = self.gradients(way, 0.0, LENGTH, q, k, v, field)
                got = self.gradients(way, 0.3, LENGTH, q, k, v, field)
                changed += any(np.abs(a - b).max() > 1e-4
                               for a, b in zip(got, exact))
                self.assertLessEqual(abs(got[3].sum(dtype=np.float64)),
                                     1e-5 * np.abs(got[3]).sum(), way)
            self.assertGreaterEqual(changed, 2, way)

    def test_left_out(self):
        """Rows behind a dip by 80 give the keys before it weights that float32
        has, and none if they may."""
        rng = np.random.default_rng(4)
        q, k, v = rng.normal(size=(3, LENGTH, 16)).astype("f4")
        field = np.where(np.arange(LENGTH) < 140, 0, -80).astype("f4")
        for way in self.WAYS:
            exact = self.gradients(way, 0.0, 70, q, k, v, field, field)
            got = self.gradients(way, 1e-4, 70, q, k, v, field, field)
            self.assertTrue((exact[2][0, 0, :128] != 0).all(), way)
            for x in (got[1], got[2], got[4]):
                self.assertTrue((x[0, 0, :128] == 0).all(), way)
            for a, b in zip(got, exact):
                np.testing.assert_allclose(a, b, atol=1e-5)

    def test_counts(self):
        """Keys before a dip are dead at once but for a group that lives among
        them."""
        length = 320
        field = np.zeros(length, "f4")
        field[192:] = -60
        level = field.copy()
        level[64:128] = -90
        rng = np.random.default_rng(6)
        q, k, v = rng.normal(size=(3, length, 8)).astype("f4") / 4
        for way in self.WAYS:
            *_, skipped, ended = self.gradients(way, 1e-4, length, q, k, v,
                                                field, level, counts=True)
            self.assertEqual(skipped.dtype, np.int64)
            # A group of rows goes by the field up to the keys that all see.
            dead = 192 if way == "together" else 256
            # Keys from 128 to 191, and those up to 63 as the walk ends.
            for x in (skipped, ended):
                np.testing.assert_array_equal(
                    x[0, 0], np.where(np.arange(length) < dead, 0, 64), way)

    def test_counts_are_weights_of_zero(self):
        """With a column of do for each row the gradient of values has all
        weights: those that are 0 were left out. Nothing else changes."""
        rng = np.random.default_rng(7)
        rows = 96
        q, k = rng.normal(size=(2, LENGTH, 8)).astype("f4") / 4
        v = rng.normal(size=(LENGTH, rows)).astype("f4")
        do = np.eye(rows, dtype="f4")
        p = np.arange(LENGTH - rows, LENGTH)[:, None]
        j = np.arange(LENGTH)
        dip = np.where(j < 100, 0, -40.0)
        fields = [dip, *np.cumsum(rng.normal(0, 1, (3, LENGTH)), 1)]
        for way in self.WAYS:
            some = np.zeros(2, bool)
            for window in (None,) if way == "kernels" else (None, 120):
                for field in fields:
                    field = field.astype("f4")
                    plain = self.gradients(way, 1e-2, rows, q, k, v, field,
                                           do=do, window=window)
                    *got, skipped, ended = self.gradients(
                        way, 1e-2, rows, q, k, v, field, do=do, window=window,
                        counts=True)
                    for a, b in zip(plain, got, strict=True):
                        np.testing.assert_array_equal(a, b, way)
                    first = 0 if window is None else \
                        np.maximum(p - window + 1, 0)
                    is_zero = (got[2][0, 0].T == 0) & (first <= j) & (j <= p)
                    np.testing.assert_array_equal(
                        (skipped + ended)[0, 0], is_zero.sum(1), way)
                    # Those that ended are the first ones.
                    is_first = (first <= j) & (j < first + ended[0, 0][:, None])
                    self.assertTrue(is_zero[is_first].all(), way)
                    some |= [skipped.any(), ended.any()]
            self.assertTrue(some.all(), (way, some))

    def test_counts_of_python(self):
        rng = np.random.default_rng(8)
        q, k, v = rng.normal(size=(3, 1, 2, 300, 8)).astype("f4")
        field = np.cumsum(rng.normal(0, 9, (1, 2, 300)), -1).astype("f4")
        o, lse = fpa.attention(q, k, v, field, return_lse=True)
        for eps in (0.0, 1e-3):
            for f in (field, None):
                plain = fpa.attention_backward(q, k, v, f, None, o, lse, q,
                                               prune_eps=eps)
                told = fpa.attention_backward(q, k, v, f, None, o, lse, q,
                                              prune_eps=eps, return_counts=True)
                self.assertEqual((len(plain), len(told)), (5, 7))
                for a, b in zip(plain, told):
                    np.testing.assert_array_equal(a, b)
                for x in told[5:]:
                    self.assertEqual(x.shape, lse.shape)
                    if eps == 0 or f is None:
                        self.assertFalse(x.any())
        with self.assertRaisesRegex(TypeError, "^expected return_counts to be"):
            fpa.attention_backward(q, k, v, field, None, o, lse, q,
                                   return_counts=np.zeros(3))

    def test_nothing_to_leave_out(self):
        """A flat field: what it is without, but for the order of kernels'
        sums."""
        rng = np.random.default_rng(5)
        q, k, v = rng.normal(size=(3, LENGTH, 16)).astype("f4")
        field = rng.normal(0, 0.1, LENGTH).astype("f4")
        for way, error in (("apart", 0), ("kernels", 1e-6)):
            for a, b in zip(*(self.gradients(way, eps, LENGTH, q, k, v, field)
                              for eps in (0.0, 1e-4))):
                self.assertLessEqual(np.abs(a - b).max(),
                                     error * np.abs(b).max(), way)


if __name__ == "__main__":
    unittest.main()
