# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays whose memory is there once it is written, and can be given back."""

import math
import mmap

import numpy as np

# Linux's value; Python knows the name since 3.11.
_NORESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000)


class Pages:
    """An array [heads..., room, ...] of zeros, of which each head's rows lie in
    pages of their own if `room` is a multiple of `ROOM`. The system provides a
    page when something is written to it, and takes it back with `release`."""

    # As many rows of any even number of bytes fill whole pages.
    ROOM = mmap.PAGESIZE // 2

    def __init__(self, shape, dtype, leading):
        dtype = np.dtype(dtype)
        self._row = math.prod(shape[leading + 1:]) * dtype.itemsize
        self._head = shape[leading] * self._row
        size = math.prod(shape) * dtype.itemsize
        try:
            self._map = mmap.mmap(
                -1, max(size, 1),
                flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _NORESERVE)
        except (OSError, OverflowError, ValueError):
            raise MemoryError(f"expected {size} bytes of address space for a "
                              f"cache, got none") from None
        self.array = np.frombuffer(self._map, dtype, math.prod(shape)) \
            .reshape(shape)

    def _whole(self, size):
        return -(-size // mmap.PAGESIZE) * mmap.PAGESIZE

    def held(self, rows):
        """Bytes of the pages behind the first `rows` rows of a head."""
        return self._whole(rows * self._row)

    def release(self, head, rows, held):
        """Gives back what lies between the first `rows` rows of the `head`-th
        head and the first `held`. It reads as zeros afterwards."""
        begin, end = self.held(rows), self.held(held)
        if begin < end:
            self._map.madvise(mmap.MADV_DONTNEED, head * self._head + begin,
                              end - begin)
