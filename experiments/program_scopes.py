# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What surrounds a place in a program text: sets of its bytes that a head's live keys
are compared with."""

import numpy as np

PAIRS = {"braces": ("{", "}"), "brackets": ("{([", "})]")}


def depths(text, pairs):
    """How many brackets are open after each byte of `text` (an array of uint8); an
    opening one counts. One closed too often counts for nothing."""
    opening, closing = (np.isin(text, [ord(c) for c in part])
                        for part in PAIRS[pairs])
    depth, out = 0, np.empty(len(text), np.int64)
    for t, change in enumerate(opening.astype(int) - closing):
        out[t] = depth = max(0, depth + change)
    return out


def enclosing(text, pairs):
    """The bytes in scopes that are still open at the end of `text`: what stands
    between an opening and its closing bracket is not, nor is the opening one."""
    depth = depths(text, pairs)
    least = np.minimum.accumulate(depth[::-1])[::-1]
    return depth <= least


def line(text):
    """The bytes of the last line."""
    breaks = np.flatnonzero(text == ord("\n"))
    start = breaks[-1] + 1 if len(breaks) else 0
    return np.arange(len(text)) >= start


def latest(text, count):
    """The last `count` bytes."""
    return np.arange(len(text)) >= len(text) - count


def overlap(one, other):
    """The size of the intersection over that of the union."""
    union = (one | other).sum()
    return 1.0 if union == 0 else float((one & other).sum() / union)
