"""Functions made by fpa-differentiate, against central differences in f64.

usage: differentiate_numeric.py FILE.mlir SHAPE...

Differentiates @main of FILE, calls inlined, computes everything in f64, and
compares for each argument the slope along one random direction.
"""

import os
import re
import subprocess
import sys
import tempfile

import numpy as np

STEP = 1e-6


def run_function(path, folder, entry, inputs, count):
    """The outputs of a function of the module in `path`."""
    command = ["fpa-run", path, f"--entry={entry}", "--strategy=decompose"]
    for i, array in enumerate(inputs):
        name = os.path.join(folder, f"in{i}.npy")
        np.save(name, array)
        command.append(f"--input=@{name}")
    outputs = [os.path.join(folder, f"out{i}.npy") for i in range(count)]
    done = subprocess.run(command + [f"--output=@{name}" for name in outputs],
                          capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{entry}: {done.stderr}")
    return [np.load(name) for name in outputs]


def count_results(text, name):
    """How many results a function has."""
    results = re.search(rf"func\.func @{name}\(.*\) -> (.*) {{", text)[1]
    return len(re.findall(r"tensor<", results))


def main(source, *shapes):
    rng = np.random.default_rng(0)
    inputs = [rng.normal(size=[int(n) for n in shape.split("x")])
              for shape in shapes]
    # Products of matrices keep their size.
    inputs = [x / np.sqrt(x.shape[0]) if x.shape[0] == x.shape[-1] else x
              for x in inputs]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pair.mlir")
        subprocess.run(
            ["fpa-opt", source, "--inline", "--fpa-differentiate=functions=main",
             "--fpa-promote-to-f64", "-o", path], check=True)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        results = count_results(text, "main")

        def call(entry, arrays, count):
            return run_function(path, folder, entry, arrays, count)

        forward = call("main_forward", inputs,
                       count_results(text, "main_forward"))
        cotangents = [rng.normal(size=y.shape) for y in forward[:results]]
        gradients = call("main_backward", [*inputs, *forward, *cotangents],
                         len(inputs))
        for i, (x, gradient) in enumerate(zip(inputs, gradients)):
            direction = rng.normal(size=x.shape)
            sums = []
            for step in (STEP, -STEP):
                moved = list(inputs)
                moved[i] = x + step * direction
                sums.append(sum((y * d).sum() for y, d in zip(
                    call("main", moved, results), cotangents)))
            slope = (sums[0] - sums[1]) / (2 * STEP)
            got = (gradient * direction).sum()
            error = abs(got - slope) / max(1, abs(slope))
            print(f"argument {i}: slope {slope:.6f}, error "
                  f"{'below' if error < 1e-6 else 'above'} 1e-6 ({error:.1e})")


if __name__ == "__main__":
    main(*sys.argv[1:])
