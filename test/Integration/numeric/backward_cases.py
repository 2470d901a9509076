# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients of the cases of attention, and a few cases of their own."""

import dataclasses
import functools
import zlib

import numpy as np

from . import cases, dtypes, oracle


@dataclasses.dataclass(frozen=True)
class BackwardCase(cases.Case):
    dlse: bool = True  # a gradient of lse
    field_gradient: bool = True  # False: field and level are constants
    chain: bool = False  # the program computes output and lse itself
    # Sizes of the walks of queries and of keys, each query, key and warps.
    walks: tuple = None

    def operands(self):
        """The stored inputs by name, in the order the module takes them."""
        stored = super().operands()
        rng = np.random.default_rng(
            [self.seed, zlib.crc32(self.name.encode()), 1])
        rows = (self.batch, self.hq, self.lq)
        more = {}
        if not self.chain:
            more["output"], more["lse"] = self.forward()
        more["output_gradient"] = rng.normal(size=(*rows, self.value_size))
        if self.dlse:
            more["lse_gradient"] = rng.normal(size=rows)
        self.put_poke(more)
        for name, x in more.items():
            stored[name] = dtypes.encode(x, self.stored_type(name))
        return stored

    def gradients(self, given):
        """The operand of which each result is the gradient, by name."""
        of = {"dq": "query", "dk": "key", "dv": "value"}
        if self.field_gradient and "field" in given:
            of["dfield"] = "field"
            if "level" in given:
                of["dlevel"] = "level"
        return of

    @functools.lru_cache(maxsize=4)
    def forward(self):
        """Output and lse in float64, to be written to by nobody."""
        values, cumulative = self.decode(super().operands())
        out, lse, _ = oracle.attention(
            values["query"], values["key"], values["value"],
            values.get("field"), values.get("level"), scale=self.scale,
            window=self.window, smooth=self.smooth, cu_seqlens=cumulative)
        return out.copy(), lse.copy()


def _of(case, **more):
    """The gradients of a case of attention."""
    fields = {f.name: getattr(case, f.name)
              for f in dataclasses.fields(cases.Case)}
    fields.update(name=f"backward-{case.name}", group=f"backward-{case.group}",
                  lse=True, non_increasing=False,
                  # Most have one: it costs nothing.
                  dlse=bool(zlib.crc32(case.name.encode()) % 4))
    return BackwardCase(**{**fields, **more})


def _from_forward():
    for make in (cases._patterns, cases._lengths, cases._heads, cases._types,
                 cases._window, cases._packed, cases._smooth, cases._nans):
        for case in make():
            # Without `non_increasing`, which gradients do not have, these are
            # cases that there are already. Infinite values make infinite
            # differences of infinities.
            if not case.non_increasing and case.lse and \
                    not case.name.endswith("inf-value"):
                yield _of(case)
    for case in cases._pruned():
        # Shares of every size would be one here.
        if not case.non_increasing and case.lse and \
                case.prune in (None, 0.0, 1e-4):
            # So little that an error of another kind shows.
            yield _of(case, prune=case.prune and min(case.prune, 1e-10))
    for pattern in cases.patterns.PRUNED_PATTERNS:
        yield BackwardCase(f"backward-prune-more-{pattern}", "backward-prune",
                           600, 600, hk=1, prune=1e-3, pattern=pattern,
                           tiles="small")


