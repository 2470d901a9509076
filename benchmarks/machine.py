# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the machine can do, measured by probe.c beside this file."""

import ctypes
import os
import shutil
import subprocess
import tempfile

import numpy as np


def aligned(count, dtype=np.float32):
    """Memory that starts at a page and has been written."""
    dtype = np.dtype(dtype)
    raw = np.ones(count * dtype.itemsize + 4096, np.uint8)
    start = -raw.ctypes.data % 4096
    return raw[start:start + count * dtype.itemsize].view(dtype)


class Machine:
    """Compiles the probes for this processor and runs them."""

    def __init__(self, compiler=None):
        here = os.path.dirname(os.path.abspath(__file__))
        compiler = compiler or next(
            (c for c in ("clang-22", "clang") if shutil.which(c)), None)
        if not compiler:
            raise RuntimeError("expected clang-22 or clang in PATH, got none")
        with tempfile.TemporaryDirectory() as folder:
            library = os.path.join(folder, "probe.so")
            subprocess.run(
                [compiler, "-O3", "-march=native", "-shared", "-fPIC",
                 os.path.join(here, "probe.c"), "-o", library], check=True)
            self._lib = ctypes.CDLL(library)
        self._lib.fpa_probe_fma.restype = ctypes.c_double
        self._lib.fpa_probe_fma.argtypes = [
            ctypes.c_double, ctypes.POINTER(ctypes.c_int)]
        self._lib.fpa_probe_fma_mean.restype = ctypes.c_double
        self._lib.fpa_probe_fma_mean.argtypes = [
            ctypes.c_double, ctypes.c_int]
        self._lib.fpa_probe_copy.restype = ctypes.c_double
        self._lib.fpa_probe_copy.argtypes = [
            ctypes.c_void_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
        self._lib.fpa_probe_read.restype = ctypes.c_double
        self._lib.fpa_probe_read.argtypes = [
            ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

    def fma(self, seconds=0.06):
        """(f32 FLOP/s of one thread, lanes of the fastest vectors)."""
        lanes = ctypes.c_int()
        rate = self._lib.fpa_probe_fma(seconds, ctypes.byref(lanes))
        return rate, lanes.value

    def fma_mean(self, lanes, seconds=0.02):
        """FLOP/s that one thread really had in these moments."""
        return self._lib.fpa_probe_fma_mean(seconds, lanes)

    def copy(self, to, source):
        """Seconds of the best of three ways to copy, read plus write."""
        return min(self._lib.fpa_probe_copy(
            to.ctypes.data, source.ctypes.data, source.nbytes, method)
            for method in range(3))

    def read(self, sources):
        """Seconds of the best of three ways to read all of `sources` once."""
        return min(sum(self._lib.fpa_probe_read(x.ctypes.data, x.nbytes, method)
                       for x in sources) for method in range(3))


def processor():
    try:
        with open("/proc/cpuinfo") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return "unknown"


def reset_peak_memory():
    """Starts the process's high-water mark anew, where Linux allows it."""
    try:
        with open("/proc/self/clear_refs", "w") as file:
            file.write("5")
        return True
    except OSError:
        return False


def memory(field):
    """VmHWM (peak) or VmRSS (now) of this process in bytes; 0 if unknown."""
    try:
        with open("/proc/self/status") as file:
            for line in file:
                if line.startswith(field + ":"):
                    return int(line.split()[1]) * 1024
    except OSError:
        pass
    return 0
