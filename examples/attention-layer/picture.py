# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A picture of the penalty, written as PNG with nothing but zlib."""

import struct
import zlib

import numpy as np

_FUTURE = (225, 228, 235)
_FREE = (255, 250, 205)


def penalty_picture(path, penalty, step):
    """Row i, column j: how much the query at i subtracts from the logit of key
    j, in units of `step`. Pale yellow: nothing. The darker, the deeper the
    dips. Grey: keys after the query."""
    length = penalty.shape[0]
    depth = np.clip(np.rint(penalty / step), 0, 8).astype(np.uint8)
    image = np.where(np.tri(length, dtype=bool), depth, 9).astype(np.uint8)
    palette = [_FREE]
    for shade in range(8):
        f = 1 - shade / 8
        palette.append((int(40 + 120 * f), int(10 + 60 * f), int(60 + 90 * f)))
    palette.append(_FUTURE)
    _write_png(path, image, palette)


def _write_png(path, image, palette):
    """An 8-bit PNG of palette indices."""
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(
            ">I", zlib.crc32(body))

    height, width = image.shape
    lines = np.zeros((height, width + 1), np.uint8)  # each begins with filter 0
    lines[:, 1:] = image
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n")
        file.write(chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3,
                                              0, 0, 0)))
        file.write(chunk(b"PLTE", bytes(sum(palette, ()))))
        file.write(chunk(b"IDAT", zlib.compress(lines.tobytes(), 9)))
        file.write(chunk(b"IEND", b""))
