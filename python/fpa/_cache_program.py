# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The modules that a cache compiles. What it holds are memrefs, which the
program changes in place."""


class _Text:
    """Types and clauses of one call; None stands for a size that is open."""

    def __init__(self, element, wide, heads, kv_heads, tokens, head_dim,
                 v_head_dim, level, lengths):
        def shape(*sizes, of):
            return "x".join("?" if n is None else str(n) for n in sizes) \
                + f"x{of}"

        batch, room = None, None
        self.query = shape(batch, heads, tokens, head_dim, of=element)
        self.output = shape(batch, heads, tokens, v_head_dim, of=element)
        self.lse = shape(batch, heads, tokens, of=wide)
        row = shape(batch, kv_heads, tokens, of=wide)
        self.tokens = [
            ("k", shape(batch, kv_heads, tokens, head_dim, of=element)),
            ("v", shape(batch, kv_heads, tokens, v_head_dim, of=element)),
            ("field", row)]
        self.clauses = [f"field(%field : tensor<{row}>)"]
        if level:
            self.tokens.append(("level", row))
            self.clauses.append(f"level(%level : tensor<{row}>)")
        if lengths:
            size = shape(batch, of="i64")
            self.tokens.append(("lengths", size))
            self.clauses.append(f"lengths(%lengths : tensor<{size}>)")
        line = shape(batch, kv_heads, room, of=wide)
        self.cache = [
            ("ck", shape(batch, kv_heads, room, head_dim, of=element)),
            ("cv", shape(batch, kv_heads, room, v_head_dim, of=element)),
            ("cl", line), ("cm", line),
            ("n", shape(batch, kv_heads, of="i64")),
            ("dropped", shape(batch, kv_heads, 3, of="f64"))]

    def arguments(self, query):
        tensors = ([("q", self.query)] if query else []) + self.tokens
        return ", ".join([f"%{n}: tensor<{t}>" for n, t in tensors]
                         + [f"%{n}_memory: memref<{t}>" for n, t in self.cache])

    def views(self):
        return [f"  %{n} = bufferization.to_tensor %{n}_memory restrict "
                f"writable : memref<{t}> to tensor<{t}>" for n, t in self.cache]

    def operands(self, pairs):
        return (", ".join(f"%{n}" for n, _ in pairs) + " : "
                + ", ".join(f"tensor<{t}>" for _, t in pairs))

    def update(self, evict_above):
        types = ", ".join(f"tensor<{t}>" for _, t in self.cache)
        return [
            f"  %new:{len(self.cache)} = fpa.update_cache "
            f"ins({self.operands(self.tokens[:2])})",
            *(f"    {clause}" for clause in self.clauses),
            f"    outs({self.operands(self.cache)})",
            f"    {{evict_above = {_number(evict_above)} : f64}} -> {types}",
            *(f"  bufferization.materialize_in_destination %new#{i} in restrict "
              f"writable %{n}_memory : (tensor<{t}>, memref<{t}>) -> ()"
              for i, (n, t) in enumerate(self.cache))]


def _number(value):
    return "0x7FF0000000000000" if value == float("inf") else f"{value:.17e}"


def update_text(types, evict_above):
    """Adds tokens to a cache."""
    text = _Text(**types)
    return "\n".join([f"func.func @main({text.arguments(query=False)}) {{",
                      *text.views(), *text.update(evict_above),
                      "  return", "}"]) + "\n"


def step_text(types, scale, evict_above):
    """Attention of new tokens over a cache, to which they are added then."""
    text = _Text(**types)
    sizes = {"0": None, "2": types["tokens"]}
    open_sizes = [d for d, n in sizes.items() if n is None]
    dims = ", ".join(f"%size{d}" for d in open_sizes)
    results = f"tensor<{text.output}>, tensor<{text.lse}>"
    return "\n".join([
        f"func.func @main({text.arguments(query=True)}) -> ({results}) {{",
        *text.views(),
        *(line for d in open_sizes for line in (
            f"  %c{d} = arith.constant {d} : index",
            f"  %size{d} = tensor.dim %q, %c{d} : tensor<{text.query}>")),
        f"  %o0 = tensor.empty({dims}) : tensor<{text.output}>",
        f"  %l0 = tensor.empty({dims}) : tensor<{text.lse}>",
        f"  %o:2 = fpa.cached_attention "
        f"ins({text.operands([('q', text.query), *text.tokens[:2]])})",
        *(f"    {clause}" for clause in text.clauses),
        f"    cache({text.operands(text.cache[:5])})",
        f"    outs(%o0, %l0 : {results}) {{scale = {scale:.17e} : f64}} "
        f"-> {results}",
        *text.update(evict_above),
        f"  return %o#0, %o#1 : {results}", "}"]) + "\n"
