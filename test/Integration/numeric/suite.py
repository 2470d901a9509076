# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs cases through the compiler and compares them with the references."""

import dataclasses
import fnmatch

import numpy as np

from . import (backward_oracle, compare, decode_cases, dtypes, modules,
               oracle)


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
    wide = dtypes.accumulator(case.dtype)
    pruned = case.lse and case.prune is not None
    results = [case.dtype] + [wide] * (case.lse + pruned)
    got = engine.run(text, list(stored.values()), results, tiles=case.tiles,
                     threads=case.threads)
    out, lse, size = reference(case)
    bounds = compare.attention_bounds(case, out, lse, size,
                                      engine.target != "cpu")
    decoded = [dtypes.decode(g, dtype) for g, dtype in zip(got, results)]
    if case.prune is not None:
        bounds, problem = allow_dropped(
            case, bounds, decoded[2] if pruned else np.full_like(
                lse, case.prune))
        if problem:
            return Outcome(case.name, case.seed, problem)
    return judge(case, zip(("output", "lse"), decoded, (out, lse), bounds))


def allow_dropped(case, bounds, dropped):
    """Bounds of a result that lacks the share `dropped`, and what is wrong with
    that share. What is left out counts as no more than it says."""
    wrong = ~(np.isnan(dropped) | ((dropped >= 0) & (dropped <= case.prune)))
    if wrong.any():
        return bounds, (f"dropped: expected 0 to {case.prune:g}, got "
                        f"{dropped[wrong][0]:g}")
    values, _ = case.decode(case.operands())
    value = np.abs(values["value"])
    largest = np.max(np.where(np.isfinite(value), value, 0), initial=0.0)
    share = np.nan_to_num(dropped)
    return (bounds[0] + 2 * share[..., None] * largest,
            bounds[1] - np.log1p(-share)), None


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
        bound = bound + allow_pruned(case, stored, name)
        compared.append((name, g, want, bound))
    return judge(case, compared)


def allow_pruned(case, stored, name):
    """What a gradient may be off where weights are taken for 0 that are
    together prune_eps for a row, and each prune_eps / N where it sees N keys."""
    if not case.prune:
        return 0.0
    values, _ = case.decode(stored)

    def largest(name):
        x = values.get(name)
        if x is None or not x.size:
            return 0.0
        x = np.where(np.isfinite(x), x, 0)
        return np.sqrt((x ** 2).sum(-1).max()) if x.ndim == 4 else \
            np.abs(x).max()

    scale = abs(case.scale) if case.scale is not None else case.d ** -0.5
    slope = largest("output_gradient") * (
        largest("value") + largest("output")) + largest("lse_gradient")
    # All rows that see a key, of all query heads that share it.
    of_key = case.prune * (1 + np.log(max(case.lq, 1))) * case.hq / case.hk
    return {"dq": scale * case.prune * slope * largest("key"),
            "dk": scale * of_key * slope * largest("query"),
            "dv": of_key * largest("output_gradient"),
            "dlevel": of_key * slope,
            # A minimum may be that of all pairs.
            "dfield": case.prune * case.lq * case.hq * slope}[name]


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


def run_decode(engine, case):
    return judge(case, decode_cases.run(engine, case))


def run_case(engine, case):
    """Never raises: what the engine refuses is a failure with its message."""
    runner = run_scan if hasattr(case, "op") else run_backward \
        if hasattr(case, "gradients") else run_decode \
        if hasattr(case, "evict") else run_attention
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
