# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention cases: named shapes x field patterns, and a seeded sampler."""

import dataclasses
import zlib
from typing import Optional

import numpy as np

from . import dtypes, patterns


@dataclasses.dataclass(frozen=True)
class Case:
    name: str
    group: str
    lq: int = 65
    lk: int = 65
    batch: int = 1
    hq: int = 2
    hk: int = 2
    hf: Optional[int] = None  # heads of the field; None: as hk
    d: int = 16
    dv: Optional[int] = None
    dtype: str = "f32"
    pattern: Optional[str] = "walk"  # None: no field
    window: Optional[int] = None
    smooth: Optional[float] = None
    smooth_given: bool = False  # beta is an operand, not part of the program
    prune: Optional[float] = None  # prune_eps
    scale: Optional[float] = None
    packed: Optional[tuple] = None  # ((lq, lk), ...)
    lse: bool = True
    static: bool = False
    non_increasing: bool = False
    poke: Optional[tuple] = None  # (operand, what, place), see `operands`
    same: tuple = ()  # ((operand, the other that it is), ...)
    tiles: str = "default"  # a name in engine.TILES
    threads: int = 1
    seed: int = 0

    @property
    def field_heads(self):
        return self.hf or self.hk

    @property
    def value_size(self):
        return self.d if self.dv is None else self.dv

    def cumulative(self):
        """cu_seqlens_q, cu_seqlens_k of a packed case."""
        lengths = np.array(self.packed, np.int64).reshape(-1, 2)
        sums = np.zeros((len(lengths) + 1, 2), np.int64)
        np.cumsum(lengths, axis=0, out=sums[1:])
        return sums[:, 0].copy(), sums[:, 1].copy()

    def operands(self):
        """The stored inputs by name, in the order the module takes them."""
        rng = np.random.default_rng([self.seed, zlib.crc32(self.name.encode())])
        values = {
            "query": rng.normal(size=(self.batch, self.hq, self.lq, self.d)),
            "key": rng.normal(size=(self.batch, self.hk, self.lk, self.d)),
            "value": rng.normal(
                size=(self.batch, self.hk, self.lk, self.value_size))}
        if self.pattern:
            field, level = patterns.make(
                self.pattern, rng, (self.batch, self.field_heads, self.lk))
            values["field"] = field
            if level is not None:
                values["level"] = level
        for name, other in self.same:
            values[name] = values[other]
        self.put_poke(values)
        stored = {name: dtypes.encode(x, self.stored_type(name))
                  for name, x in values.items()}
        if self.packed is not None:
            stored["cu_seqlens_q"], stored["cu_seqlens_k"] = self.cumulative()
        if self.smooth_given:
            stored["smooth"] = np.array(
                self.smooth, dtypes.STORAGE[self.stored_type("smooth")])
        return stored

    def put_poke(self, values):
        if self.poke and self.poke[0] in values:
            operand, what, place = self.poke
            values[operand][place] = what

    def stored_type(self, name):
        """The element type of an operand."""
        if name.startswith("cu_seqlens"):
            return "i64"
        wide = ("field", "level", "lse", "lse_gradient", "smooth")
        return dtypes.accumulator(self.dtype) if name in wide else self.dtype

    def decode(self, stored):
        """Operands' values by name, floats as float64, and the cumulative
        lengths or None."""
        values = {name: dtypes.decode(x, self.stored_type(name))
                  for name, x in stored.items() if name != "smooth"}
        if self.packed is None:
            return values, None
        return values, (values.pop("cu_seqlens_q"), values.pop("cu_seqlens_k"))

    def inputs(self):
        """The operands that the module takes: those that are another are not
        among them."""
        return {name: stored for name, stored in self.operands().items()
                if name not in dict(self.same)}


