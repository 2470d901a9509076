"""Compiles MLIR text with fpa-opt and clang, and calls it on NumPy arrays."""

import ctypes
import os
import subprocess
import tempfile

import numpy as np

LOWERING = [
    "--scf-forall-to-for", "--convert-vector-to-scf", "--lower-affine",
    "--convert-scf-to-cf", "--expand-strided-metadata", "--lower-affine",
    "--finalize-memref-to-llvm", "--convert-vector-to-llvm",
    "--convert-arith-to-llvm", "--convert-ub-to-llvm",
    "--convert-func-to-llvm", "--convert-cf-to-llvm",
    "--reconcile-unrealized-casts"]

# bf16 is kept as its bits.
FLOATS = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32,
          "f64": np.float64}


def from_float32(x, element):
    """Rounds to an element type, bf16 towards 0."""
    if element == "bf16":
        x = np.ascontiguousarray(x, np.float32)
        return (x.view(np.uint32) >> 16).astype(np.uint16)
    return x.astype(FLOATS[element])


def to_float64(x, element):
    if element == "bf16":
        x = (x.astype(np.uint32) << 16).view(np.float32)
    return x.astype(np.float64)


def pipe(text, *command):
    done = subprocess.run(command, input=text, capture_output=True)
    if done.returncode:
        raise SystemExit(" ".join(command) + "\n" + done.stderr.decode())
    return done.stdout


def descriptor(array):
    """A memref descriptor; strides in elements."""
    rank = array.ndim
    words = [array.ctypes.data, array.ctypes.data, 0, *array.shape,
             *(s // array.itemsize for s in array.strides)]
    return (ctypes.c_int64 * (3 + 2 * rank))(*words)


class Module:
    """A compiled module: module.call(name, array or int, ...)."""

    def __init__(self, text, passes, flags=("-O1", "-march=native")):
        llvm = pipe(pipe(text.encode(), "fpa-opt", *passes, "--canonicalize",
                         "--cse", "--llvm-request-c-wrappers", *LOWERING),
                    "mlir-translate", "--mlir-to-llvmir")
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "module.so")
            pipe(llvm, "clang", *flags, "-shared", "-fPIC", "-x", "ir", "-",
                 "-o", path)
            self._program = ctypes.CDLL(path)

    def call(self, name, *args):
        values = [descriptor(a) if isinstance(a, np.ndarray)
                  else ctypes.c_int64(a) for a in args]
        self._program["_mlir_ciface_" + name](
            *(v if isinstance(v, ctypes.c_int64) else ctypes.byref(v)
              for v in values))
