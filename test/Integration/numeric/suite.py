# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cases through the compiler and compares them with the references."""

import dataclasses
import fnmatch

import numpy as np

from . import backward_oracle, compare, dtypes, modules, oracle


def reference(case):
    values, cumulative = case.decode(case.operands())
    return oracle.attention(
        values["query"], values["key"], values["value"], values.get("field"),
        values.get("level"), scale=case.scale, window=case.window,
        smooth=case.smooth, cu_seqlens=cumulative)


@dataclasses.dataclass
class Outcome:
    name: str
    seed: int
    problem: str  # empty: passed
    ratio: float = 0.0  # the worst error as a share of its bound


def judge(case, compared):
    """The outcome of (name, result, what it should be, bound) of each result."""
    ratio, problems = 0.0, []
    for name, got, want, bound in compared:
        problem = compare.mismatch(got, want, bound)
        if problem:
            problems.append(f"{name}: {problem}")
        else:
            ratio = max(ratio, compare.worst_ratio(got, want, bound))
    return Outcome(case.name, case.seed, "; ".join(problems), ratio)


def run_attention(engine, case):
    stored = case.inputs()
    text = modules.attention(case, case.operands())
    results = [case.dtype] + ([dtypes.accumulator(case.dtype)] * case.lse)
    got = engine.run(text, list(stored.values()), results, tiles=case.tiles,
                     threads=case.threads)
    out, lse, size = reference(case)
    bounds = compare.attention_bounds(case, out, lse, size,
                                      engine.target != "cpu")
    decoded = [dtypes.decode(g, dtype) for g, dtype in zip(got, results)]
    return judge(case, zip(("output", "lse"), decoded, (out, lse), bounds))


def gradients(case, stored, arithmetic=backward_oracle.TRUTH):
    """What a case's program computes, and the operands that it computes it
    from. Output and lse of the case itself come from the same arithmetic."""
    values, cumulative = case.decode(stored)
    if case.chain:
        values["output"], values["lse"] = case.forward()
        if arithmetic is not backward_oracle.TRUTH:
            values["output"] = arithmetic.narrow(values["output"])
    return backward_oracle.attention_backward(
        values, case.gradients(stored), scale=case.scale, window=case.window,
        smooth=case.smooth, cu_seqlens=cumulative, arithmetic=arithmetic)


def run_backward(engine, case):
    stored = case.operands()
    text = modules.program(case, stored)
    names = case.gradients(stored)
    results = [case.stored_type(operand) for operand in names.values()]
    got = engine.run(text, list(stored.values()), results, tiles=case.tiles,
                     threads=case.threads)
    truth = gradients(case, stored)
    typed = None
    if case.dtype in ("f16", "bf16"):
        typed = gradients(case, stored, backward_oracle.Arithmetic(
            np.float32, case.dtype))
    compared = []
    for name, g, dtype in zip(names, got, results):
        g, want = dtypes.decode(g, dtype), truth.values[name]
        # Where a NaN may show and does not, the rest is as without it.
        want = np.where(truth.vague[name] & np.isnan(g), np.nan, want)
        bound = compare.gradient_bound(case, name, truth, typed)
        compared.append((name, g, want, bound))
    return judge(case, compared)


def run_scan(engine, case):
    x = case.operand()
    text = modules.prefix(case.op, x.shape, case.dtype, case.axis,
                          case.reverse, case.exclusive, case.segment,
                          case.index, case.static)
    results = [case.dtype] + ["i64"] * case.index
    got = engine.run(text, [x], results)
    values = dtypes.decode(x, case.dtype)
    flags = (case.axis, case.reverse, case.exclusive, case.segment)
    if case.op == "prefix_min":
        want, at = oracle.prefix_min(values, *flags)
        bound = np.zeros_like(want)
    else:
        want, size = oracle.prefix_sum(values, *flags)
        tol = compare.sum_tolerance(case.dtype, x.shape[case.axis])
        with np.errstate(invalid="ignore"):
            bound = tol * size
    g = dtypes.decode(got[0], case.dtype)
    problem = compare.mismatch(g, want, bound)
    if not problem and case.index and not np.array_equal(got[1], at):
        problem = "index: " + compare.mismatch(
            np.asarray(got[1], np.float64), at.astype(np.float64),
            np.zeros(at.shape))
    return Outcome(case.name, case.seed, problem or "",
                   0.0 if problem else compare.worst_ratio(g, want, bound))


def run_case(engine, case):
    """Never raises: what the engine refuses is a failure with its message."""
    runner = run_scan if hasattr(case, "op") else run_backward \
        if hasattr(case, "gradients") else run_attention
    try:
        return runner(engine, case)
    except Exception as error:  # pylint: disable=broad-except
        lines = str(error).strip().splitlines() or [""]
        return Outcome(case.name, case.seed,
                       f"{type(error).__name__}: {lines[0][:300]}")


def select(cases, group=None, pattern=None):
    return [c for c in cases
            if (group is None or c.group == group)
            and (pattern is None or fnmatch.fnmatchcase(c.name, pattern))]
