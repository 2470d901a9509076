# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Packages of `fpa-compile --emit=package`: kernels for a GPU, run with nothing
but its driver.

    package = fpa.package.Package("attention.pkg")
    package.load()                        # the first GPU
    o = package.run("main", q, k, v, field)

This file and libfpa_loader.so beside it also work alone, without the rest of
fpa: copy both to the machine with the GPU and import `package`.
"""

import ctypes
import json
import operator
import os
from ctypes import POINTER, c_char_p, c_double, c_int32, c_int64, c_void_p

_DTYPES = {"f16": "float16", "bf16": "V2", "f32": "float32", "f64": "float64",
           "i1": "bool", "i32": "int32", "i64": "int64", "index": "int64"}


class _Array(ctypes.Structure):
    """FpaArray of fpa/CAPI/Array.h."""
    _fields_ = [("data", c_void_p), ("shape", POINTER(c_int64)),
                ("rank", c_int64)]


_ARRAYS = [POINTER(_Array), c_int64]
_FUNCTIONS = {
    "fpaLoaderLastError": (c_char_p, []),
    "fpaPackageOpen": (c_void_p, [c_char_p]),
    "fpaPackageClose": (None, [c_void_p]),
    "fpaPackageDescription": (c_char_p, [c_void_p]),
    "fpaPackageResultShape": (c_int32, [c_void_p, c_char_p, *_ARRAYS, c_int64,
                                        POINTER(c_int64)]),
    "fpaPackageLoad": (c_int32, [c_void_p]),
    "fpaPackageDeviceName": (c_char_p, [c_void_p]),
    "fpaPackageDeviceCapability": (c_int32, [c_void_p]),
    "fpaPackageRun": (c_int32, [c_void_p, c_char_p, *_ARRAYS, *_ARRAYS]),
    "fpaPackageLaunch": (c_int32, [c_void_p, c_char_p, *_ARRAYS, *_ARRAYS,
                                   c_void_p]),
    "fpaPackageSynchronize": (c_int32, [c_void_p, c_void_p]),
    "fpaPackageTime": (c_int32, [c_void_p, c_char_p, *_ARRAYS, *_ARRAYS,
                                 c_int64, c_void_p, c_int64, c_int64,
                                 POINTER(c_double)]),
}


def _load_library():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                        "libfpa_loader.so")
    if not os.path.exists(path):
        raise ImportError(f"expected the loader of packages, found no '{path}':"
                          f" copy it there from build/lib, or set PYTHONPATH to"
                          f" build/python, where scripts/build.sh puts both")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"cannot load the loader of packages: {error}") \
            from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


_lib = _load_library()


def _to_bytes(what, text):
    """For C, where a text ends at its first null character."""
    data = os.fsencode(text)
    if b"\0" in data:
        raise ValueError(f"expected {what} without null characters, "
                         f"got {text!r}")
    return data


class PackageError(RuntimeError):
    """A package that cannot be read, loaded or run; the message is one line."""


class DeviceArray:
    """Row-major elements in the memory of the GPU: an address and a shape, for
    example of a torch tensor t: DeviceArray(t.data_ptr(), t.shape)."""

    def __init__(self, address, shape):
        self.address, self.shape = int(address), tuple(int(n) for n in shape)


class Package:
    """A package file. `chip`, `entries` and `kernels` describe it: the types of
    each entry's inputs and results as (element, shape) with None for a size
    known at run time, and of each kernel the registers and memory it takes; a
    block has shared_bytes by itself, and dynamic_shared_bytes at most that
    launches ask for (None: they compute it)."""

    def __init__(self, path):
        self._handle = _lib.fpaPackageOpen(_to_bytes("a path", path))
        if not self._handle:
            raise PackageError(_last_error())
        description = json.loads(_lib.fpaPackageDescription(self._handle))
        self.chip = description["chip"]
        self.kernels = description["kernels"]
        self.entries = {
            name: {side: [(t["element"], tuple(None if n < 0 else n
                                               for n in t["shape"]))
                          for t in entry[side]]
                   for side in ("inputs", "results")}
            for name, entry in description["entries"].items()}

    def __reduce_ex__(self, protocol):
        raise TypeError("expected no copy and no pickle of a Package, which owns "
                        "memory outside of Python")

    def __del__(self):
        # At the end of the interpreter the library's name may be gone already.
        if getattr(self, "_handle", None) and _lib:
            _lib.fpaPackageClose(self._handle)

    def load(self):
        """Loads the kernels on the first GPU; returns its name."""
        self._check(_lib.fpaPackageLoad(self._handle))
        return _lib.fpaPackageDeviceName(self._handle).decode()

    @property
    def capability(self):
        """The GPU's compute capability, 10 * major + minor; 0 before load()."""
        return _lib.fpaPackageDeviceCapability(self._handle)

    def result_shapes(self, entry, *shapes):
        """The shapes of the results for inputs of these shapes."""
        return [self._result_shape(entry, shapes, i, len(shape))
                for i, (_, shape) in enumerate(self._entry(entry)["results"])]

    def run(self, entry, *arrays):
        """Runs an entry on NumPy arrays; returns its result, or a tuple."""
        import numpy as np
        inputs, types = [], self._entry(entry)["inputs"]
        if len(arrays) != len(types):
            raise PackageError(f"expected {len(types)} inputs, got {len(arrays)}")
        for i, (x, (element, _)) in enumerate(zip(arrays, types)):
            x = np.asarray(x)
            wanted = np.dtype(_DTYPES[element])
            if x.dtype.name == "bfloat16" and element == "bf16":
                x = x.view(wanted)
            if x.dtype != wanted:
                raise TypeError(f"expected input {i} of element type {element},"
                                f" got {x.dtype}")
            inputs.append(np.require(x, requirements=["C", "A"])
                          .reshape(x.shape))
        shapes = self.result_shapes(entry, *(x.shape for x in inputs))
        results = [np.empty(shape, _DTYPES[element]) for shape, (element, _)
                   in zip(shapes, self._entry(entry)["results"])]
        self._check(_lib.fpaPackageRun(
            self._handle, _to_bytes("an entry", entry),
            *_views((x.ctypes.data, x.shape) for x in inputs),
            *_views((x.ctypes.data, x.shape) for x in results)))
        return results[0] if len(results) == 1 else tuple(results)

    def launch(self, entry, inputs, results, stream=0):
        """Starts an entry on DeviceArrays, in the order of a CUDA stream (for
        example torch.cuda.current_stream().cuda_stream); does not wait."""
        self._check(_lib.fpaPackageLaunch(
            self._handle, _to_bytes("an entry", entry),
            *_views((x.address, x.shape) for x in inputs),
            *_views((x.address, x.shape) for x in results), _to_stream(stream)))

    def synchronize(self, stream=0):
        """Waits for all that was launched on the stream."""
        self._check(_lib.fpaPackageSynchronize(self._handle, _to_stream(stream)))

    def time(self, entry, sets, repetitions, warm_ups=3, stream=0):
        """Milliseconds of each of `repetitions` launches by the device's own
        clock. `sets` lists (inputs, results), which take turns."""
        sets = [(list(one), list(two)) for one, two in sets]
        counts = {(len(one), len(two)) for one, two in sets}
        if len(counts) != 1:
            raise ValueError(
                "expected sets of inputs and results, as many in each, got "
                f"{'different numbers' if counts else 'no set'}")
        inputs = [x for one, _ in sets for x in one]
        results = [x for _, one in sets for x in one]
        all_inputs, input_count = _views((x.address, x.shape) for x in inputs)
        all_results, result_count = _views(
            (x.address, x.shape) for x in results)
        times = (c_double * repetitions)()
        self._check(_lib.fpaPackageTime(
            self._handle, _to_bytes("an entry", entry), all_inputs,
            input_count // len(sets), all_results, result_count // len(sets),
            len(sets), _to_stream(stream), warm_ups, repetitions, times))
        return list(times)

    def _entry(self, entry):
        if entry not in self.entries:
            raise PackageError(
                f"expected an entry among {', '.join(self.entries)}, "
                f"got {entry!r}")
        return self.entries[entry]

    def _result_shape(self, entry, shapes, index, rank):
        shape = (c_int64 * rank)()
        self._check(_lib.fpaPackageResultShape(
            self._handle, _to_bytes("an entry", entry), *_views((0, s) for s in shapes),
            index, shape))
        return tuple(shape)

    def _check(self, succeeded):
        if not succeeded:
            raise PackageError(_last_error())


def _last_error():
    return _lib.fpaLoaderLastError().decode(errors="replace")


def _to_stream(stream):
    try:
        return operator.index(stream)
    except TypeError:
        raise TypeError("expected stream to be the number of a CUDA stream, got "
                        f"{type(stream).__name__}") from None


def _views(arrays):
    """Pairs of address and shape as an array of FpaArray, and its length."""
    arrays = list(arrays)
    views = (_Array * max(1, len(arrays)))()
    for view, (address, shape) in zip(views, arrays):
        for size in shape:
            if not -2**63 <= operator.index(size) < 2**63:
                raise ValueError(f"expected sizes of 64 bits, got {size}")
        view.data = address or None
        view.shape = (c_int64 * max(1, len(shape)))(*shape)
        view.rank = len(shape)
    return views, len(arrays)
