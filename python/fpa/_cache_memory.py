# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where the keys and values of a cache lie: in the CPU's memory or a device's.

Both hold arrays [B, HK, room, ...], of which each head has as many rows as there
are keys, beside its count [B, HK] and what was dropped [B, HK, 3], which are NumPy
arrays for the host.
"""

import math

import numpy as np

from ._device import DeviceArray, device
from ._pages import Pages


class HostMemory:
    """Pages that the system gives as they are written to, and takes back."""

    def __init__(self, heads, capacity, columns):
        room = -(-capacity // Pages.ROOM) * Pages.ROOM
        self._parts = [Pages((*heads, room, *sizes), dtype, leading=2)
                       for sizes, dtype in columns]
        self.count = np.zeros(heads, np.int64)
        self.dropped = np.zeros((*heads, 3))
        # Rows of each head behind which no page was written to.
        self._held = np.zeros(heads, np.int64)

    @property
    def nbytes(self):
        return self.count.nbytes + self.dropped.nbytes + sum(
            part.held(int(rows)) for part in self._parts
            for rows in self._held.flat)

    def arguments(self, rows):
        """What a program takes that leaves up to `rows` [B, HK] in each head."""
        self._held = np.maximum(self._held, rows)
        return [part.array for part in self._parts] + [self.count, self.dropped]

    def update(self, *results):
        """After a run, whose results it returns."""
        return results

    def release(self, slack=True):
        """Gives back the pages behind each head's keys, where they are many."""
        spare = self._held - self.count
        least = np.maximum(64, self.count // 8) if slack else 0
        for b, h in zip(*np.nonzero(spare > least)):
            rows, held = int(self.count[b, h]), int(self._held[b, h])
            for part in self._parts:
                part.release(int(b) * self.count.shape[1] + int(h), rows, held)
            self._held[b, h] = rows

    def clear(self):
        self.count[...] = 0
        self.dropped[...] = 0
        self.release(slack=False)


class DeviceMemory:
    """Memory of a GPU or of the emulated one. It stays there between runs, and is
    copied, within the device, only when the room for a head is too small, to
    half as much again, or has become four times too large."""

    LEAST = 64

    def __init__(self, target, heads, capacity, columns):
        self._target, self._heads = target, heads
        self._capacity, self._columns = capacity, columns
        self._room, self._parts = 0, []
        self._shown = np.zeros(heads, np.int64), np.zeros((*heads, 3))
        # Whether a run may have changed what is on the device since. An
        # interrupt can come between the two.
        self._behind = False
        self._on_device = [DeviceArray.empty(target, x.shape, x.dtype)
                           for x in self._shown]
        self.clear()

    @property
    def count(self):
        self._read()
        return self._shown[0]

    @property
    def dropped(self):
        self._read()
        return self._shown[1]

    def _read(self):
        if self._behind:
            for x, y in zip(self._shown, self._on_device):
                x[...] = y.numpy()
            self._behind = False

    @property
    def nbytes(self):
        return sum(x.nbytes for x in (*self._parts, *self._on_device))

    def arguments(self, rows):
        most = int(rows.max())
        if most > self._room or not self._parts:
            self._move(max(most + most // 2, self.LEAST))
        self._behind = True
        return [*self._parts, *self._on_device]

    def update(self, *results):
        self._read()
        return results

    def release(self, slack=True):
        most = max(int(self.count.max()), self.LEAST)
        if self._room > 4 * most or (not slack and self._room > most):
            self._move(2 * most if slack else most)

    def clear(self):
        self._behind = True
        for x, y in zip(self._shown, self._on_device):
            x[...] = 0
            y.set(x)
        self._behind = False
        self._move(0)

    def _move(self, room):
        """To arrays of another room, with the keys that there are."""
        room = min(room, self._capacity)
        memory = device(self._target)
        parts = []
        for n, (sizes, dtype) in enumerate(self._columns if room else ()):
            part = DeviceArray.empty(self._target, (*self._heads, room, *sizes),
                                     dtype)
            # Programs read whole blocks of rows, also behind the keys.
            memory.clear(part.address, part.nbytes)
            row = math.prod(sizes) * part.dtype.itemsize
            for head, rows in enumerate(self.count.flat):
                if rows:
                    memory.copy(part.address + head * room * row,
                                self._parts[n].address
                                + head * self._room * row, int(rows) * row)
            parts.append(part)
        had = bool(self._parts)
        self._room, self._parts = room, parts
        if had:
            # What is released is kept for arrays of the same size.
            memory.trim()
