# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of decoding: a module whose loop carries the cache, a few tokens a
step, or on a GPU one step of it as well, against float64 attention over the keys
that are alive by the definition."""

import dataclasses
import zlib
from typing import Optional

import numpy as np

from . import compare, decode_steps, dtypes, oracle, patterns


@dataclasses.dataclass(frozen=True)
class DecodeCase:
    name: str
    length: int = 70
    tokens: int = 1  # of a step
    batch: int = 1
    hq: int = 2
    hk: int = 1
    d: int = 16
    dv: Optional[int] = None
    dtype: str = "f32"
    pattern: str = "walk"
    evict: float = 1.5
    capacity: Optional[int] = None
    open_sizes: bool = False  # sizes known at run time only
    own_lengths: bool = False  # sequences have different numbers of tokens
    loop: bool = False  # on a GPU, too
    same: bool = False  # the query is the key and the value as well
    tiles: str = "default"
    threads: int = 1
    seed: int = 0
    group: str = "decode"

    @property
    def lk(self):
        return self.length

    @property
    def value_size(self):
        return self.d if self.dv is None else self.dv

    @property
    def wide(self):
        return dtypes.accumulator(self.dtype)

    @property
    def steps(self):
        return self.length // self.tokens

    def operands(self):
        """The stored inputs of the module, in its order."""
        rng = np.random.default_rng([self.seed, zlib.crc32(self.name.encode())])
        shape = (self.batch, self.hk, self.length)
        values = {
            "q": rng.normal(size=(self.batch, self.hq, self.length, self.d)),
            "k": rng.normal(size=(*shape, self.d)),
            "v": rng.normal(size=(*shape, self.value_size))}
        field, level = patterns.make(self.pattern, rng, shape)
        stored = {n: dtypes.encode(x, self.dtype) for n, x in values.items()}
        if self.same:
            stored["k"] = stored["v"] = stored["q"]
        stored["f"] = dtypes.encode(field, self.wide)
        stored["l"] = dtypes.encode(field if level is None else level, self.wide)
        if self.own_lengths:
            stored["counts"] = rng.integers(0, self.tokens + 1,
                                            (self.steps, self.batch))
        return stored

    def text(self):
        return _Module(self).text()

    def keys_alive(self, field, level):
        """[steps + 1, Lk]: which keys a head holds at the beginning of each
        step, and at the end. A key whose penalty was above the threshold at the
        end of some step is not among them."""
        minima = oracle.range_minima(field)
        big = np.finfo(dtypes.STORAGE[self.wide]).max
        alive = np.zeros((self.steps + 1, self.length), bool)
        for n in range(self.steps):
            end = (n + 1) * self.tokens
            held = alive[n] | ((np.arange(self.length) >= n * self.tokens)
                               & (np.arange(self.length) < end))
            with np.errstate(over="ignore"):
                excess = (np.clip(level, -big, big)
                          - np.clip(minima[end - 1], -big, big)).astype(
                              dtypes.STORAGE[self.wide])
            alive[n + 1] = held & ~(excess > self.evict)
        return alive


class _Module:
    """The text of a case's module."""

    def __init__(self, case):
        self.case = case

    def tensor(self, *sizes, of, open_at=()):
        if self.case.open_sizes:
            sizes = ["?" if i in open_at else n for i, n in enumerate(sizes)]
        return f"tensor<{'x'.join(map(str, sizes))}x{of}>"

    def slices(self, types):
        """The tokens of step %s, from %t on."""
        c, lines = self.case, []
        for name, (heads, size) in {"q": (c.hq, c.d), "k": (c.hk, c.d),
                                    "v": (c.hk, c.value_size)}.items():
            own = f"tensor<{c.batch}x{heads}x{c.tokens}x{size}x{c.dtype}>"
            lines.append(
                f"    %{name}s = tensor.extract_slice %{name}[0, 0, %t, 0] "
                f"[{c.batch}, {heads}, {c.tokens}, {size}] [1, 1, 1, 1] : "
                f"{types[name]} to {own}")
        for name in "fl":
            own = f"tensor<{c.batch}x{c.hk}x{c.tokens}x{c.wide}>"
            lines.append(
                f"    %{name}s = tensor.extract_slice %{name}[0, 0, %t] "
                f"[{c.batch}, {c.hk}, {c.tokens}] [1, 1, 1] : {types[name]} to "
                f"{own}")
        return lines

    def text(self):
        c = self.case
        b, hq, hk, n, t, d, dv = (c.batch, c.hq, c.hk, c.length, c.tokens, c.d,
                                  c.value_size)
        room = c.capacity or n
        types = {"q": f"tensor<{b}x{hq}x{n}x{d}x{c.dtype}>",
                 "k": f"tensor<{b}x{hk}x{n}x{d}x{c.dtype}>",
                 "v": f"tensor<{b}x{hk}x{n}x{dv}x{c.dtype}>",
                 "f": f"tensor<{b}x{hk}x{n}x{c.wide}>",
                 "l": f"tensor<{b}x{hk}x{n}x{c.wide}>"}
        if c.own_lengths:
            types["counts"] = f"tensor<{c.steps}x{b}xi64>"
        cache = {"ck": f"tensor<{b}x{hk}x{room}x{d}x{c.dtype}>",
                 "cv": f"tensor<{b}x{hk}x{room}x{dv}x{c.dtype}>",
                 "cl": f"tensor<{b}x{hk}x{room}x{c.wide}>",
                 "cm": f"tensor<{b}x{hk}x{room}x{c.wide}>",
                 "cn": f"tensor<{b}x{hk}xi64>"}
        outs = {"o": f"tensor<{b}x{hq}x{n}x{dv}x{c.dtype}>",
                "e": f"tensor<{b}x{hq}x{n}x{c.wide}>",
                "live": f"tensor<{c.steps}x{b}x{hk}xi64>"}
        open_at = {"q": (0, 1, 2), "k": (0, 1, 2), "v": (0, 1, 2),
                   "f": (0, 1, 2), "ck": (0, 1, 2), "cv": (0, 1, 2),
                   "cl": (0, 1, 2), "cn": (0, 1), "o": (0, 1, 2), "e": (0, 1, 2)}
        new = {"q": self.tensor(b, hq, t, d, of=c.dtype, open_at=open_at["q"]),
               "k": self.tensor(b, hk, t, d, of=c.dtype, open_at=open_at["k"]),
               "v": self.tensor(b, hk, t, dv, of=c.dtype, open_at=open_at["v"]),
               "f": self.tensor(b, hk, t, of=c.wide, open_at=open_at["f"]),
               "o": self.tensor(b, hq, t, dv, of=c.dtype, open_at=open_at["o"]),
               "e": self.tensor(b, hq, t, of=c.wide, open_at=open_at["e"]),
               "ck": self.tensor(b, hk, room, d, of=c.dtype,
                                 open_at=open_at["ck"]),
               "cv": self.tensor(b, hk, room, dv, of=c.dtype,
                                 open_at=open_at["cv"]),
               "cl": self.tensor(b, hk, room, of=c.wide, open_at=open_at["cl"]),
               "cn": self.tensor(b, hk, of="i64", open_at=open_at["cn"]),
               "lengths": self.tensor(b, of="i64", open_at=(0,))}
        new["l"], new["cm"] = new["f"], new["cl"]
        own = {"q": f"tensor<{b}x{hq}x{t}x{d}x{c.dtype}>",
               "k": f"tensor<{b}x{hk}x{t}x{d}x{c.dtype}>",
               "v": f"tensor<{b}x{hk}x{t}x{dv}x{c.dtype}>",
               "f": f"tensor<{b}x{hk}x{t}x{c.wide}>",
               "l": f"tensor<{b}x{hk}x{t}x{c.wide}>",
               "o": f"tensor<{b}x{hq}x{t}x{dv}x{c.dtype}>",
               "e": f"tensor<{b}x{hq}x{t}x{c.wide}>", **cache,
               "lengths": f"tensor<{b}xi64>"}

        def cast(name, source, to_open=True):
            ends = (own[name], new[name]) if to_open else (new[name], own[name])
            return f"tensor.cast {source} : {ends[0]} to {ends[1]}"

        carried = {**outs, **cache}
        lengths = f"lengths(%lengths : {new['lengths']})" if c.own_lengths else ""
        ins = "%qn, %qn, %qn" if c.same else "%qn, %kn, %vn"
        body = self.slices(types)
        body += [f"    %{x}n = {cast(x, f'%{x}s')}" for x in "qkvfl"]
        body += [f"    %{x}n = {cast(x, f'%{x}i')}" for x in cache]
        if c.own_lengths:
            body += ["    %cs = tensor.extract_slice %counts[%s, 0] "
                     f"[1, {b}] [1, 1] : {types['counts']} to {own['lengths']}",
                     f"    %lengths = {cast('lengths', '%cs')}"]
        body += [
            f"    %oe = tensor.empty() : {own['o']}",
            f"    %ee = tensor.empty() : {own['e']}",
            f"    %oc = {cast('o', '%oe')}", f"    %ec = {cast('e', '%ee')}",
            f"    %r:2 = fpa.cached_attention ins({ins} : {new['q']}, "
            f"{new['k']}, {new['v']}) field(%fn : {new['f']}) "
            f"level(%ln : {new['l']}) {lengths} "
            f"cache(%ckn, %cvn, %cln, %cmn, %cnn : "
            f"{', '.join(new[x] for x in cache)}) "
            f"outs(%oc, %ec : {new['o']}, {new['e']}) "
            f"{{scale = {d ** -0.5} : f64}} -> {new['o']}, {new['e']}",
            f"    %u:5 = fpa.update_cache ins(%kn, %vn : {new['k']}, {new['v']})"
            f" field(%fn : {new['f']}) level(%ln : {new['l']}) {lengths} "
            f"outs(%ckn, %cvn, %cln, %cmn, %cnn : "
            f"{', '.join(new[x] for x in cache)}) "
            f"{{evict_above = {decode_steps.number(c.evict)} : f64}} -> "
            f"{', '.join(new[x] for x in cache)}",
            f"    %or = {cast('o', '%r#0', False)}",
            f"    %er = {cast('e', '%r#1', False)}",
            f"    %o2 = tensor.insert_slice %or into %oi[0, 0, %t, 0] "
            f"[{b}, {hq}, {t}, {dv}] [1, 1, 1, 1] : {own['o']} into {outs['o']}",
            f"    %e2 = tensor.insert_slice %er into %ei[0, 0, %t] "
            f"[{b}, {hq}, {t}] [1, 1, 1] : {own['e']} into {outs['e']}"]
        body += [f"    %{x}2 = {cast(x, f'%u#{i}', False)}"
                 for i, x in enumerate(cache)]
        body += [
            f"    %live2 = tensor.insert_slice %cn2 into %livei[%s, 0, 0] "
            f"[1, {b}, {hk}] [1, 1, 1] : {cache['cn']} into {outs['live']}",
            "    scf.yield " + ", ".join(f"%{x}2" for x in carried) + " : "
            + ", ".join(carried.values())]
        starts = [f"  %{x}{'e' if x == 'cn' else '0'} = tensor.empty() : {kind}"
                  for x, kind in carried.items()]
        iters = ", ".join(f"%{x}i = %{x}0" for x in carried)
        arguments = ", ".join(f"%{x}: {kind}" for x, kind in types.items())
        results = ", ".join(outs.values())
        return "\n".join([
            f"func.func @main({arguments}) -> ({results}) {{",
            "  %c0 = arith.constant 0 : index", "  %c1 = arith.constant 1 : index",
            f"  %steps = arith.constant {c.steps} : index",
            f"  %tokens = arith.constant {t} : index",
            "  %none = arith.constant 0 : i64", *starts,
            f"  %cn0 = linalg.fill ins(%none : i64) outs(%cne : {cache['cn']}) "
            f"-> {cache['cn']}",
            f"  %all:{len(carried)} = scf.for %s = %c0 to %steps step %c1 "
            f"iter_args({iters}) -> ({', '.join(carried.values())}) {{",
            "    %t = arith.muli %s, %tokens : index", *body, "  }",
            f"  return %all#0, %all#1, %all#2 : {results}", "}"]) + "\n"


