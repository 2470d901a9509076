# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Cases of decoding: a step over a cache, and a whole decode in one module."""

import numpy as np


class Step:
    """One token of every head attends to a cache and joins it, which is changed
    in place: each run adds a key. `live` is the share of the keys that the cache
    still holds."""

    def __init__(self, case, tiny):
        self.heads = case["heads"]
        self.group = case.get("group_size", 1)
        self.length = min(case["length"], 700) if tiny else case["length"]
        self.live = int(self.length * case.get("live", 1))
        self.head_size = case["head_size"]
        self.element = case.get("element", "f32")
        # Room for what runs add.
        self.room = self.live + 1000

    def _types(self):
        h, c, d, e = self.heads, self.room, self.head_size, self.element
        return {"q": f"1x{h * self.group}x1x{d}x{e}", "k": f"1x{h}x1x{d}x{e}",
                "v": f"1x{h}x1x{d}x{e}", "f": f"1x{h}x1xf32"}, {
                "ck": f"1x{h}x{c}x{d}x{e}", "cv": f"1x{h}x{c}x{d}x{e}",
                "cl": f"1x{h}x{c}xf32", "cm": f"1x{h}x{c}xf32",
                "n": f"1x{h}xi64"}

    def text(self):
        new, cache = self._types()
        arguments = ", ".join(
            [f"%{n}: tensor<{t}>" for n, t in new.items()]
            + [f"%{n}_memory: memref<{t}>" for n, t in cache.items()])
        out = f"tensor<{new['q']}>"
        views = "".join(
            f"  %{n} = bufferization.to_tensor %{n}_memory restrict writable : "
            f"memref<{t}> to tensor<{t}>\n" for n, t in cache.items())
        kept = "".join(
            f"  bufferization.materialize_in_destination %c#{i} in restrict "
            f"writable %{n}_memory : (tensor<{t}>, memref<{t}>) -> ()\n"
            for i, (n, t) in enumerate(cache.items()))
        return (f"func.func @main({arguments}) -> {out} {{\n{views}"
                f"  %init = tensor.empty() : {out}\n"
                f"{step(new, cache, '%init')}{kept}  return %o : {out}\n}}\n")

    def inputs(self):
        rng = np.random.default_rng(0)
        dtype = {"f32": "f4", "f16": "f2"}[self.element]

        def normal(heads, length):
            return rng.standard_normal((1, heads, length, self.head_size),
                                       np.float32).astype(dtype)

        rows = (1, self.heads, self.room)
        level = rng.standard_normal(rows).astype("f4")
        minimum = (level - rng.standard_normal(rows)).astype("f4")
        return [normal(self.heads * self.group, 1), normal(self.heads, 1),
                normal(self.heads, 1), np.zeros((1, self.heads, 1), "f4"),
                normal(self.heads, self.room), normal(self.heads, self.room),
                level, minimum, np.full((1, self.heads), self.live)]

    def reads(self, arrays):
        """The keys and values that a step reads, head by head."""
        return [x[0, h, :self.live] for x in arrays[4:6]
                for h in range(self.heads)]

    def bytes(self):
        """Of the keys and values that a step reads."""
        width = {"f32": 4, "f16": 2}[self.element]
        return 2 * self.heads * self.live * self.head_size * width

    def expected(self, arrays):
        """What the last run found: its token is the last one of the cache."""
        q, _, _, field, keys, values, level, minimum, count = arrays
        out = np.zeros(q.shape)
        for h in range(q.shape[1]):
            own = h // self.group
            n = int(count[0, own])
            k, v, l, m = (x[0, own, :n].astype("f8")
                          for x in (keys, values, level, minimum))
            s = k @ q[0, h, 0].astype("f8") * self.head_size ** -0.5
            penalty = np.maximum(0, l - np.minimum(m, field[0, own, 0]))
            penalty[-1] = 0
            s -= penalty
            p = np.exp(s - s.max())
            out[0, h, 0] = p @ v / p.sum()
        return out


