# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 -m numeric [--group G] [--case PATTERN] [--seed N] [--fast] ...

Run from test/Integration (or with it in PYTHONPATH). Prints one line per
failing case with its seed and how to run it alone; exits 1 if any fails or
none was selected.
"""

import argparse
import dataclasses
import sys
import time

from . import backward_cases, cases, decode_cases, engine, scan_cases, suite

# A few cases of each kind: what the mutation check runs.
FAST = ("length-0-*", "length-1-*", "length-65-*", "length-64x5", "length-10x0",
        "length-200x300-dips", "length-1000-walk", "pattern-nested",
        "pattern-big_sums", "pattern-mixed_inf_untied", "pattern-fox*",
        "pattern-free_level", "pattern-heights", "pattern-none",
        "heads-4-2-4*", "heads-6-3-6", "type-f16-65", "type-f16-long-*",
        "type-bf16-odd",
        "size-100-64", "size-3-3", "window-1", "window-63", "window-256",
        "window-257", "window-30-no-keys", "window-100-cross", "packed-cross",
        "packed-with-empty", "packed-window*", "packed-mixed-inf",
        "smooth-1", "smooth-given-8", "smooth-mixed_inf", "smooth-window",
        "nan-value-200",
        "nan-key-200", "nan-value-window", "nan-field-200", "nan-value-cross",
        "config-small-2-*", "config-odd-1-walk", "min-1000-*", "min-5x64-*",
        "min-37x50-*", "min-3x65-*", "sum-3x65-*", "sum-1000-*", "sum-long",
        "backward-pattern-walk", "backward-pattern-nested",
        "backward-pattern-equal_minima", "backward-pattern-free_level",
        "backward-walks-fine-keys-tied",
        "backward-length-1-static", "backward-length-200x300-dips",
        "backward-window-200-dips",
        "backward-packed-free", "backward-smooth-1", "backward-type-f16-400",
        "backward-f16-*",
        "backward-kink*", "backward-constant-level", "backward-nan-lse",
        "prune-scopes-small*", "prune-*-tight-*", "prune-deep_dips-packed",
        "prune-steep_walk-cross", "prune-nan-key-200", "prune-one_live-f16",
        "backward-prune-scopes-small*", "backward-prune-high_blocks-small",
        "backward-prune-scopes-tight-norms", "backward-prune-steep_walk-small",
        "backward-prune-steep_walk-packed",
        "backward-prune-deep_dips-odd", "backward-prune-one_live-window",
        "decode-walk*", "decode-one_dip", "decode-free_level*",
        "decode-heads-8-2", "decode-heads-1-1", "decode-size-5-7*",
        "decode-long-*", "decode-lengths-*", "decode-room", "decode-f16",
        "decode-evict-*", "decode-many-walk", "decode-loop-*")


def parse(arguments):
    parser = argparse.ArgumentParser(prog="numeric", description=__doc__)
    parser.add_argument("--group", help="only the cases of this group; --list names them")
    parser.add_argument("--case", help="only the cases of this name (glob)")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--random", type=int, default=40,
                        help="how many random cases to draw (default 40)")
    parser.add_argument("--fast", action="store_true",
                        help="a few cases of each kind")
    parser.add_argument("--stop", action="store_true",
                        help="stop at the first failure")
    parser.add_argument("--engine", choices=sorted(engine.ENGINES),
                        default="package")
    parser.add_argument("--target", choices=("cpu", "emulator", "cuda"),
                        default="cpu")
    parser.add_argument("--tiles", choices=sorted(engine.TILES),
                        help="replace each case's tile configuration")
    parser.add_argument("--largest", type=int, metavar="N",
                        help="only cases with Lq * Lk of at most N * N")
    parser.add_argument("--list", action="store_true",
                        help="print group and name of each case")
    parser.add_argument("--verbose", action="store_true")
    return parser.parse_args(arguments)


def chosen(options):
    every = (cases.all_cases(options.seed, options.random) +
             backward_cases.all_cases(options.seed) +
             decode_cases.all_cases(options.seed) +
             scan_cases.all_cases(options.seed))
    picked = suite.select(every, options.group, options.case)
    if options.fast:
        names = {c.name for p in FAST for c in suite.select(every, None, p)}
        picked = [c for c in picked if c.name in names]
    if options.largest:
        picked = [c for c in picked
                  if not hasattr(c, "lq") or c.lq * c.lk <= options.largest**2]
    if options.tiles:
        picked = [dataclasses.replace(c, tiles=options.tiles)
                  if hasattr(c, "tiles") else c for c in picked]
    return [c for c in picked if engine.supports(options.target, c)]


def main(arguments=None):
    options = parse(arguments)
    picked = chosen(options)
    if not picked:
        print("expected at least one case of this group and name, got none",
              file=sys.stderr)
        return 1
    if options.list:
        print("\n".join(f"{c.group:15} {c.name}" for c in picked))
        return 0
    device = engine.ENGINES[options.engine](options.target)
    target = "" if options.target == "cpu" else f" --target {options.target}"
    failed, worst, start = 0, (0.0, "none"), time.perf_counter()
    for case in picked:
        outcome = suite.run_case(device, case)
        worst = max(worst, (outcome.ratio, case.name))
        if outcome.problem:
            failed += 1
            print(f"FAIL {case.name} (seed {case.seed}): {outcome.problem}\n"
                  f"  alone: python3 -m numeric --case '{case.name}' "
                  f"--seed {case.seed}{target}", flush=True)
            if options.stop:
                break
        elif options.verbose:
            print(f"pass {case.name} {outcome.ratio:.2f}", flush=True)
    print(f"{len(picked)} cases, {failed} failures, worst passing error "
          f"{worst[0]:.2f} of its bound ({worst[1]}), "
          f"{time.perf_counter() - start:.1f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
