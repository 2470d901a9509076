#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Measures the compiler and what it compiles.

    benchmarks/bench.py [--case GLOB] [--group G] [--rounds N] [--tiny]

Prints one line of JSON per case on standard output and a table on standard
error. Times are medians over rounds; each round probes the machine and then
runs every case of the group once. A ratio is the median of the ratios of the
rounds, so that it compares times of the same second. `peak_share` is against
the best rate of multiply-adds that the probes found; `share_beside`, of one
thread, against the mean rate just before and after each run: on a machine
shared with others the two differ by what the others took. `read_share` is
against the best loop that reads the same keys and values, just before and
after each run. Nothing is taken from the cache of
kernels on disk: compile times are those of a first call. --tiny shrinks every
case, checks its numbers and measures nothing of worth: a smoke test. --check exits 1 where a bound of cases.json is missed.
"""

import argparse
import fnmatch
import json
import os
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.environ.get(
    "FPA_PYTHON_DIR", os.path.join(HERE, "..", "build", "python"))]

# A compile time must not be that of finding a file.
os.environ["FPA_CACHE_DIR"] = ""

import numpy as np  # noqa: E402

import machine  # noqa: E402
import programs  # noqa: E402
import report  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--cases", default=os.path.join(HERE, "cases.json"))
    parser.add_argument("--case", default="*", help="names (glob)")
    parser.add_argument("--group", help="one of those in cases.json: d64, d128, "
                        "backward-d64, backward-d128,\nmore, prune, "
                        "prune-backward, long, scans, decode")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--options", default="",
                        help="pipeline options added to every case")
    parser.add_argument("--tiny", action="store_true")
    parser.add_argument("--check", action="store_true")
    return parser.parse_args()


class Run:
    """One case: compiled, with its inputs and its times."""

    def __init__(self, case, options):
        import fpa
        self.fpa = fpa
        self.case = case
        self.program = programs.make(case, options.tiny)
        self.arrays = self.program.inputs()
        pipeline = " ".join(
            x for x in (case.get("options", ""), options.options) if x)
        # The name makes the text one that was not compiled before.
        text = f"// {case['name']}\n{self.program.text()}"
        start = time.perf_counter()
        self.function = fpa.compile(text, options=pipeline)
        self.compile_s = time.perf_counter() - start
        self.times = []
        self.shares = []
        self.reads = []

    def once(self):
        self.fpa.set_threads(self.case.get("threads", 1))
        start = time.perf_counter()
        result = self.function(*self.arrays)
        self.times.append(time.perf_counter() - start)
        return result

    def once_beside_reads(self, box):
        """A step, and its share of what it takes just before and after to read
        the same memory and do nothing else: the fastest of three, as of three
        loops. Of steps that are not timed one comes before all, so that loops
        find the memory as steps do, and one after the loops: it brings back into
        caches what every call runs through, interpreter and library, which a
        probe of memory puts out of them."""
        memory = self.program.reads(self.arrays)
        self.once()
        before = box.read(memory)
        for _ in range(4):
            self.once()
        self.times[-5:] = [min(self.times[-3:])]
        self.reads.append((before + box.read(memory)) / 2)
        self.shares.append(self.reads[-1] / self.times[-1])

    def once_beside(self, box, lanes):
        """One run, and its share of what the processor gave around it."""
        before = box.fma_mean(lanes)
        self.once()
        given = (before + box.fma_mean(lanes)) / 2
        self.shares.append(self.program.flops() / self.times[-1] / given)

    def measure_memory(self):
        """Bytes held beyond the inputs and results, and the process's peak."""
        self.fpa.memory_reset()
        before = machine.memory("VmRSS")
        known = machine.reset_peak_memory()
        result = self.once()
        self.times.pop()
        self.workspace = self.fpa.memory_peak() - sum(
            x.nbytes for x in as_tuple(result))
        peak = machine.memory("VmHWM")
        self.growth = peak - before if known and peak else None
        self.process_peak = peak

    def problem(self):
        """How the result of a small case is wrong, or None."""
        if "wrong" in self.case:
            return None
        got, want = as_tuple(self.once()), self.program.expected(self.arrays)
        tolerance = 2e-3 if self.case.get("element") == "f16" else 1e-5
        problems = [difference(*pair, tolerance)
                    for pair in zip(got, as_tuple(want), strict=True)]
        return next(filter(None, problems), None)


def as_tuple(result):
    return result if isinstance(result, tuple) else (result,)


def difference(got, want, tolerance):
    """How one result is wrong, or None."""
    got = np.asarray(got, np.float64)
    finite = np.isfinite(want)
    if not np.array_equal(got[~finite], want[~finite]):
        return "non-finite values differ"
    got, want = got[finite], want[finite]
    error = np.abs(got - want).max() / max(1.0, np.abs(want).max())
    return None if error <= tolerance else f"off by {error:.3g}"


def probe(box, runs, buffers):
    """The rates a round is measured against."""
    found = {}
    if any(hasattr(r.program, "flops") for r in runs):
        found["fma"], found["lanes"] = box.fma()
    if buffers:
        to, source = buffers
        found["copy"] = 2 * source.nbytes / box.copy(to, source)
    return found


