# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares a result with the float64 reference.

NaN and infinities must stand exactly where the reference has them. Elsewhere
an output may differ by

    tol * sum_j P_ij |v_j|  (+ 2 u |o| for f16 and bf16, u the unit roundoff)

The first term is what the sums can lose: every weight carries a relative
error, so the error follows the sum of absolute terms, not their possibly tiny
sum. tol = 2e-6 * sqrt(max(L, 64) / 64) for f32: about 32 roundings, most of
them in the logits, and a random walk of rounding errors along the keys. The
second term is one rounding of the output type for the result and one for the
products' operands. f64 has the same rule scaled by the ratio of roundoffs, but
for a factor of 4: its exponential is a library's.
"""

import numpy as np

from . import dtypes


def sum_tolerance(accumulator, length):
    base = 2e-6
    if accumulator == "f64":
        base *= 4 * dtypes.ROUNDOFF["f64"] / dtypes.ROUNDOFF["f32"]
    return base * np.sqrt(max(length, 64) / 64)


def mismatch(got, want, bound):
    """None, or one line that says how `got` is wrong."""
    if got.shape != want.shape:
        return f"expected shape {want.shape}, got {got.shape}"
    special = ~np.isfinite(want)
    same = np.where(np.isnan(want), np.isnan(got), got == want)
    wrong = np.where(special, ~same, ~np.isfinite(got))
    if wrong.any():
        return (f"{int(wrong.sum())} of {wrong.size} non-finite values "
                f"differ, {_place(wrong, got, want)}")
    with np.errstate(invalid="ignore"):
        error = np.where(special, 0.0, np.abs(got - want))
        ratio = np.where(error > 0, error / np.where(special, 1.0, bound), 0)
    wrong = ratio > 1
    if wrong.any():
        worst = ratio == ratio.max()
        return (f"{int(wrong.sum())} of {wrong.size} values off, worst "
                f"{ratio.max():.3g} times the bound, "
                f"{_place(worst, got, want)}")
    return None


def _place(mask, got, want):
    at = tuple(int(i) for i in np.argwhere(mask)[0])
    return f"at {list(at)}: expected {want[at]!r}, got {got[at]!r}"


def worst_ratio(got, want, bound):
    """The largest error as a share of its bound (for reports)."""
    finite = np.isfinite(want) & np.isfinite(got)
    if not finite.any():
        return 0.0
    with np.errstate(invalid="ignore", divide="ignore"):
        error = np.abs(got - want)
        ratio = np.where(finite & (error > 0), error / bound, 0.0)
    return float(ratio.max())


def gradient_bound(case, name, gradients, typed):
    """The bound of N13 of the specification, one number for each head.

    gradients: the truth. typed: the same from arithmetic in the type, for f16
    and bf16."""
    acc = dtypes.accumulator(case.dtype)
    unit = dtypes.ROUNDOFF[acc]
    share = 5e-5 * (1 if acc == "f32" else
                    4 * unit / dtypes.ROUNDOFF["f32"])
    want, size = gradients.values[name], gradients.sizes[name]
    bound = np.maximum(share * _largest(want), 4 * unit * _largest(size))
    if typed is not None:
        with np.errstate(invalid="ignore"):
            error = _largest(typed.values[name] - want)
        bound = np.maximum(bound, 2 * error.max(initial=0.0))
    return np.broadcast_to(bound, want.shape)


def _largest(x):
    """The largest absolute value of each head, NaN and infinities aside."""
    finite = np.abs(np.where(np.isfinite(x), x, 0.0))
    return finite.max(axis=tuple(range(2, x.ndim)), keepdims=True, initial=0.0)


def attention_bounds(case, out, lse, size, narrow_weights=False):
    """Bounds of N3 of the specification, and of N12 with `narrow_weights`."""
    acc = dtypes.accumulator(case.dtype)
    tol = sum_tolerance(acc, case.lk)
    with np.errstate(invalid="ignore"):
        bound = tol * size
        if case.dtype in ("f16", "bf16"):
            bound = bound + 2 * dtypes.ROUNDOFF[case.dtype] * np.abs(out)
            if narrow_weights:
                bound = bound + dtypes.ROUNDOFF[case.dtype] * size
        return bound, tol * np.maximum(1.0, np.abs(lse))
