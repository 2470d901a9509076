#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares fpa with PyTorch's attention on the CPU, on the same tensors.

    benchmarks/torch_compare.py [--threads N] [--rounds N] [--case GLOB] [--tiny]

`causal` is scaled_dot_product_attention with is_causal and no bias at all, which
computes less; `masked` is the same with the penalty and the causal mask given as
one float mask, made before the clock starts. Each round runs every call of a case
once; a time is the median over rounds, a ratio the median of the rounds' ratios,
above 1 where fpa is faster. Prints a line of JSON per case. --check exits 1 where a
bound is missed: causal 1 and masked 2 forwards, masked 1 with gradients, memory a
tenth, 30 microseconds for a call. --tiny compares the numbers of small cases.
"""

import argparse
import fnmatch
import json
import os
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.environ.get(
    "FPA_PYTHON_DIR", os.path.join(HERE, "..", "build", "python"))]

import fpa  # noqa: E402
import machine  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--case", default="*", help="names (glob)")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--memory-of", choices=("fpa", "masked"),
                        help=argparse.SUPPRESS)
    return parser.parse_args()


def operands(length, size, heads=8):
    """q, k, v [1, H, L, D] and a field [1, H, L] that walks."""
    torch.manual_seed(0)
    q, k, v = torch.randn(3, 1, heads, length, size)
    return q, k, v, torch.randn(1, heads, length).cumsum(-1)


def make_mask(field):
    """Minus the penalty of a field tied to its level, [1, H, L, L], -inf after
    the query. Row by row: the minimum since a key falls as the query goes on."""
    _, heads, length = field.shape
    mask = torch.full((1, heads, length, length), -torch.inf)
    least = torch.full((1, heads, length), torch.inf)
    for i in range(length):
        least[..., :i] = torch.minimum(least[..., :i], field[..., i:i + 1])
        mask[..., i, :i + 1] = -(field[..., :i + 1]
                                 - least[..., :i + 1]).clamp(min=0)
    return mask


def attend(*arguments, **options):
    return torch.nn.functional.scaled_dot_product_attention(
        *arguments, **options)


def forward(size, tiny):
    q, k, v, field = operands(100 if tiny else 4096, size)
    mask = make_mask(field)
    return {"fpa": lambda: fpa.attention(q, k, v, field),
            "causal": lambda: attend(q, k, v, is_causal=True),
            "masked": lambda: attend(q, k, v, attn_mask=mask)}


def forward_backward(size, tiny):
    given = operands(100 if tiny else 4096, size)
    q, k, v, field = (x.requires_grad_() for x in given)
    mask = make_mask(field.detach())
    do = torch.randn_like(v)

    def gradients(o, *of):
        return torch.autograd.grad(o, of, do)

    # fpa's gradients include the field's; a mask has none here.
    return {"fpa": lambda: gradients(fpa.attention(q, k, v, field),
                                     q, k, v, field),
            "masked": lambda: gradients(attend(q, k, v, attn_mask=mask),
                                        q, k, v)}


def compare(calls, options):
    """Median seconds and ratios, calls taking turns."""
    results = {name: call() for name, call in calls.items()}  # the warm-up
    if options.tiny:
        for ours, theirs in zip(*(as_tuple(results[n])
                                  for n in ("fpa", "masked"))):
            torch.testing.assert_close(ours, theirs, atol=1e-4, rtol=1e-3)
    times = {name: [] for name in calls}
    for _ in range(1 if options.tiny else options.rounds):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            times[name].append(time.perf_counter() - start)
    out = {f"{name}_s": statistics.median(t) for name, t in times.items()}
    for name in calls:
        if name != "fpa":
            out[f"over_{name}"] = statistics.median(
                a / b for a, b in zip(times[name], times["fpa"]))
    return out


def as_tuple(x):
    return x if isinstance(x, tuple) else (x,)


def memory(options):
    """Bytes that each call adds to a process that holds the operands."""
    out = {}
    for name in ("fpa", "masked"):
        command = [sys.executable, os.path.abspath(__file__),
                   f"--memory-of={name}", f"--threads={options.threads}"]
        result = subprocess.run(command + ["--tiny"] * options.tiny,
                                capture_output=True, text=True)
        # A machine may have no room for the masks.
        known = result.returncode == 0
        out[f"{name}_bytes"] = int(result.stdout) if known else None
    if all(out.values()):
        out["over_masked"] = out["masked_bytes"] / out["fpa_bytes"]
    return out


def memory_of(name, tiny):
    length = 256 if tiny else 16384
    q, k, v, field = operands(length, 64)
    # What a first call loads and compiles is not what a call needs.
    small = operands(8, 64)
    fpa.attention(*small)
    attend(*small[:3], attn_mask=make_mask(small[3]))
    before = machine.memory("VmRSS")
    machine.reset_peak_memory()
    if name == "fpa":
        fpa.attention(q, k, v, field)
    else:
        attend(q, k, v, attn_mask=make_mask(field))
    return machine.memory("VmHWM") - before


def overhead(options):
    """Microseconds of a call with almost nothing to compute, what the compiled code
    takes of it included, and of a custom op with as many arguments that only makes
    two empty tensors: what PyTorch asks for a call by itself."""
    import numpy as np
    fpa.set_threads(1)
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 1, 1, 16, 16)).astype("f4")
    field = rng.normal(size=(1, 1, 16)).astype("f4")
    tensors = [torch.from_numpy(x) for x in (q, k, v, field)]
    out = {"numpy_us": per_call(lambda: fpa.attention(q, k, v, field)),
           "torch_us": per_call(lambda: fpa.attention(*tensors)),
           "empty_op_us": per_call(lambda op=empty_op(): op(*tensors))}
    fpa.set_threads(options.threads)
    return out


def empty_op():
    """A custom op with a gradient, as torch.library makes them."""
    @torch.library.custom_op("fpa_benchmark::empty", mutates_args=())
    def op(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor,
           field: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        return q.new_empty(1), q.new_empty(1)

    op.register_autograd(lambda ctx, *gradients: (None,) * 4)
    return op


def per_call(call, count=200):
    times = []
    for _ in range(20):
        start = time.perf_counter()
        for _ in range(count):
            call()
        times.append((time.perf_counter() - start) / count * 1e6)
    return statistics.median(times)


def cases(options):
    """Name, function, and the least that must be reached, or the most."""
    for size in (64, 128):
        yield (f"forward-d{size}",
               lambda size=size: compare(forward(size, options.tiny), options),
               {"over_causal": 1, "over_masked": 2}, {})
    for size in (64, 128):
        yield (f"forward-backward-d{size}",
               lambda size=size: compare(forward_backward(size, options.tiny),
                                         options), {"over_masked": 1}, {})
    yield "memory", lambda: memory(options), {"over_masked": 10}, {}
    yield "call", lambda: overhead(options), {}, {"numpy_us": 30, "torch_us": 30}


def main():
    options = parse()
    torch.set_num_threads(options.threads)
    fpa.set_threads(options.threads)
    if options.memory_of:
        print(memory_of(options.memory_of, options.tiny))
        return 0
    missed = 0
    for name, measure, least, most in cases(options):
        if not fnmatch.fnmatch(name, options.case):
            continue
        out = {"name": name, "threads": options.threads, **measure()}
        print(json.dumps(out), flush=True)
        if options.check and not options.tiny:
            bad = [key for key in least if (out.get(key) or 0) < least[key]]
            bad += [key for key in most if out[key] > most[key]]
            for key in bad:
                print(f"{name}: {key} is {out.get(key)}", file=sys.stderr)
            missed += len(bad)
    return 1 if missed else 0


if __name__ == "__main__":
    try:
        import torch
    except ImportError:
        sys.exit("torch_compare.py: skipped: PyTorch is not installed")
    sys.exit(main())
