# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C library beside this file, through ctypes."""

import ctypes
import os

from ctypes import (POINTER, c_char_p, c_int32, c_int64, c_size_t, c_uint64,
                    c_void_p)


_FUNCTIONS = {
    "fpaLastError": (c_char_p, []),
    "fpaLastErrorIsMemory": (c_int32, []),
    "fpaCompile": (c_void_p, [c_char_p, c_size_t, c_char_p, c_char_p,
                              c_char_p]),
    "fpaCompilerId": (c_char_p, []),
    "fpaShow": (c_char_p, [c_char_p, c_size_t, c_char_p, c_char_p, c_char_p,
                           c_char_p]),
    "fpaProgramObject": (c_void_p, [c_void_p, POINTER(c_size_t)]),
    "fpaProgramLoad": (c_void_p, [c_char_p, c_size_t, c_char_p, c_char_p,
                                  c_char_p, c_size_t]),
    "fpaProgramDestroy": (None, [c_void_p]),
    "fpaProgramSignature": (c_char_p, [c_void_p]),
    "fpaProgramCall": (c_void_p, [c_void_p, c_void_p, c_void_p]),
    "fpaProgramResultSizes": (c_int32, [c_void_p, c_void_p, c_void_p]),
    "fpaProgramLaunch": (c_int32, [c_void_p, c_void_p, c_void_p, c_void_p,
                                   c_int32]),
    "fpaResultsDestroy": (None, [c_void_p]),
    "fpaDeviceOpen": (c_void_p, [c_char_p]),
    "fpaDeviceClose": (None, [c_void_p]),
    "fpaDeviceAllocate": (c_int32, [c_void_p, c_int64, c_void_p,
                                    POINTER(c_uint64)]),
    "fpaDeviceRelease": (c_int32, [c_void_p, c_uint64, c_void_p]),
    "fpaDeviceTrim": (c_int32, [c_void_p]),
    "fpaDeviceCopyIn": (c_int32, [c_void_p, c_uint64, c_void_p, c_int64,
                                  c_void_p]),
    "fpaDeviceCopyOut": (c_int32, [c_void_p, c_void_p, c_uint64, c_int64,
                                   c_void_p]),
    "fpaDeviceClear": (c_int32, [c_void_p, c_uint64, c_int64, c_void_p]),
    "fpaDeviceCopy": (c_int32, [c_void_p, c_uint64, c_uint64, c_int64,
                                c_void_p]),
    "fpaDeviceSynchronize": (c_int32, [c_void_p, c_void_p]),
    "fpaSetThreads": (None, [c_int32]),
    "fpaGetThreads": (c_int32, []),
    "fpaMemoryPeak": (c_int64, []),
    "fpaMemoryReset": (None, []),
    "fpaTransform": (c_void_p, [c_char_p, c_size_t, c_char_p]),
    "fpaTextGet": (c_char_p, [c_void_p]),
    "fpaTextRemarks": (c_char_p, [c_void_p]),
    "fpaTextDestroy": (None, [c_void_p]),
}


def _load():
    path = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libfpa.so")
    if not os.path.exists(path):
        raise ImportError(f"expected fpa's C library, found no '{path}': set "
                          f"PYTHONPATH to build/python, where scripts/build.sh "
                          f"puts the package with it")
    try:
        library = ctypes.CDLL(path)
    except OSError as error:
        raise ImportError(f"cannot load fpa's C library: {error}") from None
    for name, (result, arguments) in _FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    return library


lib = _load()


class NotCopied:
    """For what owns something behind the C library: a copy would own it, too."""

    def __reduce_ex__(self, protocol):
        raise TypeError(f"expected no copy and no pickle of a "
                        f"{type(self).__name__}, which owns memory or code "
                        f"outside of Python")


def last_error():
    """What the last failed call on this thread said."""
    return lib.fpaLastError().decode(errors="replace")


def set_threads(count):
    """Sets how many threads compiled code runs on; 0 goes back to the default,
    the environment's FPA_NUM_THREADS or else the number of CPUs.

    Raises TypeError for what is no integer, ValueError for one that is negative
    or above 1024.
    """
    from ._arrays import integer
    lib.fpaSetThreads(integer("count", count, 0, 1024))


def get_threads():
    """How many threads compiled code runs on."""
    return lib.fpaGetThreads()


def memory_peak():
    """The most bytes that compiled code has held at once since the start or
    the last memory_reset(), results included, arguments not."""
    return lib.fpaMemoryPeak()


def memory_reset():
    """Starts memory_peak() anew."""
    lib.fpaMemoryReset()