def _patterns():
    """Every field pattern at a length of several tiles with a ragged end."""
    for name in patterns.PATTERNS:
        yield Case(f"pattern-{name}", "patterns", 600, 600, hq=2, hk=1,
                   pattern=name)
        yield Case(f"pattern-{name}-short", "patterns", 127, 127, hq=1, hk=1,
                   pattern=name, dv=16)
    for name in sorted(patterns.NON_INCREASING):
        yield Case(f"pattern-{name}-non-increasing", "patterns", 300, 300,
                   pattern=name, non_increasing=True)
    # The first row of a block of queries ends on the last key of a tile.
    yield Case("pattern-fox-own-key", "patterns", 300, 363, pattern="fox",
               non_increasing=True)
    yield Case("pattern-none", "patterns", 600, 600, pattern=None)
    yield Case("pattern-none-short", "patterns", 63, 63, pattern=None)


def _lengths():
    for n in (0, 1, 2, 63, 64, 65, 127, 1000):
        for pattern in ("walk", "one_dip"):
            yield Case(f"length-{n}-{pattern}", "lengths", n, n,
                       pattern=pattern)
    for lq, lk in ((1, 64), (5, 64), (63, 1000), (1, 1000), (127, 128),
                   (64, 5), (127, 63), (10, 0), (0, 10), (2, 1), (300, 256)):
        yield Case(f"length-{lq}x{lk}", "lengths", lq, lk)
    yield Case("length-300x200-free", "lengths", 300, 200,
               pattern="free_level")
    yield Case("length-200x300-dips", "lengths", 200, 300,
               pattern="dip_at_ends")
    yield Case("batch-0", "lengths", 64, 64, batch=0)
    for n in (1, 64, 100, 257):
        yield Case(f"length-{n}-static", "lengths", n, n, static=True)
    yield Case("length-48x512-static", "lengths", 48, 512, static=True)


def _heads():
    for hq, hk, hf in ((4, 2, None), (4, 2, 4), (4, 1, None), (4, 1, 4),
                       (6, 3, 6), (8, 2, 2), (3, 3, None)):
        tag = f"{hq}-{hk}-{hf or hk}"
        yield Case(f"heads-{tag}", "heads", 70, 70, batch=2, hq=hq, hk=hk,
                   hf=hf)
    yield Case("heads-4-2-4-free", "heads", 150, 150, hq=4, hk=2, hf=4,
               pattern="free_level")
    yield Case("heads-4-2-static", "heads", 96, 96, batch=2, hq=4, hk=2,
               static=True)
    for d, dv in ((1, 1), (3, 3), (16, 16), (64, 64), (80, 80), (100, 100),
                  (128, 128), (256, 256), (64, 24), (16, 128), (5, 1),
                  (100, 64)):
        yield Case(f"size-{d}-{dv}", "sizes", 150, 150, d=d, dv=dv, hq=1,
                   hk=1)
    yield Case("size-64-long", "sizes", 700, 700, d=64, hq=2, hk=1)
    yield Case("size-128-long", "sizes", 520, 520, d=128, hq=1, hk=1)
    yield Case("size-80-static", "sizes", 320, 320, d=80, hq=1, hk=1,
               static=True)
    yield Case("scale-given", "sizes", 100, 100, d=64, scale=0.3)
    yield Case("scale-negative", "sizes", 100, 100, d=16, scale=-0.25)


def _types():
    for dtype in ("f16", "bf16", "f64"):
        for n in (1, 65, 400):
            yield Case(f"type-{dtype}-{n}", "types", n, n, d=64, dtype=dtype)
        yield Case(f"type-{dtype}-odd", "types", 130, 130, d=37, dv=50,
                   dtype=dtype, pattern="mixed_inf")
        yield Case(f"type-{dtype}-static", "types", 128, 128, d=64,
                   dtype=dtype, static=True, pattern="nested")
        yield Case(f"type-{dtype}-plain", "types", 200, 200, d=64,
                   dtype=dtype, pattern=None)
        yield Case(f"type-{dtype}-big-sums", "types", 200, 200, d=64,
                   dtype=dtype, pattern="big_sums")
    # More tiles that all rows see than a loop's copies of them.
    for d in (64, 128):
        yield Case(f"type-f16-long-{d}", "types", 1000, 1000, d=d, dtype="f16",
                   batch=1, hq=1, hk=1, pattern="walk")


