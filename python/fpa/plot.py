# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pictures of what attention does, as PNG files, written with nothing but zlib.

    fpa.plot.penalty("penalty.png", field)     # [L]: row: query, column: key
    fpa.plot.live("live.png", field, level)    # the keys that are not penalised
    fpa.plot.tiles("tiles.png", 1000, window=200)   # the tiles that are computed

Each also returns the picture, as colour numbers [rows, columns].
"""

import struct
import zlib

import numpy as np

from . import _arrays, _shapes, reference

_FUTURE = (225, 228, 235)
_FREE = (255, 250, 205)
_GONE = (92, 40, 90)
_SKIPPED = (250, 250, 250)
_EDGE = (240, 170, 60)
_INNER = (70, 110, 180)


def penalty(path, field, level=None, *, step=1.0, smooth=None):
    """Draws the penalty of a field and level [L] (level None: tied)."""
    return penalty_matrix(path, _penalties(field, level, smooth), step)


def penalty_matrix(path, penalty, step=1.0):
    """Row i, column j of `penalty` [L, L]: how much the query at i subtracts from
    the logit of key j, in units of `step`. Pale yellow: nothing. The darker, the
    deeper the dips. Grey: keys after the query."""
    length = penalty.shape[0]
    with np.errstate(invalid="ignore"):
        depth = np.clip(np.rint(penalty / step), 0, 8)
    depth = np.nan_to_num(depth).astype(np.uint8)
    image = np.where(np.tri(length, dtype=bool), depth, 9).astype(np.uint8)
    palette = [_FREE]
    for shade in range(8):
        f = 1 - shade / 8
        palette.append((int(40 + 120 * f), int(10 + 60 * f), int(60 + 90 * f)))
    palette.append(_FUTURE)
    _write_png(path, image, palette)
    return image


def live(path, field, level=None, *, above=0.0):
    """Draws which keys each query sees (pale yellow, 0): those with a penalty of
    `above` logits at most. The others (dark, 1) never come back. Grey, 2: keys
    after the query."""
    above = _arrays.finite("above", above)
    penalties = _penalties(field, level, None)
    gone = np.nan_to_num(penalties) > above
    image = np.where(np.tri(len(penalties), dtype=bool), gone, 2).astype(
        np.uint8)
    _write_png(path, image, [_FREE, _GONE, _FUTURE])
    return image


def tiles(path, q_length, k_length=None, *, window=None, cu_seqlens=None,
          query_tile=24, key_tile=256, edge_tile=64):
    """Draws which tiles of queries and keys attention visits: blue, 2: tiles of
    key_tile keys that all rows see; orange, 1: tiles of edge_tile keys that are
    computed under a mask; white, 0: not visited. A pixel is a query and a key.
    The sizes of tiles are the compiler's for CPUs with 8 lanes."""
    q_length = _arrays.integer("q_length", q_length, 1, 2**15)
    k_length = q_length if k_length is None else _arrays.integer(
        "k_length", k_length, 1, 2**15)
    window = None if window is None else _arrays.integer(
        "window", window, 1, 2**63 - 1)
    for name, size in (("query_tile", query_tile), ("key_tile", key_tile),
                       ("edge_tile", edge_tile)):
        _arrays.integer(name, size, 1, 2**15)
    if key_tile % edge_tile:
        raise ValueError(f"expected key_tile to be a multiple of edge_tile, got "
                         f"{key_tile} and {edge_tile}")
    first, end = _intervals(q_length, k_length, window, cu_seqlens)
    image = np.zeros((q_length, k_length), np.uint8)
    for top in range(0, q_length, query_tile):
        rows = slice(top, top + query_tile)
        # Both ends never fall from row to row. As fpa-tile-attention splits
        # them: edge, keys that all rows see, edge.
        start = first[rows][0] // edge_tile * edge_tile
        inner_end = end[rows][0] // key_tile * key_tile
        inner = min(inner_end, -(-first[rows][-1] // key_tile) * key_tile)
        stop = -(-end[rows][-1] // edge_tile) * edge_tile
        image[rows, start:stop] = 1
        image[rows, inner:inner_end] = 2
    _write_png(path, image, [_SKIPPED, _EDGE, _INNER])
    return image


def _penalties(field, level, smooth):
    """Row i: what the query at i subtracts from the logits; NaN after it."""
    field = np.asarray(field, np.float64)
    if field.ndim != 1 or field.size == 0:
        raise ValueError(f"expected field of shape [L], L at least 1, got shape "
                         f"{list(field.shape)}")
    level = field if level is None else np.asarray(level, np.float64)
    if level.shape != field.shape:
        raise ValueError(f"expected level of field's shape "
                         f"{list(field.shape)}, got shape {list(level.shape)}")
    penalties = np.full((len(field),) * 2, np.nan)
    for i in range(len(field)):
        penalties[i, :i + 1] = reference.penalty(field, level, i, smooth)
    return penalties


def _intervals(q_length, k_length, window, cu_seqlens):
    """First key and the one after the last that each query sees."""
    bounds = [[0, q_length], [0, k_length]]
    if cu_seqlens is not None:
        q, k = (np.empty((1, 1, n, 1)) for n in (q_length, k_length))
        bounds = _shapes.boundaries(cu_seqlens, q, k)
    first, last = np.zeros((2, q_length), np.int64)
    for n in range(len(bounds[0]) - 1):
        begin, end = bounds[0][n], bounds[0][n + 1]
        k_begin, k_end = bounds[1][n], bounds[1][n + 1]
        own = k_end - end + np.arange(begin, end)
        last[begin:end] = np.clip(own + 1, k_begin, k_end)
        first[begin:end] = k_begin if window is None else np.clip(
            own + 1 - window, k_begin, last[begin:end])
    return first, last


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
