# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case of cases.json as a module, its inputs, and the work it does."""

import numpy as np


def _tensor(shape, element):
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def _function(arguments, result, op):
    names = ", ".join(f"%{n}: {t}" for n, t in arguments.items())
    return (f"func.func @main({names}) -> {result} {{\n"
            f"  %init = tensor.empty() : {result}\n"
            f"  %out = {op} -> {result}\n"
            f"  return %out : {result}\n}}\n")


class Attention:
    """Batch 1; sizes are static, as a model's are."""

    def __init__(self, case, tiny):
        self.heads = case["heads"]
        self.kv_heads = case.get("kv_heads", self.heads)
        self.length = min(case["length"], 200) if tiny else case["length"]
        self.head_size = case["head_size"]
        self.element = case.get("element", "f32")
        self.field = case.get("field")
        self.window = case.get("window")

    def text(self):
        q = _tensor([1, self.heads, self.length, self.head_size], self.element)
        k = _tensor([1, self.kv_heads, self.length, self.head_size],
                    self.element)
        arguments = {"q": q, "k": k, "v": k}
        field = ""
        if self.field:
            arguments["f"] = _tensor([1, self.kv_heads, self.length], "f32")
            field = f" field(%f : {arguments['f']})"
        given = []
        if self.window:
            given.append(f"window = {self.window} : i64")
        if self.field == "fox":
            given.append("non_increasing")
        attributes = f" {{{', '.join(given)}}}" if given else ""
        return _function(arguments, q, f"fpa.attention ins(%q, %k, %v : {q}, "
                         f"{k}, {k}){field} outs(%init : {q}){attributes}")

    def inputs(self):
        rng = np.random.default_rng(0)
        shape = (1, self.kv_heads, self.length, self.head_size)
        q = rng.standard_normal((1, self.heads, *shape[2:]), np.float32)
        k = rng.standard_normal(shape, np.float32)
        v = rng.standard_normal(shape, np.float32)
        arrays = [x.astype({"f32": "f4", "f16": "f2"}[self.element])
                  for x in (q, k, v)]
        if self.field == "fox":
            gates = rng.standard_normal(shape[:3]) + 4
            field = np.cumsum(-np.log1p(np.exp(-gates)), axis=-1)
        elif self.field:
            field = np.cumsum(0.3 * rng.standard_normal(shape[:3]), axis=-1)
        if self.field:
            arrays.append(field.astype(np.float32))
        return arrays

    def flops(self):
        """Two multiply-adds per pair a causal row sees, head size and head."""
        pairs = self.length**2 / 2
        if self.window:
            w = min(self.window, self.length)
            pairs = self.length * w - w**2 / 2
        return 4.0 * self.heads * self.head_size * pairs

    def expected(self, arrays):
        from fpa import reference
        return reference.attention(*arrays, window=self.window)[0]


class Scan:
    """prefix_min or prefix_sum along the rows of a matrix of f32."""

    def __init__(self, case, tiny):
        self.op = case["op"]
        self.shape = list(case["shape"])
        if tiny:
            self.shape = [min(n, 333) for n in self.shape]
        self.flags = case.get("flags", "")

    def text(self):
        x = _tensor(self.shape, "f32")
        return _function({"x": x}, x, f"fpa.{self.op} axis(1){self.flags} "
                         f"ins(%x : {x}) outs(%init : {x})")

    def inputs(self):
        rng = np.random.default_rng(0)
        return [rng.standard_normal(self.shape, np.float32)]

    def bytes(self):
        return 2 * 4 * self.shape[0] * self.shape[1]

    def expected(self, arrays):
        from fpa import reference
        flags = {name: name in self.flags for name in ("reverse", "exclusive")}
        got = getattr(reference, self.op)(arrays[0], axis=1, **flags)
        return got[0] if isinstance(got, tuple) else got


KINDS = {"attention": Attention, "scan": Scan}


def make(case, tiny=False):
    return KINDS[case["kind"]](case, tiny)
