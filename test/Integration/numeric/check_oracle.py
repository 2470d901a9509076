# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the reference against the package's own, which was written apart from
it and goes row by row, and that the comparison can fail. Exits non-zero where
they differ."""

import math
import sys

import numpy as np
from fpa import reference

from . import backward_cases, cases, compare, oracle, suite


def attention_problem(case):
    """How the two references differ, or None."""
    values, cumulative = case.decode(case.operands())
    out, lse, size = suite.reference(case)
    second = reference.attention(
        values["query"], values["key"], values["value"], values.get("field"),
        values.get("level"), scale=case.scale, window=case.window,
        smooth=case.smooth, cu_seqlens=cumulative)
    bounds = (1e-12 * (1 + size), 1e-12 * (1 + np.abs(lse)))
    for got, want, bound in zip(second, (out, lse), bounds):
        problem = compare.mismatch(got, want, bound)
        if problem:
            return problem
    return None


def gradient_problem(case):
    """The same for the references of the gradients."""
    stored = case.operands()
    values, cumulative = case.decode(stored)
    if case.chain:
        values["output"], values["lse"] = case.forward()
    second = reference.attention_backward(
        values["query"], values["key"], values["value"], values.get("field"),
        values.get("level"), values["output"], values["lse"],
        values["output_gradient"], dlse=values.get("lse_gradient"),
        scale=case.scale, window=case.window, smooth=case.smooth,
        cu_seqlens=cumulative)
    second = dict(zip(("dq", "dk", "dv", "dfield", "dlevel"), second))
    first = suite.gradients(case, stored)
    for name, want in first.values.items():
        with np.errstate(invalid="ignore"):
            bound = 1e-12 * (1 + first.sizes[name])
        got = np.where(first.vague[name], want, second[name])
        problem = compare.mismatch(got, want, bound)
        if problem:
            return f"{name}: {problem}"
    return None


def scan_difference(seed):
    """Naive minima and sums over sets of indices, against the running ones."""
    rng = np.random.default_rng(seed)
    x = rng.integers(-3, 4, (3, 11)).astype(np.float64)
    worst = 0.0
    for reverse, exclusive, segment in np.ndindex(2, 2, 2):
        segment = 4 if segment else None
        low, at = oracle.prefix_min(x, 1, reverse, exclusive, segment)
        total, _ = oracle.prefix_sum(x, 1, reverse, exclusive, segment)
        for r, t in np.ndindex(*x.shape):
            part = (t // segment * segment if segment else 0)
            end = min(part + segment, 11) if segment else 11
            picked = [u for u in range(part, end)
                      if (u >= t if reverse else u <= t)
                      and not (exclusive and u == t)]
            lowest = min((x[r, u] for u in picked), default=math.inf)
            place = max((u for u in picked if x[r, u] == lowest), default=-1)
            if low[r, t] != lowest or at[r, t] != place:
                return math.nan
            worst = max(worst, abs(total[r, t] - sum(x[r, picked])))
    return worst


def comparison_can_fail():
    """Each kind of wrong value must be seen."""
    want = np.array([1.0, np.nan, np.inf, -np.inf, 0.0])
    bound = np.full(5, 1e-6)
    if compare.mismatch(want.copy(), want, bound):
        return False
    for at, value in ((0, 1.00001), (0, np.nan), (1, 0.0), (2, -np.inf),
                      (2, np.nan), (3, -3e38), (4, 1e-5), (4, np.inf)):
        got = want.copy()
        got[at] = value
        if not compare.mismatch(got, want, bound):
            return False
    return bool(compare.mismatch(want[:4], want, bound))


def main():
    failures = checked = 0
    for case in cases.all_cases() + backward_cases.all_cases():
        problem_of, largest = attention_problem, 300
        if hasattr(case, "gradients"):
            problem_of, largest = gradient_problem, 160
        if case.lq * case.lk > largest ** 2:
            continue
        checked += 1
        problem = problem_of(case)
        if problem:
            failures += 1
            print(f"FAIL {case.name}: {problem}")
    if not scan_difference(1) < 1e-12:
        failures += 1
        print("FAIL scans: the references differ")
    if not comparison_can_fail():
        failures += 1
        print("FAIL comparison: a wrong value was accepted")
    print(f"oracle: {checked} cases, {failures} failures")
    return 1 if failures or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
