# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""libfpa_loader.so from Python: packages of kernels, on arrays of the GPU.

Arrays are anything with data_ptr() and shape, as PyTorch's tensors.
"""

import ctypes
import json
import os


class LoaderError(Exception):
    pass


class Array(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p),
                ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("rank", ctypes.c_int64)]


def _arrays(tensors):
    shapes = [(ctypes.c_int64 * len(t.shape))(*t.shape) for t in tensors]
    result = (Array * max(1, len(tensors)))(
        *(Array(t.data_ptr(), s, len(t.shape))
          for t, s in zip(tensors, shapes)))
    result.shapes = shapes  # as long as the arrays live
    return result


def _library(folder):
    path = os.path.join(folder, "libfpa_loader.so")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise LoaderError(f"expected the loader library {path}: {error}")
    pointer, count = ctypes.c_void_p, ctypes.c_int64
    arrays = [ctypes.c_char_p, ctypes.POINTER(Array), count,
              ctypes.POINTER(Array), count]
    for name, result, arguments in [
            ("fpaLoaderLastError", ctypes.c_char_p, []),
            ("fpaPackageOpen", pointer, [ctypes.c_char_p]),
            ("fpaPackageClose", None, [pointer]),
            ("fpaPackageDescription", ctypes.c_char_p, [pointer]),
            ("fpaPackageLoad", ctypes.c_int32, [pointer]),
            ("fpaPackageDeviceName", ctypes.c_char_p, [pointer]),
            ("fpaPackageDeviceCapability", ctypes.c_int32, [pointer]),
            ("fpaPackageLaunch", ctypes.c_int32, [pointer, *arrays, pointer]),
            ("fpaPackageSynchronize", ctypes.c_int32, [pointer, pointer]),
            ("fpaPackageTime", ctypes.c_int32,
             [pointer, *arrays, count, pointer, count, count,
              ctypes.POINTER(ctypes.c_double)])]:
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


class Package:
    """A file of kernels. Opening it needs no GPU, load() does."""

    def __init__(self, folder, path):
        self._calls = _library(folder)
        self.handle = self._calls.fpaPackageOpen(os.fsencode(path))
        if not self.handle:
            self._fail()
        self.description = json.loads(
            self._calls.fpaPackageDescription(self.handle))

    def close(self):
        if self.handle:
            self._calls.fpaPackageClose(self.handle)
            self.handle = None

    def _fail(self):
        raise LoaderError(self._calls.fpaLoaderLastError().decode())

    def _check(self, status):
        if not status:
            self._fail()

    def load(self):
        self._check(self._calls.fpaPackageLoad(self.handle))

    def device(self):
        """(name, compute capability as 10 * major + minor)"""
        name = self._calls.fpaPackageDeviceName(self.handle).decode()
        return name, self._calls.fpaPackageDeviceCapability(self.handle)

    def run(self, entry, inputs, results):
        """Launches on the default stream and waits."""
        self._check(self._calls.fpaPackageLaunch(
            self.handle, entry.encode(), _arrays(inputs), len(inputs),
            _arrays(results), len(results), None))
        self._check(self._calls.fpaPackageSynchronize(self.handle, None))

    def time(self, entry, sets, warm_ups, repetitions):
        """Milliseconds of each launch; `sets` are (inputs, results), taken in
        turn."""
        inputs = [t for ins, _ in sets for t in ins]
        results = [t for _, outs in sets for t in outs]
        times = (ctypes.c_double * repetitions)()
        self._check(self._calls.fpaPackageTime(
            self.handle, entry.encode(), _arrays(inputs), len(sets[0][0]),
            _arrays(results), len(sets[0][1]), len(sets), None, warm_ups,
            repetitions, times))
        return list(times)