def _window():
    for w in (1, 2, 48, 63, 64, 256, 257, 5000):
        yield Case(f"window-{w}", "window", 600, 600, window=w,
                   pattern="nested" if w % 2 else "walk")
    yield Case("window-100-cross", "window", 100, 700, window=100)
    yield Case("window-30-no-keys", "window", 300, 120, window=30)
    yield Case("window-30-plain", "window", 300, 300, window=30, pattern=None)
    yield Case("window-200-dips", "window", 700, 700, window=200,
               pattern="dip_at_ends")
    yield Case("window-70-mixed-inf", "window", 400, 400, window=70,
               pattern="mixed_inf_untied")
    yield Case("window-64-static", "window", 512, 512, window=64, static=True)
    yield Case("window-100-fox", "window", 500, 500, window=100,
               pattern="fox", non_increasing=True)


def _packed():
    def case(name, packed, **more):
        lengths = np.array(packed, np.int64).reshape(-1, 2).sum(axis=0)
        return Case(f"packed-{name}", "packed", int(lengths[0]),
                    int(lengths[1]), packed=tuple(packed), **more)

    def same(*lengths):
        return [(n, n) for n in lengths]

    yield case("one", same(300))
    yield case("two", same(64, 65))
    yield case("short", same(1, 2, 3, 1, 5, 8, 1, 1, 13, 2, 21, 1))
    yield case("with-empty", same(0, 7, 0, 0, 90, 0, 3, 0))
    yield case("all-empty", same(0, 0, 0))
    yield case("none", [])
    yield case("many", same(*[(7 * i) % 11 for i in range(120)]), hq=1, hk=1)
    yield case("long", same(500, 3, 420), hq=2, hk=1)
    yield case("cross", [(5, 64), (64, 5), (10, 0), (0, 10), (33, 100),
                         (1, 1), (100, 33)])
    yield case("window", same(200, 3, 150, 64), window=40)
    yield case("window-cross", [(5, 64), (64, 5), (90, 130)], window=20,
               pattern="nested")
    yield case("free", same(100, 31, 256), pattern="free_level")
    yield case("dips", same(50, 50, 50, 50), pattern="dip_at_ends")
    yield case("mixed-inf", same(120, 9, 130), pattern="mixed_inf_untied")
    yield case("plain", same(100, 31, 256), pattern=None)
    yield case("fox", same(100, 31, 256), pattern="fox", non_increasing=True)
    yield case("grouped", same(70, 1, 40), hq=4, hk=2, hf=4)
    yield case("bf16", same(70, 0, 140), dtype="bf16", d=64)
    yield case("smooth", same(70, 0, 140), smooth=2.0)
    yield case("static", same(128, 128), static=True)
    yield case("no-lse", same(70, 1, 40), lse=False)


def _smooth():
    for beta in (0.5, 1.0, 8.0, 200.0):
        yield Case(f"smooth-{beta:g}", "smooth", 300, 300, smooth=beta)
    for pattern in ("nested", "mixed_inf", "mixed_inf_untied", "big_sums",
                    "free_level", "all_inf", "level_minus_inf", "one_dip",
                    "largest_finite"):
        yield Case(f"smooth-{pattern}", "smooth", 270, 270, smooth=1.5,
                   pattern=pattern)
    yield Case("smooth-window", "smooth", 400, 400, smooth=1.0, window=90)
    yield Case("smooth-f16", "smooth", 200, 200, smooth=1.0, dtype="f16",
               d=64)
    yield Case("smooth-f64", "smooth", 200, 200, smooth=1.0, dtype="f64")
    yield Case("smooth-fox", "smooth", 300, 300, smooth=1.0, pattern="fox",
               non_increasing=True)
    yield Case("smooth-cross", "smooth", 64, 300, smooth=1.0)
    # One program for these three.
    for beta in (0.5, 8.0, 200.0):
        yield Case(f"smooth-given-{beta:g}", "smooth", 300, 300, smooth=beta,
                   smooth_given=True)
    given = dict(smooth=1.5, smooth_given=True)
    for pattern in ("mixed_inf_untied", "free_level", "all_inf"):
        yield Case(f"smooth-given-{pattern}", "smooth", 270, 270,
                   pattern=pattern, **given)
    yield Case("smooth-given-window", "smooth", 400, 400, window=90, **given)
    yield Case("smooth-given-packed", "smooth", 150, 150,
               packed=((60, 60), (3, 3), (87, 87)), **given)
    for dtype in ("f16", "bf16", "f64"):
        yield Case(f"smooth-given-{dtype}", "smooth", 200, 200, dtype=dtype,
                   d=64, **given)
    yield Case("smooth-given-fox", "smooth", 300, 300, pattern="fox",
               non_increasing=True, **given)
    yield Case("smooth-given-static", "smooth", 128, 128, static=True, **given)
    for tiles in ("split", "common", "odd", "decompose"):
        yield Case(f"smooth-given-{tiles}", "smooth", 100, 100, tiles=tiles,
                   **given)