def _row(case, q, k, v, penalty, seen):
    with np.errstate(invalid="ignore"):
        s = case.d ** -0.5 * (k[seen] @ q) - penalty[seen]
    top = s.max()
    p = np.exp(s - top)
    return (p @ v[seen] / p.sum(), top + np.log(p.sum()),
            p @ np.abs(v[seen]) / p.sum())


def reference(case, stored):
    """Output, lse, sum_j P |v| and the counts after each step."""
    q, k, v, f, l = (dtypes.decode(stored[n], case.dtype if n in "qkv"
                                   else case.wide) for n in "qkvfl")
    out = np.zeros((case.batch, case.hq, case.length, case.value_size))
    size, lse = np.zeros(out.shape), np.full(out.shape[:3], -np.inf)
    live = np.zeros((case.steps, case.batch, case.hk), np.int64)
    for b in range(case.batch):
        # Tokens that a sequence does not have are nowhere.
        there = np.ones(case.length, bool)
        if case.own_lengths:
            place = np.arange(case.length) % case.tokens
            there = place < np.repeat(stored["counts"][:, b], case.tokens)
        for kh in range(case.hk):
            field = np.where(there, f[b, kh], np.inf)
            minima = oracle.range_minima(field)
            alive = case.keys_alive(field, l[b, kh]) & there
            live[:, b, kh] = alive[1:].sum(axis=1)
            for h in range(kh * case.hq // case.hk,
                           (kh + 1) * case.hq // case.hk):
                for i in np.nonzero(there)[0]:
                    step = i // case.tokens
                    own = np.arange(case.length)
                    seen = alive[step] | (there & (own >= step * case.tokens)
                                          & (own <= i))
                    penalty = oracle.penalty(l[b, kh], minima[i])
                    penalty[i] = 0.0
                    out[b, h, i], lse[b, h, i], size[b, h, i] = _row(
                        case, q[b, h, i], k[b, kh], v[b, kh], penalty, seen)
    return out, lse, size, live


def run(engine, case):
    """(name, result, what it should be, bound) of each result."""
    stored = case.operands()
    results = [case.dtype, case.wide, "i64"]
    if case.loop or engine.target == "cpu":
        got = engine.run(case.text(), list(stored.values()), results,
                         tiles=case.tiles, threads=case.threads)
    else:
        got = decode_steps.run(engine, case, stored)
    out, lse, size, live = reference(case, stored)
    bounds = compare.attention_bounds(case, out, lse, size,
                                      engine.target != "cpu")
    decoded = [dtypes.decode(g, dtype) for g, dtype in zip(got, results)]
    decoded[2] = decoded[2].astype(np.float64)
    return zip(("output", "lse", "live"), decoded, (out, lse, live * 1.0),
               (*bounds, np.zeros(live.shape)))


def _cases():
    for pattern in ("walk", "nested", "one_dip", "free_level", "equal_minima",
                    "mixed_inf", "level_plus_inf"):
        yield DecodeCase(f"decode-{pattern}", pattern=pattern)
        yield DecodeCase(f"decode-{pattern}-chunks", pattern=pattern, tokens=7)
    for evict in (0.0, np.inf):
        yield DecodeCase(f"decode-evict-{evict}", evict=evict)
        yield DecodeCase(f"decode-evict-{evict}-chunks", evict=evict, tokens=14)
    # Keys whose penalty is the threshold itself, which stay.
    yield DecodeCase("decode-evict-ties", evict=0.0, pattern="equal_minima")
    for hq, hk in ((1, 1), (3, 3), (8, 2), (16, 1), (36, 1)):
        yield DecodeCase(f"decode-heads-{hq}-{hk}", hq=hq, hk=hk, batch=2,
                         length=40)
    for d, dv in ((1, 1), (5, 7), (64, 64), (80, 24)):
        yield DecodeCase(f"decode-size-{d}-{dv}", d=d, dv=dv, hq=1, length=40)
        yield DecodeCase(f"decode-size-{d}-{dv}-group", d=d, dv=dv, hq=3,
                         length=40)
    for dtype in ("f16", "bf16", "f64"):
        yield DecodeCase(f"decode-{dtype}", dtype=dtype)
        yield DecodeCase(f"decode-{dtype}-alone", dtype=dtype, hq=1)
    for tokens in (1, 10, 100):
        yield DecodeCase(f"decode-long-{tokens}", length=600, tokens=tokens,
                         evict=6.0, hq=2)
        yield DecodeCase(f"decode-open-{tokens}", length=300, tokens=tokens,
                         batch=2, hq=4, hk=2, open_sizes=True)
        yield DecodeCase(f"decode-lengths-{tokens}", length=300, tokens=tokens,
                         batch=3, hq=4, hk=2, own_lengths=True, pattern="nested")
    # More keys than a whole tile, and what is left.
    for dtype in ("f32", "f16", "bf16"):
        yield DecodeCase(f"decode-tiles-{dtype}", length=700, evict=np.inf,
                         dtype=dtype, d=72, dv=128, hq=1)
    yield DecodeCase("decode-tiles-group", length=700, evict=np.inf, hq=2)
    yield DecodeCase("decode-tiles-100", length=700, tokens=100, evict=np.inf)
    # Many keys stay; those that go have neighbours that stay.
    for pattern, evict in (("walk", 20.0), ("free_level", 4.0),
                           ("mixed_inf", 1e3)):
        yield DecodeCase(f"decode-many-{pattern}", length=300, evict=evict,
                         pattern=pattern, tokens=10)
    for dtype in ("f32", "f16", "bf16"):
        yield DecodeCase(f"decode-loop-{dtype}", dtype=dtype, loop=True)
    yield DecodeCase("decode-loop-chunks", tokens=7, loop=True, batch=2, hq=4,
                     hk=2)
    yield DecodeCase("decode-loop-open", length=40, tokens=4, loop=True,
                     open_sizes=True)
    yield DecodeCase("decode-loop-lengths", tokens=10, loop=True, batch=3,
                     own_lengths=True, pattern="nested")
    for tokens in (1, 7):
        yield DecodeCase(f"decode-same-{tokens}", tokens=tokens, same=True, hq=1)
    yield DecodeCase("decode-whole", length=300, tokens=300)
    yield DecodeCase("decode-room", length=300, capacity=5000)
    yield DecodeCase("decode-threads", length=300, tokens=3, batch=2, hq=4, hk=2,
                     threads=2)
    for tiles in ("small", "odd", "decompose"):
        for hq in (1, 2):
            yield DecodeCase(f"decode-{tiles}-{hq}", length=200, hq=hq,
                             evict=6.0, tiles=tiles)
        yield DecodeCase(f"decode-{tiles}-chunks", length=200, tokens=20,
                         evict=6.0, tiles=tiles)


def all_cases(seed=0):
    return [dataclasses.replace(c, seed=seed) for c in _cases()]
