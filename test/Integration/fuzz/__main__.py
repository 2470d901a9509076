# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 -m fuzz [--count N] [--seed S] [--only NAME] [--keep DIR]

Gives fpa-opt and fpa-run (found in PATH) spoiled modules, array files, shapes
and options. Whatever the input, a tool must end by itself within the time
limit, either with status 0 or with another status and a message on standard
error; no output file is left half written. Every trial has a name that, with
the seed, makes it anew: --only NAME runs it alone and shows what it did.
"""

import argparse
import concurrent.futures
import dataclasses
import io
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile

import numpy as np

from . import mutations, seeds

CRASH = ("Stack dump", "PLEASE submit", "Assertion", "LLVM ERROR",
         "terminate called", "AddressSanitizer", "Segmentation fault",
         "pure virtual", "UNREACHABLE", "Traceback")
SECONDS = 60
MEMORY = 12 << 30


@dataclasses.dataclass
class Trial:
    name: str
    module: bytes
    arrays: list  # bytes of .npy files, or strings given as they are
    options: tuple = ()
    opt: bool = True  # also through fpa-opt


def npy(dtype, values):
    out = io.BytesIO()
    np.save(out, np.require(values, dtype, "C"))
    return out.getvalue()


def inputs(name, change=None):
    """The array files of a seed; `change` edits the list of shapes."""
    dtype, files = "f4", []
    rng = np.random.default_rng(1)
    shapes = list(seeds.SEEDS[name][1] or [])
    if change:
        change(shapes)
    for shape in shapes:
        if isinstance(shape, str):
            dtype = "f" + str(int(shape[1:]) // 8)
        elif isinstance(shape, list):
            files.append(npy("i8", shape))
        else:
            # A number is beta, which is positive.
            files.append(npy(dtype, rng.normal(size=shape) if shape else 1.0))
    return files


def module_trial(seed, n):
    rng = random.Random(f"module {seed} {n}")
    name = rng.choice(sorted(seeds.SEEDS))
    text = seeds.SEEDS[name][0]
    used = []
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        mutate = rng.choice(mutations.MODULE)
        if len(text) > 20:
            try:
                text = mutate(rng, text)
            except (IndexError, ValueError):
                continue  # an earlier edit left nothing for this one
            used.append(mutate.__name__)
    return Trial(f"module-{n}-{name}-{'-'.join(used)}",
                 text.encode("utf-8", "surrogatepass"), inputs(name))


def npy_trial(seed, n):
    rng = random.Random(f"npy {seed} {n}")
    name = rng.choice(["attention", "scans", "packed"])
    files = inputs(name)
    mutate = mutations.NPY[n % len(mutations.NPY)]
    at = rng.randrange(len(files))
    files[at] = mutate(rng, files[at])
    return Trial(f"npy-{n}-{name}-{mutate.__name__}",
                 seeds.SEEDS[name][0].encode(), files, opt=False)


def shape_trial(seed, n):
    """Arrays whose sizes disagree with the module or with each other."""
    rng = random.Random(f"shape {seed} {n}")
    name = rng.choice(["attention", "attention", "static", "packed", "packed",
                       "scans", "intervals"])

    def change(shapes):
        at = rng.choice([i for i, s in enumerate(shapes)
                         if not isinstance(s, str)])
        if isinstance(shapes[at], list):
            shapes[at] = rng.choice((
                [0, 7, 3, 40], [0, -5, 7, 40], [0, 7, 7, 41], [1, 7, 7, 40],
                [0, 7, 7, 2**62], [], [0], [0, 40], [-40, 0, 0, 0],
                [0, 50, 20, 40], [5, 4, 3, 2]))
        elif rng.random() < 0.2:
            del shapes[at]
        else:
            sizes = list(shapes[at])
            sizes[rng.randrange(len(sizes))] = rng.choice((0, 1, 2, 3, 64))
            if rng.random() < 0.2:
                sizes.insert(0, 1)
            shapes[at] = tuple(sizes)

    return Trial(f"shape-{n}-{name}", seeds.SEEDS[name][0].encode(),
                 inputs(name, change), opt=False)


OPTIONS = (
    ("--entry=nobody",), ("--target=toaster",), ("--no-such-option",),
    ("--seed=minus",), ("--compare=nothing",), ("--input=@/nonexistent.npy",),
    ("--input=@",), ("--input=4x",), ("--input=-4x4xf32",),
    ("--input=99999999999x99999999999xf32",), ("--output=@/nonexistent/o.npy",),
    ("--output=@/",), ("--entry=",), ("--seed=99999999999999999999",),
    ("--input=4x70xf32", "--input=4x70xf32"), ("--input=4x70xbad",),
    ("--output=@a.npy", "--output=@b.npy", "--output=@c.npy",
     "--output=@d.npy"), ("extra.mlir",), ("--stats=maybe",), ("--bench=-1",))


def option_trial(n):
    return Trial(f"option-{n}", seeds.SCANS.encode(),
                 inputs("scans") if n % 2 else [], OPTIONS[n], opt=False)


def trials(seed, count):
    made = [Trial(f"seed-{name}", text.encode(), inputs(name))
            for name, (text, _) in seeds.SEEDS.items()]
    made += [module_trial(seed, n) for n in range(count)]
    made += [npy_trial(seed, n) for n in range(count // 6)]
    made += [shape_trial(seed, n) for n in range(count // 6)]
    made += [option_trial(n) for n in range(len(OPTIONS))]
    return made


def limit_memory():
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, folder):
    """(problem or None, the process's end)."""
    try:
        ended = subprocess.run(
            command, cwd=folder, stdin=subprocess.DEVNULL, timeout=SECONDS,
            capture_output=True, preexec_fn=limit_memory, check=False,
            env={**os.environ, "FPA_NUM_THREADS": "1"})
    except subprocess.TimeoutExpired:
        return f"did not end within {SECONDS} s", None
    message = ended.stderr.decode("utf-8", "replace")
    if ended.returncode < 0:
        return f"ended by signal {-ended.returncode}", ended
    if ended.returncode in range(128, 160):
        return f"ended with status {ended.returncode}", ended
    for word in CRASH:
        if word in message:
            return f"printed '{word}'", ended
    if ended.returncode and not message.strip():
        return "failed without a message", ended
    return None, ended


def whole(path):
    """True for a file of arrays, and for none at all."""
    try:
        np.load(path)
    except FileNotFoundError:
        return True
    except (ValueError, OSError, EOFError):
        return False
    return True


def attempt(trial, tools, keep=None):
    """[(tool, problem, process)] of one trial."""
    folder = keep or tempfile.mkdtemp(prefix="fpa-fuzz-")
    os.makedirs(folder, exist_ok=True)
    try:
        path = os.path.join(folder, "in.mlir")
        with open(path, "wb") as out:
            out.write(trial.module)
        command = ["fpa-run", path, "--entry=main"]
        for n, array in enumerate(trial.arrays):
            with open(os.path.join(folder, f"{n}.npy"), "wb") as out:
                out.write(array)
            command.append(f"--input=@{n}.npy")
        command += ["--output=@out.npy", *trial.options]
        results = []
        if trial.opt and "fpa-opt" in tools:
            results.append(("fpa-opt", *run(
                ["fpa-opt", path, "--fpa-cpu-pipeline", "-o", os.devnull],
                folder)))
        if "fpa-run" in tools:
            problem, ended = run(command, folder)
            if not problem and not whole(os.path.join(folder, "out.npy")):
                problem = "left half of an output file"
            results.append(("fpa-run", problem, ended))
        return results
    finally:
        if not keep:
            shutil.rmtree(folder)


def show(results):
    for tool, problem, ended in results:
        print(f"{tool}: {problem or 'no problem'}")
        if ended:
            print(f"status {ended.returncode}\n"
                  f"{ended.stderr.decode('utf-8', 'replace')[:2000]}")


def main():
    parser = argparse.ArgumentParser(prog="fuzz", description=__doc__)
    parser.add_argument("--count", type=int, default=220,
                        help="how many spoiled modules (default 220)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="one trial, by the start of its name")
    parser.add_argument("--keep", help="leave the files of --only here")
    parser.add_argument("--tools", default="fpa-opt,fpa-run")
    options = parser.parse_args()
    tools = options.tools.split(",")
    for tool in tools:
        if not shutil.which(tool):
            sys.exit(f"expected {tool} in PATH, got none")
    picked = trials(options.seed, options.count)
    if options.only:
        picked = [t for t in picked if (t.name + "-").startswith(
            options.only.rstrip("-") + "-")]
        if not picked:
            sys.exit(f"expected a trial named {options.only}, got none")
    problems = refused = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for trial, results in zip(picked, pool.map(
                lambda t: attempt(t, tools, options.keep), picked)):
            if options.only:
                show(results)
            ends = [ended for _, _, ended in results if ended]
            refused += any(ended.returncode for ended in ends)
            valid = trial.name.startswith("seed-")
            for tool, problem, ended in results:
                if valid and ended and ended.returncode and (
                        tool == "fpa-opt" or trial.arrays):
                    problem = problem or "refused a valid module"
                if problem:
                    problems += 1
                    print(f"FAIL {trial.name} (seed {options.seed}): {tool} "
                          f"{problem}\n  alone: python3 -m fuzz --seed "
                          f"{options.seed} --only {trial.name}")
    print(f"{len(picked)} trials, {refused} refused, {problems} failures")
    return 1 if problems or not picked else 0


if __name__ == "__main__":
    sys.exit(main())