def measure(group, options, box):
    """Runs a group in turns; the records of its cases."""
    runs = [Run(case, options) for case in group]
    buffers = None
    if any(getattr(r.program, "copies", False) for r in runs):
        count = 1 << (12 if options.tiny else 24)
        buffers = machine.aligned(count), machine.aligned(count)
    probes = [probe(box, runs, buffers)]
    for run in runs:
        run.measure_memory()  # also the warm-up
    rounds = 1 if options.tiny else min(
        [options.rounds] + [c["rounds"] for c in group if "rounds" in c])
    for _ in range(rounds):
        probes.append(probe(box, runs, buffers))
        for run in runs:
            if hasattr(run.program, "flops") and \
                    run.case.get("threads", 1) == 1:
                run.once_beside(box, probes[-1]["lanes"])
            elif hasattr(run.program, "reads"):
                run.once_beside_reads(box)
            else:
                run.once()
    probes.append(probe(box, runs, buffers))
    best = {key: statistics.median(p[key] for p in probes)
            for key in probes[0]}
    times = {r.case["name"]: r.times for r in runs}
    return [record(r, best, times, options) for r in runs]


def record(run, rates, times, options):
    case, program = run.case, run.program
    median = statistics.median(run.times)
    threads = case.get("threads", 1)
    out = {"name": case["name"], "group": case["group"], "threads": threads,
           "compile_s": round(run.compile_s, 4), "median_s": median,
           "min_s": min(run.times), "runs": len(run.times),
           "workspace_bytes": run.workspace, "growth_bytes": run.growth,
           "process_peak_bytes": run.process_peak}
    if hasattr(program, "flops"):
        out["gflops"] = program.flops() / median / 1e9
        out["probe_gflops"] = rates["fma"] / 1e9
        out["probe_lanes"] = rates["lanes"]
        out["peak_share"] = program.flops() / median / (rates["fma"] * threads)
        if run.shares:
            out["share_beside"] = statistics.median(run.shares)
    else:
        out["gbytes_per_s"] = program.bytes() / median / 1e9
        if run.reads:
            out["probe_read_gbytes_per_s"] = \
                program.bytes() / statistics.median(run.reads) / 1e9
            out["read_share"] = statistics.median(run.shares)
        elif "copy" in rates:
            out["probe_copy_gbytes_per_s"] = rates["copy"] / 1e9
            out["copy_share"] = program.bytes() / median / rates["copy"]
    for name, (over, _) in case.get("ratios", {}).items():
        if over in times:
            out[name] = statistics.median(
                a / b for a, b in zip(times[over], run.times))
    if options.tiny:
        out["problem"] = run.problem()
    return out


def missed(case, out, limits):
    """The bounds that a record misses, as text."""
    lines = []

    def bound(key, limit, least=True):
        value = out.get(key)
        if value is None or (value < limit if least else value > limit):
            lines.append(f"{case['name']}: expected {key} "
                         f"{'>=' if least else '<='} {limit}, got {value}")

    for key in ("peak_share", "copy_share", "read_share"):
        if f"{key}_at_least" in case:
            bound(key, case[f"{key}_at_least"])
    for name, (over, limit) in case.get("ratios", {}).items():
        if name in out:  # not if --case left the other one out
            bound(name, limit)
    if "memory_at_most" in case:
        bound("process_peak_bytes", case["memory_at_most"], least=False)
    bound("compile_s", limits["compile_seconds_at_most"], least=False)
    return lines


def read_cases(path):
    try:
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        # What every case has, and what is looked up for all of them.
        names = [(c["name"], c["group"], c["kind"]) for c in data["cases"]]
        float(data["compile_seconds_at_most"])
    except OSError as error:
        sys.exit(f"cannot read '{path}': {error.strerror}")
    except (ValueError, KeyError, TypeError) as error:
        sys.exit(f"'{path}': expected cases as in benchmarks/cases.json, got "
                 f"{type(error).__name__}: {' '.join(str(error).split())}")
    if len(set(names)) != len(names):
        sys.exit(f"'{path}': expected names that differ")
    return data


def main():
    options = parse()
    data = read_cases(options.cases)
    picked = [c for c in data["cases"]
              if fnmatch.fnmatchcase(c["name"], options.case)
              and options.group in (None, c["group"])]
    if not picked:
        sys.exit("expected at least one case of this group and name, got none")
    box = machine.Machine()
    records, complaints = [], []
    for group in dict.fromkeys(c["group"] for c in picked):
        cases = [c for c in picked if c["group"] == group]
        for case, out in zip(cases, measure(cases, options, box)):
            records.append(out)
            print(json.dumps(out), flush=True)
            if options.tiny:
                if out["problem"]:
                    complaints.append(f"{case['name']}: {out['problem']}")
            else:
                complaints += missed(case, out, data)
    print(report.table(records, machine.processor()), file=sys.stderr)
    for line in complaints:
        print(line, file=sys.stderr)
    return 1 if complaints and (options.check or options.tiny) else 0


if __name__ == "__main__":
    sys.exit(main())