def _own():
    def case(name, **fields):
        fields = {"lq": 150, "lk": 150, "hk": 1, **fields}
        return BackwardCase(f"backward-{name}", "backward-own", **fields)

    # Output and lse come from the same program, rounded to their types.
    for dtype in ("f32", "f16", "bf16", "f64"):
        yield case(f"chain-{dtype}", dtype=dtype, chain=True, d=64)
    yield case("chain-window", chain=True, window=40, pattern="nested")
    yield case("chain-packed", chain=True,
               packed=((60, 60), (0, 0), (3, 3), (87, 87)))
    yield case("chain-smooth", chain=True, smooth=1.0, pattern="free_level")
    yield case("chain-cross", chain=True, lq=70)
    yield case("chain-no-keys", chain=True, lk=60, dlse=False)
    yield case("chain-fox", chain=True, pattern="fox")
    # On GPUs the two walks have other query tiles in these types, and rows and
    # key tiles begin at different places.
    for dtype in ("f16", "bf16"):
        more = {"dtype": dtype, "d": 64, "hk": 1}
        yield case(f"{dtype}-cross", lq=200, lk=240, **more)
        yield case(f"{dtype}-window", lq=240, lk=240, window=100, **more)
        yield case(f"{dtype}-packed", lq=163, lk=163,
                   packed=((70, 110), (3, 3), (90, 50)), **more)
    # Fields and levels that are constants.
    yield case("constant-field", field_gradient=False)
    yield case("constant-level", field_gradient=False, pattern="free_level")
    yield case("constant-smooth", field_gradient=False, smooth=1.0)
    # Sums whose neighbours float32 cannot tell apart: ties by rounding.
    for pattern in ("sums_past_1e5", "fox_past_1e5"):
        yield case(f"{pattern}", pattern=pattern, lq=500, lk=500)
        yield case(f"{pattern}-window", pattern=pattern, lq=500, lk=500,
                   window=100)
    yield case("many-short", packed=tuple(
        ((5 * n) % 9, (5 * n) % 9) for n in range(90)), lq=360, lk=360,
        pattern="equal_minima")
    yield case("many-short-cross", packed=tuple(
        ((5 * n) % 7, (3 * n) % 8) for n in range(56)), lq=168, lk=196,
        pattern="heights")
    # Level and minimum are equal all over, and both sides of the kink.
    yield case("kink", pattern="on_the_kink")
    yield case("kink-smooth", pattern="on_the_kink", smooth=2.0)
    yield case("kink-grouped", pattern="on_the_kink", hq=4, hk=2, hf=4)
    nan = float("nan")
    for where in ("output_gradient", "output"):
        yield case(f"nan-{where}", poke=(where, nan, (0, 0, 70, 3)), hk=2)
        yield case(f"nan-{where}-window", poke=(where, nan, (0, 0, 70, 3)),
                   hk=2, window=20)
    for where in ("lse_gradient", "lse"):
        yield case(f"nan-{where}", poke=(where, nan, (0, 1, 70)), hk=2)


def _walks():
    """Walks with tiles of their own: where both have an edge follows from the
    larger ones, and what lies in suffixes from each walk's."""
    sizes = {"fine-keys": ((32, 64, 2), (16, 16, 1)),
             "fine-queries": ((16, 16, 1), (64, 64, 4)),
             "crossed": ((64, 16, 4), (32, 64, 4))}
    for name, walks in sizes.items():
        def case(what, **fields):
            fields = {"lq": 200, "lk": 200, "hk": 1, "d": 16, **fields}
            return BackwardCase(f"backward-walks-{name}-{what}",
                                "backward-walks", walks=walks, tiles="split",
                                **fields)

        yield case("tied")
        yield case("level", pattern="free_level", hq=2, lq=170, lk=250)
        yield case("ties", pattern="equal_minima", dtype="f16")
        yield case("window", window=70, pattern="nested")
        yield case("window-cross", window=40, lq=130, lk=210)
        yield case("packed", pattern="heights", lq=163, lk=163,
                   packed=((70, 110), (3, 3), (90, 50)))
        yield case("many-short", packed=tuple(
            ((5 * n) % 9, (5 * n) % 9) for n in range(50)), lq=200, lk=200,
            pattern="equal_minima")
        yield case("constant", field_gradient=False)
        # Groups of both walks' tiles, left out by both.
        yield case("pruned", prune=1e-10, pattern="scopes", lq=400, lk=400)
        yield case("pruned-window", prune=1e-10, pattern="deep_dips",
                   window=230, lq=400, lk=430)


def all_cases(seed=0, random_count=20):
    """Every case, and `random_count` random ones."""
    made = [*_from_forward(), *_own(), *_walks()]
    made += [_of(c) for c in cases.sample(seed + 1000, random_count)]
    made = [dataclasses.replace(c, seed=seed) for c in made]
    names = [c.name for c in made]
    assert len(set(names)) == len(names), "two cases of one name"
    return made