def _nans():
    """A NaN or an infinity in one place reaches exactly the rows it must."""
    nan, inf = float("nan"), float("inf")
    shape = dict(hq=2, hk=1, hf=2)
    for at in (0, 47, 48, 200, 299):
        for operand in ("query", "key", "value"):
            yield Case(f"nan-{operand}-{at}", "nans", 300, 300, **shape,
                       poke=(operand, nan, (0, 0, at, 3)))
        for operand in ("field", "level"):
            yield Case(f"nan-{operand}-{at}", "nans", 300, 300, **shape,
                       pattern="free_level", poke=(operand, nan, (0, 1, at)))
    yield Case("nan-tied-150", "nans", 300, 300, poke=("field", nan,
                                                       (0, 0, 150)))
    yield Case("nan-field-fox", "nans", 300, 300, pattern="fox",
               non_increasing=True, poke=("field", nan, (0, 0, 150)))
    for operand in ("query", "key", "value"):
        yield Case(f"nan-{operand}-window", "nans", 400, 400, window=50,
                   **shape, poke=(operand, nan, (0, 0, 120, 5)))
    for operand in ("field", "level"):
        yield Case(f"nan-{operand}-window", "nans", 400, 400, window=50,
                   pattern="free_level", poke=(operand, nan, (0, 1, 120)))
        yield Case(f"nan-{operand}-smooth", "nans", 200, 200, smooth=1.0,
                   pattern="free_level", poke=(operand, nan, (0, 1, 120)))
        yield Case(f"nan-{operand}-packed", "nans", 160, 160,
                   packed=((50, 50), (60, 60), (50, 50)),
                   pattern="free_level", poke=(operand, nan, (0, 1, 80)))
    for operand in ("key", "value"):
        yield Case(f"nan-{operand}-packed", "nans", 160, 160,
                   packed=((50, 50), (60, 60), (50, 50)),
                   poke=(operand, nan, (0, 0, 80, 2)))
        # The keys beyond the last row's position do not exist for it.
        yield Case(f"nan-{operand}-cross", "nans", 64, 200,
                   poke=(operand, nan, (0, 0, 170, 2)))
    for operand in ("key", "value"):
        yield Case(f"nan-{operand}-f16", "nans", 150, 150, dtype="f16", d=64,
                   poke=(operand, nan, (0, 0, 70, 2)))
        yield Case(f"nan-{operand}-bf16", "nans", 150, 150, dtype="bf16",
                   d=64, poke=(operand, nan, (0, 0, 70, 2)))
    yield Case("inf-value", "nans", 200, 200, pattern=None,
               poke=("value", inf, (0, 0, 130, 4)))
    yield Case("minus-inf-value", "nans", 200, 200, pattern="flat",
               poke=("value", -inf, (0, 1, 64, 4)))


