# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A case of cases.json as a module, its inputs, and the work it does."""

import numpy as np

import decode


def _tensor(shape, element):
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def _function(arguments, results, op):
    """A function that returns the results of `op`, which gets %init0, ..."""
    names = ", ".join(f"%{n}: {t}" for n, t in arguments.items())
    types = ", ".join(results)
    inits = "".join(f"  %init{i} = tensor.empty() : {t}\n"
                    for i, t in enumerate(results))
    values = ", ".join(f"%out#{i}" for i in range(len(results)))
    return (f"func.func @main({names}) -> ({types}) {{\n{inits}"
            f"  %out:{len(results)} = {op} -> {types}\n"
            f"  return {values} : {types}\n}}\n")


def _outs(results):
    names = ", ".join(f"%init{i}" for i in range(len(results)))
    return f"outs({names} : {', '.join(results)})"


def scopes(rng, shape):
    """The field of nested scopes of 256 to 768 keys, 32 a level: a scope is
    pushed with a probability of 0.35, else as many are popped. At a length of
    16384 about 9% of the pairs of query and key are not penalised."""
    field = np.zeros(shape)
    for head in np.ndindex(shape[:-1]):
        t, depth = 0, 0
        while t < shape[-1]:
            n = int(rng.integers(256, 768))
            field[head][t:t + n] = 32.0 * depth
            t += n
            depth += 1 if rng.random() < 0.35 else -1
    return field


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
        self.prune = case.get("prune_eps")
        self.smooth = case.get("smooth")
        self.level = case.get("level", False)  # one of its own
        self.lse = case.get("lse", False)  # returned too

    def text(self):
        q = _tensor([1, self.heads, self.length, self.head_size], self.element)
        k = _tensor([1, self.kv_heads, self.length, self.head_size],
                    self.element)
        arguments = {"q": q, "k": k, "v": k}
        field = ""
        if self.field:
            arguments["f"] = _tensor([1, self.kv_heads, self.length], "f32")
            field = f" field(%f : {arguments['f']})"
        if self.level:
            arguments["l"] = arguments["f"]
            field += f" level(%l : {arguments['l']})"
        given = []
        if self.window:
            given.append(f"window = {self.window} : i64")
        if self.prune:
            given.append(f"prune_eps = {self.prune:.17e} : f64")
        if self.field == "fox":
            given.append("non_increasing")
        if self.smooth:
            given.append(f"smooth = {self.smooth:.17e} : f64")
        attributes = f" {{{', '.join(given)}}}" if given else ""
        return self._function(arguments, f"ins(%q, %k, %v : {q}, {k}, {k})"
                              f"{field}", attributes)

    def _function(self, arguments, ins, attributes):
        results = [arguments["q"]]
        if self.lse:
            results.append(_tensor([1, self.heads, self.length], "f32"))
        return _function(arguments, results,
                         f"fpa.attention {ins} {_outs(results)}{attributes}")

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
        elif self.field == "scopes":
            field = scopes(np.random.default_rng(0), shape[:3])
        elif self.field == "dense":  # no penalty to speak of
            field = 0.3 * rng.standard_normal(shape[:3])
        elif self.field:
            field = np.cumsum(0.3 * rng.standard_normal(shape[:3]), axis=-1)
        if self.field:
            arrays.append(field.astype(np.float32))
        if self.level:
            lift = np.abs(rng.standard_normal(shape[:3]))
            arrays.append((field + lift).astype(np.float32))
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
        results = reference.attention(*arrays, window=self.window,
                                      smooth=self.smooth)
        return results if self.lse else results[0]


class Gradient(Attention):
    """The gradients of attention; with `constant_field` not the field's."""

    def __init__(self, case, tiny):
        super().__init__(case, tiny)
        self.constant_field = case.get("constant_field", False)

    def _function(self, arguments, ins, attributes):
        q, k = arguments["q"], arguments["k"]
        row = _tensor([1, self.heads, self.length], "f32")
        results = [q, k, k]
        if self.field and not self.constant_field:
            results.append(arguments["f"])
        arguments.update(o=q, lse=row, do=q)
        return _function(arguments, results,
                         f"fpa.attention_backward {ins} saved(%o, %lse : {q}, "
                         f"{row}) gradient(%do : {q}) {_outs(results)}"
                         f"{attributes}")

    def inputs(self):
        """Output and lse are made up where the length is that of a benchmark:
        what they are does not change the time, except where lse decides what is
        left out."""
        arrays = super().inputs()
        rng = np.random.default_rng(1)
        shape, dtype = arrays[0].shape, arrays[0].dtype
        if self.length <= 200:
            from fpa import reference
            o, lse = reference.attention(*arrays, window=self.window)
        elif self.field == "scopes":
            import fpa
            o, lse = fpa.attention(*arrays, window=self.window,
                                   return_lse=True)
        else:
            o = rng.standard_normal(shape, np.float32)
            lse = np.log1p(np.arange(shape[2])) * np.ones(shape[:3])
        do = rng.standard_normal(shape, np.float32)
        return arrays + [o.astype(dtype), lse.astype(np.float32),
                         do.astype(dtype)]

    def flops(self):
        """Five products where the forward has two."""
        return 2.5 * super().flops()

    def expected(self, arrays):
        from fpa import reference
        q, k, v, *field, o, lse, do = arrays
        field = field[0] if field else None
        got = reference.attention_backward(q, k, v, field, None, o, lse, do,
                                           window=self.window)
        return got[:3] if self.constant_field or field is None else got[:4]


class Scan:
    """prefix_min or prefix_sum along the rows of a matrix of f32."""

    copies = True  # reads and writes all of it once

    def __init__(self, case, tiny):
        self.op = case["op"]
        self.shape = list(case["shape"])
        if tiny:
            self.shape = [min(n, 333) for n in self.shape]
        self.flags = case.get("flags", "")

    def text(self):
        x = _tensor(self.shape, "f32")
        return _function({"x": x}, [x], f"fpa.{self.op} axis(1){self.flags} "
                         f"ins(%x : {x}) {_outs([x])}")

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


KINDS = {"attention": Attention, "gradient": Gradient, "scan": Scan,
         "decode": decode.Step, "decode-loop": decode.Loop}


def make(case, tiny=False):
    return KINDS[case["kind"]](case, tiny)
