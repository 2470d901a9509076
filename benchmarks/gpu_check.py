#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks packaged kernels against a float64 reference on fresh random input and
times them beside PyTorch's causal attention.

    gpu_check.py [PACKAGES] [--seconds N] [--seed N] [--quick] [--json FILE]
    gpu_check.py --table FILE

PACKAGES is a folder of benchmarks/build_packages.sh, by default that of this
script if it is one, else build/packages. Times are medians of
launches timed by events of the device, over several sets of arrays so that the
cache holds none of them. TFLOP/s count the products that causal attention
needs. An error is in roundings of the output's type; more than 2 fail. That of
gradients is in roundings of each one's largest entry; more than 4 fail. The
table comes last. --json keeps the numbers, --table prints them again.

Exits 0 when every case that ran is right, 1 when one is wrong, 2 when nothing
could be run.
"""

import argparse
import ctypes
import glob
import json
import os
import re
import statistics
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import gpu_reference  # noqa: E402
import gpu_table  # noqa: E402

LENGTHS = [1024, 2048, 4096, 8192, 16384]
HEADS = [64, 128, 256]
# Unit roundoff of the output's type.
TYPES = {"f16": 2.0 ** -11, "bf16": 2.0 ** -8}
MOST_ROUNDINGS = 2.05
MOST_OF_GRADIENTS = 4
# The reference of gradients is quadratic in memory.
LONGEST_CHECK = 1024
DEVICE = "cuda"
TOKENS, WIDTH = 16384, 2048
# More than the largest cache of a GPU.
BYTES_OF_ALL_SETS = 400 << 20


class NotRun(Exception):
    """Nothing was measured; one line says why."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise NotRun(message)