def _pruned():
    """What is left out may be as much as was allowed and as was said."""
    def case(name, **more):
        fields = {"lq": 600, "lk": 600, "hq": 2, "hk": 1, "prune": 1e-4,
                  "pattern": "scopes", **more}
        return Case(f"prune-{name}", "prune", **fields)

    for name in patterns.PATTERNS:
        yield case(name, pattern=name, lq=400, lk=400, tiles="small")
    for eps in (1e-2, 1e-3, 1e-6, 1e-12):
        yield case(f"{eps:g}", prune=eps)
        yield case(f"{eps:g}-walk", prune=eps, pattern="steep_walk")
    yield case("high_blocks-small", pattern="high_blocks", tiles="small",
               lq=400, lk=400)
    for name in ("scopes", "steep_walk", "one_live", "deep_dips"):
        for dtype in ("f32", "f16", "bf16", "f64"):
            yield case(f"{name}-{dtype}", pattern=name, dtype=dtype, d=64,
                       lq=800, lk=800)
        yield case(f"{name}-small", pattern=name, tiles="small")
        yield case(f"{name}-odd", pattern=name, tiles="odd", threads=2)
        yield case(f"{name}-window", pattern=name, window=450, lq=900, lk=900)
        yield case(f"{name}-small-window", pattern=name, window=130,
                   tiles="small")
        yield case(f"{name}-packed", pattern=name, tiles="small", packed=(
            (200, 200), (3, 3), (0, 0), (397, 397)))
        yield case(f"{name}-smooth", pattern=name, smooth=1.0)
        yield case(f"{name}-cross", pattern=name, lq=130, lk=900)
        yield case(f"{name}-static", pattern=name, static=True, lq=768, lk=768)
        yield case(f"{name}-groups", pattern=name, hq=4, hk=2, hf=4,
                   tiles="small")
        yield case(f"{name}-tight-scaled", pattern=name, d=1, scale=2.0,
                   tiles="small", lq=400, lk=400)
        # One number a head: a bound by norms is near the truth.
        for eps in (0.3, 1e-2):
            yield case(f"{name}-tight-{eps:g}", pattern=name, d=1, prune=eps,
                       tiles="small", lq=400, lk=400)
        # Products far apart: as high as the norms for some keys only.
        yield case(f"{name}-tight-norms", pattern=name, d=1, scale=30.0,
                   tiles="small", lq=400, lk=400)
    # Products of 0: a bound by penalty and number of keys is the truth.
    yield case("shallow_dip-tight-count", pattern="shallow_dip", scale=0.0,
               prune=0.3, tiles="small", lq=400, lk=400)
    yield case("fox-non-increasing", pattern="fox", non_increasing=True)
    yield case("fox-non-increasing-small", pattern="fox", non_increasing=True,
               tiles="small")
    yield case("smooth-given", pattern="steep_walk", smooth=1.0,
               smooth_given=True)
    yield case("scale-negative", scale=-0.25)
    yield case("scale-large", scale=1.0, tiles="small")
    yield case("none", pattern=None)
    yield case("zero", prune=0.0)
    yield case("no-keys", lq=300, lk=120, tiles="small")
    yield case("length-0", lq=0, lk=0)
    yield case("decompose", tiles="decompose", lq=200, lk=200)
    yield case("output-alone", lse=False)
    nan = float("nan")
    for at in (0, 200, 599):
        for operand in ("query", "key"):
            yield case(f"nan-{operand}-{at}", tiles="small",
                       poke=(operand, nan, (0, 0, at, 3)))
        # The value of a key that is left out reaches nothing.
        yield case(f"nan-value-{at}", tiles="small", pattern="flat",
                   poke=("value", nan, (0, 0, at, 3)))
        yield case(f"nan-field-{at}", tiles="small",
                   poke=("field", nan, (0, 0, at)))


def _same():
    """One tensor in two roles, of one tile of keys and of several."""
    roles = [("v-is-k", (("value", "key"),)),
             ("k-is-q", (("key", "query"),)),
             ("qkv", (("key", "query"), ("value", "query"))),
             ("level-is-field", (("level", "field"),)),
             ("all", (("key", "query"), ("value", "query"),
                      ("level", "field")))]
    for name, same in roles:
        for n in (8, 200):
            for dtype in ("f32", "f16"):
                yield Case(f"same-{name}-{n}-{dtype}", "same", n, n, dtype=dtype,
                           hq=1, hk=1, d=64, static=n == 8, same=same)
    yield Case("same-qkv-odd-head", "same", 70, 70, d=17, same=roles[2][1])
    yield Case("same-qkv-bf16", "same", 100, 100, dtype="bf16", d=64,
               same=roles[2][1])
    yield Case("same-v-is-k-plain", "same", 130, 130, pattern=None,
               same=roles[0][1])
    yield Case("same-all-window", "same", 300, 300, window=60,
               same=roles[4][1])
    yield Case("same-qkv-packed", "same", 110, 110, same=roles[2][1],
               packed=((50, 50), (60, 60)))
    yield Case("same-all-smooth", "same", 150, 150, smooth=1.0,
               same=roles[4][1])
    yield Case("same-qkv-nan", "same", 200, 200, same=roles[2][1],
               poke=("query", float("nan"), (0, 0, 90, 3)))


