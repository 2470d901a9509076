# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ways to compile and run a module: in this process, or by fpa-run."""

import os
import subprocess
import tempfile

import numpy as np

# New memory of compiled code, outputs included, is NaN; read when the library
# is loaded.
os.environ["FPA_POISON"] = "1"

# Names of tile configurations, as options of fpa-cpu-pipeline. The numbers
# must not depend on them, beyond rounding.
TILES = {
    "default": "",
    "small": "query-tile=16 key-tile=64 edge-tile=16",
    "odd": "query-tile=7 key-tile=30 edge-tile=10",
    "split": "split-backward query-tile=16 key-tile=32 edge-tile=32",
    "common": "common-minimum query-tile=16 key-tile=32 edge-tile=16",
    "decompose": "strategy=decompose",
}

# The same for fpa-gpu-pipeline.
GPU_TILES = {
    "default": "",
    "small": "query-tile=16 key-tile=16 edge-tile=16 warps=1 stages=1",
    "odd": "query-tile=32 key-tile=64 edge-tile=32 warps=2 stages=3",
    "split": "",
    "common": "",
}


def options(target, tiles):
    return (TILES if target == "cpu" else GPU_TILES)[tiles]


def supports(target, case):
    """GPUs have no f64 and one way to compute attention."""
    return target == "cpu" or (
        case.dtype != "f64" and getattr(case, "tiles", "") != "decompose")


def _as_bf16(x):
    """uint16 stands for bf16 in the cases, two bytes of no type in files."""
    return x.view("V2") if x.dtype == np.uint16 else x


def _as_bits(x):
    x = np.asarray(x)
    odd = x.dtype.kind == "V" or x.dtype.name == "bfloat16"
    return x.view(np.uint16) if odd else x


class PackageEngine:
    """The Python package, in this process."""

    def __init__(self, target="cpu"):
        import fpa
        self._fpa, self.target = fpa, target
        self._programs = {}

    def run(self, text, inputs, results, tiles="default", threads=1):
        """Results of @main as stored arrays of the given element types."""
        key = text, tiles
        if key not in self._programs:
            self._programs[key] = self._fpa.compile(
                text, target=self.target,
                options=options(self.target, tiles))
        self._fpa.set_threads(threads)
        got = self._programs[key](*map(_as_bf16, inputs))
        return [_as_bits(x) for x in
                (got if isinstance(got, tuple) else (got,))]


class RunnerEngine:
    """A process of fpa-run for each call, with .npy files in between."""

    def __init__(self, target="cpu"):
        self.target = target

    def run(self, text, inputs, results, tiles="default", threads=1):
        with tempfile.TemporaryDirectory() as folder:
            def path(name):
                return os.path.join(folder, name)
            with open(path("in.mlir"), "w") as out:
                out.write(text)
            command = ["fpa-run", path("in.mlir"), "--entry=main",
                       f"--target={self.target}", f"--threads={threads}"]
            if self.target != "cuda":
                command.append("--poison")
            if options(self.target, tiles):
                command.append(
                    f"--pipeline={options(self.target, tiles)}")
            for n, array in enumerate(inputs):
                np.save(path(f"i{n}.npy"), _as_bf16(array))
                command.append(f"--input=@{path(f'i{n}.npy')}")
            for n in range(len(results)):
                command.append(f"--output=@{path(f'o{n}.npy')}")
            ended = subprocess.run(command, capture_output=True, text=True,
                                   check=False)
            if ended.returncode:
                raise RuntimeError(ended.stderr.strip() or
                                   f"status {ended.returncode}")
            return [_as_bits(np.load(path(f"o{n}.npy")))
                    for n in range(len(results))]


ENGINES = {"package": PackageEngine, "runner": RunnerEngine}
