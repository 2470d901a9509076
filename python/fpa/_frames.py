# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arguments and results of the C library, as the machine words they are: one call
from Python to C costs less than describing an array field by field."""

import ctypes
import itertools
import struct

from ._library import Array, lib


class Frames:
    """Arrays of FpaArray for calls with arguments of these ranks. Each call that
    is under way has one of its own, since others may run beside it."""

    def __init__(self, ranks):
        self._ranks = ranks
        self._pack = struct.Struct(f"{3 * len(ranks) + sum(ranks)}q").pack_into
        self._idle = []

    def take(self, addresses, shapes):
        """A frame that describes the arguments; what is at the addresses must
        stay there until it is put back."""
        frame = self._idle.pop() if self._idle else self._new()
        words, places, _ = frame
        heads = itertools.chain.from_iterable(
            zip(addresses, places, self._ranks))
        self._pack(words, 0, *heads, *itertools.chain.from_iterable(shapes))
        return frame

    def put_back(self, frame):
        self._idle.append(frame)

    def _new(self):
        """Words of memory, where in it the sizes of each argument stand, and
        the pointer that C takes."""
        count = len(self._ranks)
        words = (ctypes.c_int64 * max(1, 3 * count + sum(self._ranks)))()
        start = ctypes.addressof(words) + 24 * count
        places = [start + 8 * n
                  for n in itertools.accumulate([0, *self._ranks])][:count]
        return words, places, ctypes.cast(words, ctypes.POINTER(Array))


class Results:
    """Owns what a run returned, as long as any array shows it."""

    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        # At the end of the interpreter the library's name may be gone already.
        if lib:
            lib.fpaResultsDestroy(self._handle)

    def get(self, index):
        """Address and shape of a result."""
        view = lib.fpaResultsGet(self._handle, index)
        return view.data, tuple(view.shape[:view.rank])

    def memory(self, address, size):
        """`size` bytes from an address within a result, as a buffer that keeps
        the results alive."""
        memory = (ctypes.c_char * size).from_address(address)
        memory.owner = self
        return memory