def _configurations():
    """The same numbers from other tile sizes and from two threads."""
    base = [("walk", dict(pattern="walk")),
            ("nested", dict(pattern="nested")),
            ("mixed-inf", dict(pattern="mixed_inf_untied")),
            ("fox", dict(pattern="fox", non_increasing=True)),
            ("plain", dict(pattern=None)),
            ("window", dict(window=75)),
            ("smooth", dict(smooth=1.0)),
            ("f16", dict(dtype="f16", d=64)),
            ("packed", dict(packed=((200, 200), (3, 3), (0, 0), (197, 197)))),
            ("cross", dict(lq=130)),
            ("nan-value", dict(poke=("value", float("nan"), (0, 0, 210, 1)))),
            ("nan-field", dict(poke=("field", float("nan"), (0, 0, 210))))]
    for tiles, threads in (("small", 1), ("odd", 1), ("default", 2),
                           ("small", 2)):
        for name, more in base:
            fields = {"lq": 400, "lk": 400, "batch": 2, "hq": 2, "hk": 1,
                      **more}
            if "packed" in more:
                fields["batch"] = 1
            yield Case(f"config-{tiles}-{threads}-{name}", "configurations",
                       tiles=tiles, threads=threads, **fields)


def sample(seed, count):
    """Random combinations of everything above."""
    rng = np.random.default_rng(seed)

    def pick(*choices):
        return choices[rng.integers(len(choices))]

    for n in range(count):
        hk = pick(1, 1, 2, 3)
        hq = hk * pick(1, 1, 2, 4)
        packed = None
        if rng.random() < 0.25:
            lengths = [(int(a), int(b)) for a, b in rng.integers(
                0, pick(4, 40, 200), (int(rng.integers(1, 9)), 2))]
            packed = tuple((a, a) if rng.random() < 0.6 else (a, b)
                           for a, b in lengths)
            lq, lk = (sum(x) for x in zip(*packed))
        else:
            lq = int(rng.integers(0, pick(8, 70, 300, 600)))
            lk = lq if rng.random() < 0.6 else int(
                rng.integers(0, pick(8, 70, 600)))
        pattern = pick(None, *patterns.PATTERNS)
        yield Case(
            f"random-{seed}-{n}", "random", lq, lk, hq=hq, hk=hk,
            batch=1 if packed else pick(1, 1, 2), hf=pick(hk, hq),
            d=pick(1, 8, 16, 33, 64), dv=pick(None, None, 7, 48),
            dtype=pick("f32", "f32", "f32", "f16", "bf16"), pattern=pattern,
            window=pick(None, None, 1, 17, 64, 300),
            smooth=pick(None, None, None, 1.0) if pattern else None,
            packed=packed, lse=pick(True, True, False),
            static=pick(False, False, False, True),
            non_increasing=(pattern in patterns.NON_INCREASING
                            and pick(False, True)),
            tiles=pick("default", "default", "small", "odd"),
            threads=pick(1, 2), seed=seed)


def all_cases(seed=0, random_count=40):
    cases = []
    for make in (_patterns, _lengths, _heads, _types, _window, _packed,
                 _smooth, _nans, _pruned, _same, _configurations):
        cases += [dataclasses.replace(c, seed=seed) for c in make()]
    cases += sample(seed, random_count)
    names = [c.name for c in cases]
    assert len(set(names)) == len(names), "two cases of one name"
    return cases
