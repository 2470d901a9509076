# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments and results of the C library, as the machine words they are: one call
from Python to C costs less than describing an array field by field."""

import ctypes
import itertools
import struct

from ._library import NotCopied, lib


class Frames:
    """Words for calls with arguments and results of these ranks. Each call that
    is under way has words of its own, since others may run beside it."""

    def __init__(self, ranks, result_ranks):
        self._count = len(ranks) + sum(ranks)
        self._pack = struct.Struct(f"{self._count}q").pack_into
        self._results = len(result_ranks) + sum(result_ranks)
        self._unpack = struct.Struct(f"{self._results}q").unpack_from
        ends = list(itertools.accumulate(result_ranks,
                                         initial=len(result_ranks)))
        self._shapes = [slice(*ends[n:n + 2]) for n in range(len(result_ranks))]
        self._idle = []

    def call(self, program, addresses, sizes):
        """Runs a program on row-major elements at these addresses; `sizes` are
        those of all arguments, in order. Returns the Results, or None where
        the run has failed."""
        try:
            frame = self._idle.pop()
        except IndexError:
            frame = self._new()
        words, inputs, results = frame
        self._pack(words, 0, *addresses, *sizes)
        handle = lib.fpaProgramCall(program, inputs, results)
        if handle:
            found = self._unpack(words, 8 * self._count)
            handle = Results(handle, [(found[n], found[shape]) for n, shape in
                                      enumerate(self._shapes)])
        self._idle.append(frame)
        return handle

    def launch(self, program, addresses, sizes, allocate, stream, check):
        """Starts a program on elements in a device's memory. allocate(shapes)
        gives the addresses of memory for results of these shapes. Returns
        whether it has been started."""
        words, inputs, results = self._new()
        self._pack(words, 0, *addresses, *sizes)
        count = len(self._shapes)
        if not lib.fpaProgramResultSizes(
                program, inputs + 8 * len(addresses), results + 8 * count):
            return False
        found = self._unpack(words, 8 * self._count)
        words[self._count:self._count + count] = allocate(
            [found[shape] for shape in self._shapes])
        return bool(lib.fpaProgramLaunch(program, inputs, results, stream,
                                         check))

    def _new(self):
        words = (ctypes.c_int64 * max(1, self._count + self._results))()
        start = ctypes.addressof(words)
        return words, start, start + 8 * self._count


class Results(NotCopied):
    """Owns what a run returned, as long as any array shows it. `places` are
    address and shape of each result."""

    def __init__(self, handle, places):
        self._handle, self.places = handle, places

    def __del__(self):
        # At the end of the interpreter the library's name may be gone already.
        if getattr(self, "_handle", None) and lib:
            lib.fpaResultsDestroy(self._handle)

    def memory(self, address, size):
        """`size` bytes from an address within a result, as a buffer that keeps
        the results alive."""
        memory = (ctypes.c_char * size).from_address(address)
        memory.owner = self
        return memory
