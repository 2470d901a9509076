# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of prefix_min and prefix_sum: every flag, axes, lengths, types."""

import dataclasses
import itertools
import zlib
from typing import Optional

import numpy as np

from . import dtypes


@dataclasses.dataclass(frozen=True)
class ScanCase:
    name: str
    op: str
    shape: tuple
    axis: int
    dtype: str = "f32"
    reverse: bool = False
    exclusive: bool = False
    segment: Optional[int] = None
    index: bool = False
    static: bool = False
    values: str = "normal"
    seed: int = 0
    group: str = "scans"

    def operand(self):
        rng = np.random.default_rng([self.seed, zlib.crc32(self.name.encode())])
        if self.values == "ties":
            x = rng.integers(-2, 3, self.shape).astype(np.float64)
        else:
            x = rng.normal(size=self.shape)
        if self.values == "odd":
            pick = rng.random(self.shape)
            x[pick < 0.01] = np.nan
            x[pick > 0.97] = np.inf
            x[(pick > 0.94) & (pick < 0.97)] = -np.inf
        return dtypes.encode(x, self.dtype)


_SHAPES = (((1000,), 0), ((5, 64), 1), ((3, 65), 1), ((4, 3, 127), 2),
           ((37, 50), 0), ((3, 40, 17), 1), ((2, 1), 1), ((1, 2), 1),
           ((3, 0), 1), ((0, 9), 1), ((2, 4099), 1), ((1100, 1), 0),
           ((2, 150, 7), 1), ((190, 7, 2), 0))


def _tag(**flags):
    return "".join(f"-{n if v is True else f'{n}{v}'}"
                   for n, v in flags.items() if v)


def _min_cases():
    for reverse, exclusive, segment, index in itertools.product(
            (False, True), (False, True), (None, 16, 50), (False, True)):
        tag = _tag(reverse=reverse, exclusive=exclusive, segment=segment,
                   index=index)
        for n, (shape, axis) in enumerate(_SHAPES):
            values = ("normal", "ties", "odd")[n % 3]
            size = "x".join(map(str, shape))
            yield ScanCase(f"min-{size}-{axis}{tag}", "prefix_min", shape,
                           axis, reverse=reverse, exclusive=exclusive,
                           segment=segment, index=index, values=values)
    for dtype in ("f16", "bf16", "f64"):
        for reverse, index in itertools.product((False, True), repeat=2):
            yield ScanCase(f"min-{dtype}{_tag(reverse=reverse, index=index)}",
                           "prefix_min", (5, 200), 1, dtype, reverse=reverse,
                           index=index, values="odd" if index else "ties")
    for values in ("ties", "odd"):
        for reverse in (False, True):
            yield ScanCase(f"min-static-{values}{_tag(reverse=reverse)}",
                           "prefix_min", (7, 100), 1, reverse=reverse,
                           exclusive=True, index=True, static=True,
                           values=values)


def _sum_cases():
    for reverse, exclusive, segment in itertools.product(
            (False, True), (False, True), (None, 16, 50)):
        tag = _tag(reverse=reverse, exclusive=exclusive, segment=segment)
        for shape, axis in _SHAPES:
            size = "x".join(map(str, shape))
            yield ScanCase(f"sum-{size}-{axis}{tag}", "prefix_sum", shape,
                           axis, reverse=reverse, exclusive=exclusive,
                           segment=segment)
    for reverse in (False, True):
        yield ScanCase(f"sum-f64{_tag(reverse=reverse)}", "prefix_sum",
                       (5, 200), 1, "f64", reverse=reverse)
        yield ScanCase(f"sum-static{_tag(reverse=reverse)}", "prefix_sum",
                       (7, 100), 1, reverse=reverse, static=True)
    yield ScanCase("sum-long", "prefix_sum", (1, 200000), 1)


def all_cases(seed=0):
    return [dataclasses.replace(c, seed=seed)
            for make in (_min_cases, _sum_cases) for c in make()]
