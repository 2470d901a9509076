# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case of decoding on a GPU, where a server keeps the cache: a module of one
step, which changes the caller's cache, and a call of it for each step."""

import numpy as np

from . import dtypes


class _Step:
    """The text of one step."""

    def __init__(self, case):
        self.case = case

    def shape(self, *sizes, of, last=None):
        """Sizes that are known at run time only, but for the head's."""
        if self.case.open_sizes:
            sizes = ["?"] * len(sizes)
        return "x".join(map(str, sizes)) + (f"x{last}" if last else "") \
            + f"x{of}"

    def text(self):
        c, shape = self.case, self.shape
        b, hq, hk, t, d, dv = (c.batch, c.hq, c.hk, c.tokens, c.d, c.value_size)
        room = c.capacity or c.length
        row = shape(b, hk, t, of=c.wide)
        new = {"q": shape(b, hq, t, last=d, of=c.dtype),
               "k": shape(b, hk, t, last=d, of=c.dtype),
               "v": shape(b, hk, t, last=dv, of=c.dtype), "f": row, "l": row}
        if c.own_lengths:
            new["counts"] = shape(b, of="i64")
        line = shape(b, hk, room, of=c.wide)
        cache = {"ck": shape(b, hk, room, last=d, of=c.dtype),
                 "cv": shape(b, hk, room, last=dv, of=c.dtype),
                 "cl": line, "cm": line, "cn": shape(b, hk, of="i64")}
        output = shape(b, hq, t, last=dv, of=c.dtype)
        lse = shape(b, hq, t, of=c.wide)

        def use(*names):
            types = {**new, **cache}
            return (", ".join(f"%{x}" for x in names) + " : "
                    + ", ".join(f"tensor<{types[x]}>" for x in names))

        def typed(kinds):
            return ", ".join(f"tensor<{kind}>" for kind in kinds)

        query = "qqq" if c.same else "qkv"
        clauses = f"field({use('f')}) level({use('l')})"
        if c.own_lengths:
            clauses += f" lengths({use('counts')})"
        arguments = [f"%{x}: tensor<{kind}>" for x, kind in new.items()] + \
            [f"%{x}_memory: memref<{kind}>" for x, kind in cache.items()]
        sizes = "%d0, %d1, %d2" if c.open_sizes else ""
        lines = [f"func.func @main({', '.join(arguments)}) -> "
                 f"({typed((output, lse))}) {{"]
        lines += [f"  %{x} = bufferization.to_tensor %{x}_memory restrict "
                  f"writable : memref<{kind}> to tensor<{kind}>"
                  for x, kind in cache.items()]
        if c.open_sizes:
            lines += [line for i in range(3) for line in (
                f"  %c{i} = arith.constant {i} : index",
                f"  %d{i} = tensor.dim %q, %c{i} : tensor<{new['q']}>")]
        lines += [
            f"  %o0 = tensor.empty({sizes}) : tensor<{output}>",
            f"  %e0 = tensor.empty({sizes}) : tensor<{lse}>",
            f"  %r:2 = fpa.cached_attention ins({use(*query)}) {clauses}",
            f"    cache({use(*cache)})",
            f"    outs(%o0, %e0 : {typed((output, lse))}) "
            f"{{scale = {d ** -0.5} : f64}} -> {typed((output, lse))}",
            f"  %u:5 = fpa.update_cache ins({use('k', 'v')}) {clauses}",
            f"    outs({use(*cache)}) {{evict_above = {number(c.evict)} : f64}} "
            f"-> {typed(cache.values())}"]
        lines += [f"  bufferization.materialize_in_destination %u#{i} in "
                  f"restrict writable %{x}_memory : (tensor<{kind}>, "
                  f"memref<{kind}>) -> ()"
                  for i, (x, kind) in enumerate(cache.items())]
        return "\n".join(lines + [
            f"  return %r#0, %r#1 : {typed((output, lse))}", "}"]) + "\n"


def number(value):
    return "0x7FF0000000000000" if value == np.inf else f"{value:.17e}"


def _empty_cache(case):
    """Memory that holds NaN where nothing has been written, and no key."""
    room = case.capacity or case.length
    heads = (case.batch, case.hk)

    def nothing(dtype, *sizes):
        return dtypes.encode(np.full((*heads, room, *sizes), np.nan), dtype)

    return [nothing(case.dtype, case.d), nothing(case.dtype, case.value_size),
            nothing(case.wide), nothing(case.wide), np.zeros(heads, np.int64)]


def run(engine, case, stored):
    """Output, lse and counts of all steps, as they are stored."""
    text, cache = _Step(case).text(), _empty_cache(case)
    outputs, sums, live = [], [], []
    for step in range(case.steps):
        tokens = slice(step * case.tokens, (step + 1) * case.tokens)
        inputs = [np.ascontiguousarray(stored[x][:, :, tokens])
                  for x in "qkvfl"]
        if case.own_lengths:
            inputs.append(stored["counts"][step])
        out, lse = engine.run(text, inputs + cache, [case.dtype, case.wide],
                              tiles=case.tiles, threads=case.threads)
        outputs.append(out)
        sums.append(lse)
        live.append(cache[-1].copy())
    return (np.concatenate(outputs, axis=2), np.concatenate(sums, axis=2),
            np.stack(live))