def step(new, cache, init):
    """Text of one step from %q, %k, %v, %f and the cache: %o and %c."""
    def listed(types, names):
        return (", ".join(f"%{n}" for n in names) + " : "
                + ", ".join(f"tensor<{types[n]}>" for n in names))

    out = f"tensor<{new['q']}>"
    scale = int(new["q"].split("x")[3]) ** -0.5
    types = ", ".join(f"tensor<{t}>" for t in cache.values())
    return (f"  %o = fpa.cached_attention ins({listed(new, 'qkv')}) "
            f"field({listed(new, 'f')})\n    cache({listed(cache, cache)})\n"
            f"    outs({init} : {out}) {{scale = {scale} : f64}} -> {out}\n"
            f"  %c:{len(cache)} = fpa.update_cache ins({listed(new, 'kv')}) "
            f"field({listed(new, 'f')})\n    outs({listed(cache, cache)}) "
            f"{{evict_above = 12.0 : f64}}\n    -> {types}\n")


class Loop:
    """All tokens of a text, one after the other, in one loop that carries the
    cache."""

    def __init__(self, case, tiny):
        self.heads = case["heads"]
        self.length = min(case["length"], 150) if tiny else case["length"]
        self.head_size = case["head_size"]

    def text(self):
        h, n, d = self.heads, self.length, self.head_size
        new = {"q": f"1x{h}x1x{d}xf32", "k": f"1x{h}x1x{d}xf32",
               "v": f"1x{h}x1x{d}xf32", "f": f"1x{h}x1xf32"}
        cache = {"ck": f"1x{h}x{n}x{d}xf32", "cv": f"1x{h}x{n}x{d}xf32",
                 "cl": f"1x{h}x{n}xf32", "cm": f"1x{h}x{n}xf32",
                 "n": f"1x{h}xi64"}
        all_rows, fields = f"tensor<1x{h}x{n}x{d}xf32>", f"tensor<1x{h}x{n}xf32>"
        slices = "".join(
            f"  %{name} = tensor.extract_slice %{name}s[0, 0, %t, 0] "
            f"[1, {h}, 1, {d}] [1, 1, 1, 1] : {all_rows} to "
            f"tensor<{new[name]}>\n" for name in "qkv")
        slices += (f"  %f = tensor.extract_slice %fs[0, 0, %t] [1, {h}, 1] "
                   f"[1, 1, 1] : {fields} to tensor<{new['f']}>\n")
        types = ", ".join([all_rows] + [f"tensor<{t}>" for t in cache.values()])
        carried = ", ".join(["%os = %os0"] + [f"%{c} = %{c}0" for c in cache])
        empties = "".join(f"  %{c}{'e' if c == 'n' else '0'} = tensor.empty() : "
                          f"tensor<{t}>\n" for c, t in cache.items())
        return f"""func.func @main(%qs: {all_rows}, %ks: {all_rows}, %vs: {all_rows}, %fs: {fields}) -> {all_rows} {{
  %from = arith.constant 0 : index
  %to = arith.constant {n} : index
  %by = arith.constant 1 : index
  %none = arith.constant 0 : i64
  %os0 = tensor.empty() : {all_rows}
{empties}  %n0 = linalg.fill ins(%none : i64) outs(%ne : tensor<{cache['n']}>) -> tensor<{cache['n']}>
  %all:{len(cache) + 1} = scf.for %t = %from to %to step %by iter_args({carried}) -> ({types}) {{
{slices}  %init = tensor.empty() : tensor<{new['q']}>
{step(new, cache, '%init')}  %next = tensor.insert_slice %o into %os[0, 0, %t, 0] [1, {h}, 1, {d}] [1, 1, 1, 1] : tensor<{new['q']}> into {all_rows}
  scf.yield %next, {', '.join(f'%c#{i}' for i in range(len(cache)))} : {types}
  }}
  return %all#0 : {all_rows}
}}
"""

    def inputs(self):
        rng = np.random.default_rng(0)
        shape = (1, self.heads, self.length, self.head_size)
        field = np.cumsum(0.3 * rng.standard_normal(shape[:3]), axis=-1)
        return [rng.standard_normal(shape, np.float32) for _ in range(3)] + [
            field.astype("f4")]

    def bytes(self):
        """If nothing were dropped."""
        return 4 * self.heads * self.head_size * self.length ** 2

    def expected(self, arrays):
        from fpa import reference
        return reference.decode(*arrays, evict_above=12.0)[0]
