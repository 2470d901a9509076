# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types: names, NumPy forms, rounding. bf16 travels as uint16 bits."""

import numpy as np

# Unit roundoff: the largest relative error of one rounding to nearest.
ROUNDOFF = {"f64": 2.0**-53, "f32": 2.0**-24, "f16": 2.0**-11, "bf16": 2.0**-8}
STORAGE = {"f64": np.float64, "f32": np.float32, "f16": np.float16,
           "bf16": np.uint16, "i64": np.int64}


def to_bf16(x):
    """Rounds to nearest even; a NaN stays a NaN."""
    bits = np.ascontiguousarray(x, np.float32).view(np.uint32)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    quiet = (bits >> 16) | 0x40
    return np.where(np.isnan(x), quiet, rounded).astype(np.uint16)


def from_bf16(bits):
    wide = np.ascontiguousarray(bits, np.uint16).astype(np.uint32) << 16
    return wide.view(np.float32)


def encode(x, dtype):
    """An array of `dtype` as it is stored."""
    if dtype == "bf16":
        return to_bf16(np.asarray(x, np.float32))
    return np.ascontiguousarray(x, STORAGE[dtype])


def decode(stored, dtype):
    """The values of a stored array, as float64 (i64 stays)."""
    if dtype == "i64":
        return np.asarray(stored, np.int64)
    if dtype == "bf16":
        stored = from_bf16(np.asarray(stored).view(np.uint16))
    return np.asarray(stored, np.float64)


def accumulator(dtype):
    """The type of field, level, lse and of all sums."""
    return "f64" if dtype == "f64" else "f32"