def parse(argv):
    parser = Parser(
        prog="gpu_check", description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", nargs="?", metavar="PACKAGES")
    parser.add_argument("--seconds", type=float, default=270,
                        help="when to start no more cases (default 270)")
    parser.add_argument("--seed", type=int, default=None,
                        help="of the random input (default: the time)")
    parser.add_argument("--quick", action="store_true",
                        help="the two shortest lengths, one head size")
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--table", metavar="FILE")
    options = parser.parse_args(argv)
    if not options.packages:
        packed = os.path.exists(os.path.join(HERE, "libfpa_loader.so"))
        options.packages = HERE if packed else os.path.normpath(
            os.path.join(HERE, "..", "build", "packages"))
    return options


def find_packages(folder):
    """{chip: {(type, head): path}} of names such as attention-f16-d64-sm_90.pkg"""
    if not os.path.isdir(folder):
        raise NotRun(f"expected a folder of packages, got '{folder}'; "
                     "benchmarks/build_packages.sh makes one")
    found = {}
    for path in glob.glob(os.path.join(glob.escape(folder), "*.pkg")):
        match = re.fullmatch(r"attention-(b?f16)-d(\d+)-sm_(\d+)\.pkg",
                             os.path.basename(path))
        if match:
            chip = found.setdefault(int(match[3]), {})
            chip[match[1], int(match[2])] = path
    if not found:
        raise NotRun(f"expected packages attention-TYPE-dN-sm_NN.pkg in "
                     f"'{folder}', found none")
    return found


def find_gpu():
    """The compute capability of the first GPU, by its driver alone."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        raise NotRun("expected a GPU and its driver, found no libcuda.so.1")
    status = driver.cuInit(0)
    count = ctypes.c_int(0)
    if status == 0:
        status = driver.cuDeviceGetCount(ctypes.byref(count))
    if status or not count.value:
        raise NotRun(f"expected a GPU, the driver found none (status {status})")
    numbers = []
    for attribute in (75, 76):  # compute capability, major and minor
        value = ctypes.c_int(0)
        driver.cuDeviceGetAttribute(ctypes.byref(value), attribute, 0)
        numbers.append(value.value)
    return 10 * numbers[0] + numbers[1]


def choose_chip(found, capability):
    """The newest packages that are not newer than the GPU."""
    fitting = [chip for chip in found if chip <= capability]
    if not fitting:
        have = ", ".join(f"sm_{chip}" for chip in sorted(found))
        raise NotRun(f"expected packages for sm_{capability} or an older chip, "
                     f"found {have}")
    return max(fitting)


def import_loader(folder):
    """The module `package` that lies with the packages, beside its library."""
    sys.path.insert(0, folder)
    try:
        import package
    except ImportError as error:
        raise NotRun(error)
    return package


class PackageOnGPU:
    """A package's entries on PyTorch's tensors."""

    def __init__(self, loader, path):
        self.loader, self.package = loader, loader.Package(path)
        self.package.load()

    def arrays(self, tensors):
        return [self.loader.DeviceArray(t.data_ptr(), t.shape)
                for t in tensors]

    def run(self, entry, inputs, results):
        """Runs on the default stream and waits."""
        self.package.launch(entry, self.arrays(inputs), self.arrays(results))
        self.package.synchronize()

    def time(self, entry, sets, warm_ups, repetitions):
        """Milliseconds of each launch; `sets` are (inputs, results), taken in
        turn."""
        sets = [tuple(map(self.arrays, one)) for one in sets]
        return self.package.time(entry, sets, repetitions, warm_ups)


def import_torch():
    try:
        import torch
    except ImportError:
        raise NotRun(f"expected a Python with PyTorch, {sys.executable} has "
                     "none; set FPA_PYTHON to one that has")
    if not torch.cuda.is_available():
        raise NotRun("expected a PyTorch that sees the GPU, got version "
                     f"{torch.__version__}")
    return torch


def make_sets(torch, dtype, shape, generator):
    """Sets of q, k, v, field, then output and lse, as many as empty the cache."""
    batch, heads, length, head = shape
    size = batch * heads * length * head * 2
    count = max(2, min(16, -(-BYTES_OF_ALL_SETS // (4 * size))))
    sets = []
    for _ in range(count):
        q, k, v = (torch.randn(shape, generator=generator, device=DEVICE).to(
            dtype) for _ in range(3))
        # A random walk that sinks, as sums of log gates and noise.
        steps = torch.randn(shape[:3], generator=generator, device=DEVICE)
        field = ((steps - 0.2) * 0.1).cumsum(-1)
        results = [torch.full_like(q, float("nan")),
                   torch.full_like(field, float("nan"))]
        sets.append(([q, k, v, field], results))
    return sets


def time_calls(torch, backend, prepare, warm_ups, repetitions):
    """Median milliseconds of what `prepare` returns, called with the number of
    the repetition, on a back end of PyTorch; None where that refuses."""
    from torch.nn.attention import sdpa_kernel
    try:
        with sdpa_kernel([backend]):
            call, events = prepare(), []
            for number in range(warm_ups + repetitions):
                begin, end = (torch.cuda.Event(enable_timing=True)
                              for _ in range(2))
                begin.record()
                call(number)
                end.record()
                events.append((begin, end))
            torch.cuda.synchronize()
    except RuntimeError:
        return None
    return statistics.median(
        begin.elapsed_time(end) for begin, end in events[warm_ups:])


def time_torch(torch, sets, name, warm_ups, repetitions):
    """Median milliseconds of PyTorch's back end, None where it refuses."""
    from torch.nn.attention import SDPBackend
    backend = getattr(SDPBackend, name, None)
    if backend is None:
        return None
    attention = torch.nn.functional.scaled_dot_product_attention

    def call(number):
        q, k, v, _ = sets[number % len(sets)][0]
        attention(q, k, v, is_causal=True)

    return time_calls(torch, backend, lambda: call, warm_ups, repetitions)


def check_rows(torch, length, generator):
    """The first and last rows and some in between."""
    picked = torch.randint(length, (24,), generator=generator, device=DEVICE)
    ends = torch.tensor([0, 1, 15, 16, 63, 64, length - 2, length - 1],
                        device=DEVICE).clamp(0, length - 1)
    return torch.cat([ends, picked]).unique()


def check(torch, package, kind, head, shape, generator):
    """The largest error of the entries `attention` and `causal`."""
    dtype = {"f16": torch.float16, "bf16": torch.bfloat16}[kind]
    worst = 0.0
    inputs, results = make_sets(torch, dtype, shape, generator)[0]
    q, k, v, field = inputs
    rows = check_rows(torch, shape[2], generator)
    for entry, arguments in [("attention", inputs), ("causal", inputs[:3])]:
        for result in results:
            result.fill_(float("nan"))
        torch.cuda.synchronize()
        package.run(entry, arguments, results)
        worst = max(worst, gpu_reference.worst_error(
            torch, results[0], q, k, v, field if entry == "attention" else None,
            rows, TYPES[kind]))
    return worst


def backward_sets(torch, package, sets, entry):
    """Sets for the entry's gradients: what the entry takes and gives, and a
    gradient of its output."""
    result = []
    for inputs, outputs in sets:
        inputs = inputs if entry == "attention" else inputs[:3]
        package.run(entry, inputs, outputs)
        seed = torch.randn_like(outputs[0])
        result.append((inputs + outputs + [seed],
                       [torch.full_like(x, float("nan")) for x in inputs]))
    torch.cuda.synchronize()
    return result


def check_gradients(torch, package, kind, shape, generator):
    """The largest error of the gradients of both entries."""
    dtype = {"f16": torch.float16, "bf16": torch.bfloat16}[kind]
    one = make_sets(torch, dtype, shape, generator)[:1]
    worst = 0.0
    for entry in ("attention", "causal"):
        inputs, results = backward_sets(torch, package, one, entry)[0]
        package.run(entry + "_backward", inputs, results)
        worst = max(worst, gpu_reference.worst_gradient(
            torch, inputs, results, TYPES[kind]))
    return worst


def time_torch_backward(torch, sets, warm_ups, repetitions):
    """Median milliseconds of the gradients of PyTorch's flash attention."""
    from torch.nn.attention import SDPBackend
    attention = torch.nn.functional.scaled_dot_product_attention
    q, k, v, _ = sets[0][0]
    q, k, v = (x.clone().requires_grad_() for x in (q, k, v))

    def prepare():
        output = attention(q, k, v, is_causal=True)
        seed = torch.randn_like(output)
        return lambda number: torch.autograd.grad(output, (q, k, v), seed,
                                                  retain_graph=True)

    return time_calls(torch, SDPBackend.FLASH_ATTENTION, prepare, warm_ups,
                      repetitions)


def measure(torch, package, kind, head, length, generator):
    """A row of the table."""
    dtype = {"f16": torch.float16, "bf16": torch.bfloat16}[kind]
    shape = (TOKENS // length, WIDTH // head, length, head)
    row = {"type": kind, "head": head, "length": length,
           "batch": shape[0], "heads": shape[1]}
    # An odd length besides, whose last tile is not full.
    odd = (1, 2, length - 37, head)
    row["error"] = max(check(torch, package, kind, head, case, generator)
                       for case in [(1, 2, length, head), odd])
    shortest = min(length, LONGEST_CHECK)
    row["gradient error"] = max(
        check_gradients(torch, package, kind, case, generator)
        for case in [(1, 2, shortest, head), (1, 2, shortest - 37, head)])
    sets = make_sets(torch, dtype, shape, generator)
    torch.cuda.synchronize()
    once = statistics.median(package.time("attention", sets, 1, 3))
    repetitions = int(max(5, min(40, 300 / max(once, 1e-3))))
    row["fpa"] = statistics.median(
        package.time("attention", sets, 3, repetitions))
    plain = [(inputs[:3], results) for inputs, results in sets]
    row["causal"] = statistics.median(
        package.time("causal", plain, 3, repetitions))
    for name in ["FLASH_ATTENTION", "CUDNN_ATTENTION", "EFFICIENT_ATTENTION"]:
        row[name.split("_")[0].lower()] = time_torch(torch, sets, name, 3,
                                                     repetitions)
    for entry in ("attention", "causal"):
        gradients = backward_sets(torch, package, sets, entry)
        row[entry + " backward"] = statistics.median(package.time(
            entry + "_backward", gradients, 2, max(3, repetitions // 3)))
    row["flash backward"] = time_torch_backward(torch, sets, 2,
                                                max(3, repetitions // 3))
    return row


def run(options):
    begin = time.monotonic()
    found = find_packages(options.packages)
    capability = find_gpu()
    chip = choose_chip(found, capability)
    loader, torch = import_loader(options.packages), import_torch()
    seed = options.seed if options.seed is not None else time.time_ns() % 2**31
    generator = torch.Generator(DEVICE).manual_seed(seed)
    report = {"gpu": torch.cuda.get_device_name(), "capability": capability,
              "chip": f"sm_{chip}", "torch": torch.__version__, "seed": seed,
              "rows": [], "problems": []}
    lengths, heads = (LENGTHS[:2], HEADS[:1]) if options.quick else (LENGTHS,
                                                                     HEADS)
    for kind in TYPES:
        for head in heads:
            path = found[chip].get((kind, head))
            if not path:
                report["problems"].append(f"{kind} D {head}: no package")
                continue
            try:
                package = PackageOnGPU(loader, path)
                for length in lengths:
                    if time.monotonic() - begin > options.seconds:
                        report["problems"].append(
                            f"{kind} D {head} L {length}: not run, no time "
                            "left")
                        continue
                    row = measure(torch, package, kind, head, length,
                                  generator)
                    report["rows"].append(row)
                    print(gpu_table.progress(row), flush=True)
                    torch.cuda.empty_cache()
            except RuntimeError as error:
                line = " ".join(str(error).split())
                report["problems"].append(f"{kind} D {head}: {line}")
    report["seconds"] = time.monotonic() - begin
    return report


def main(argv):
    try:
        options = parse(argv)
        if options.table:
            with open(options.table) as file:
                try:
                    report = json.load(file)
                    report["rows"], report["problems"]
                except (ValueError, KeyError, TypeError):
                    raise NotRun(f"option --table: expected a file that --json "
                                 f"wrote, got '{options.table}'") from None
        else:
            report = run(options)
    except (NotRun, OSError, ValueError) as error:
        print(f"gpu_check: error: {error}", file=sys.stderr)
        return 2
    if options.json:
        with open(options.json, "w") as file:
            json.dump(report, file, indent=1)
    print(gpu_table.render(report, MOST_ROUNDINGS, MOST_OF_GRADIENTS))
    wrong = [row for row in report["rows"]
             if not gpu_table.is_right(row, MOST_ROUNDINGS, MOST_OF_GRADIENTS)]
    return 1 if wrong or report["problems"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
