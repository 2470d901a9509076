# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products, and attention as PyTorch has it."""

import math

from ._elementwise import arith, result_of
from ._emit import Tensor, is_float, number, same, wide
from ._registry import operator
from ._reductions import finish, softmax_of
from ._views import broadcast, reshape


def contract(e, shape, element, a, a_at, b, b_at, init=None):
    """out[loops of the shape] = sum over one more loop of a * b, in the wide
    type. Indices are loop numbers; the last loop is the one summed over."""
    loops = len(shape) + 1
    kind = wide(element) if is_float(element) else element
    if init is None:
        init = e.fill(shape, kind, 0)

    def body(x, y, total):
        x, y = e.convert(x, a.element, kind), e.convert(y, b.element, kind)
        return arith(e, "add", kind, total, arith(e, "mul", kind, x, y))
    out = e.generic(loops, [(a, a_at), (b, b_at)], init, range(len(shape)),
                    body, reduced=[len(shape)])
    return e.cast(out, element)


def matmul_of(e, a, b, element):
    """The product over a's last and b's last but one dimension, with leading
    dimensions broadcast."""
    if a.rank == 1 or b.rank == 1:
        left = reshape(e, a, (1,) + a.shape) if a.rank == 1 else a
        right = reshape(e, b, b.shape + (1,)) if b.rank == 1 else b
        out = matmul_of(e, left, right, element)
        shape = list(out.shape)
        if a.rank == 1:
            del shape[-2]
        if b.rank == 1:
            del shape[-1]
        return reshape(e, out, shape)
    return matrices(e, a, b, element)


def together(*shapes):
    """What the shapes are broadcast to."""
    rank = max(map(len, shapes))
    out = (1,) * rank
    for shape in shapes:
        shape = (1,) * (rank - len(shape)) + tuple(shape)
        out = tuple(y if x == 1 else x for x, y in zip(out, shape))
    return out


def matrices(e, a, b, element, is_transposed=False):
    """a b, or a b^T, with leading dimensions broadcast."""
    batch = together(a.shape[:-2], b.shape[:-2])
    rank = len(batch) + 2
    row, column, inner = rank - 2, rank - 1, rank

    def at(t, last):
        first = rank - t.rank
        return [None if n == 1 and batch[first + d] != 1 else first + d
                for d, n in enumerate(t.shape[:-2])] + last
    shape = batch + (a.shape[-2], b.shape[-2 if is_transposed else -1])
    return contract(
        e, shape, element, a, at(a, [row, inner]), b,
        at(b, [column, inner] if is_transposed else [inner, column]))


@operator("aten.matmul.default", "aten.mm.default", "aten.bmm.default",
          "aten.mv.default", "aten.dot.default")
def matmul(e, node, a, b):
    return matmul_of(e, a, b, result_of(node)[1])


def linear_of(e, a, weight, bias, element):
    """a weight^T + bias: weight is out x in."""
    shape = a.shape[:-1] + (weight.shape[0],)
    kind = wide(element)
    init = None
    if bias is not None:
        init = e.elementwise(shape, kind, [bias], lambda x: e.convert(
            x, bias.element, kind))
    lead = list(range(a.rank - 1))
    return contract(e, shape, element, a, lead + [a.rank], weight,
                    [a.rank - 1, a.rank], init)


@operator("aten.linear.default")
def linear(e, node, a, weight, bias=None):
    return linear_of(e, a, weight, bias, result_of(node)[1])


@operator("aten.addmm.default", "aten.baddbmm.default")
def addmm(e, node, bias, a, b, beta=1, alpha=1):
    """beta bias + alpha a b; a beta of 0 leaves out the bias, NaNs in it, too."""
    shape, element = result_of(node)
    out = matmul_of(e, a, b, element)
    kind = wide(element)

    def times(factor, x, of):
        x = e.convert(x, of, kind)
        return x if factor == 1 else arith(e, "mul", kind, x,
                                           e.constant(factor, kind))

    def total(y, x=None):
        y = times(alpha, y, element)
        if x is not None:
            y = arith(e, "add", kind, times(beta, x, bias.element), y)
        return e.convert(y, kind, element)

    return e.elementwise(shape, element, [out] if beta == 0 else [out, bias],
                         total)


#  Attention


def emit_attention(e, query, key, value, scale, field=None, level=None,
                   window=None, smooth=None, cu_seqlens=None, prune_eps=0.0,
                   results=1):
    """The first results of fpa.attention on B x H x L x D: o, lse, the share
    that was dropped, and of how many keys in two counts."""
    shape = query.shape[:3] + (value.shape[3],)
    row = wide(query.element)
    outs = [e.empty(shape, query.element)]
    outs += [e.empty(query.shape[:3], element)
             for element in (row, row, "i64", "i64")[:results - 1]]
    operands = (query, key, value)
    text = ("fpa.attention ins(" + ", ".join(t.name for t in operands) + " : " +
            ", ".join(t.type for t in operands) + ")")
    if field is not None:
        text += f" field({field.name} : {field.type})"
    if level is not None:
        text += f" level({level.name} : {level.type})"
    if cu_seqlens is not None:
        a, b = cu_seqlens
        text += f" cu_seqlens({a.name}, {b.name} : {a.type}, {b.type})"
    types = ", ".join(t.type for t in outs)
    text += f" outs({', '.join(t.name for t in outs)} : {types})"
    attributes = [f"scale = {number(scale, 'f64')} : f64"]
    if window is not None:
        attributes.append(f"window = {int(window)} : i64")
    if smooth is not None:
        attributes.append(f"smooth = {number(smooth, 'f64')} : f64")
    if prune_eps or results > 2:
        attributes.append(f"prune_eps = {number(prune_eps, 'f64')} : f64")
    text += f" {{{', '.join(attributes)}}} -> {types}"
    name = e.fresh()
    e.line(f"{name}{f':{results}' if results > 1 else ''} = {text}")
    if results == 1:
        return [Tensor(name, shape, query.element)]
    return [Tensor(f"{name}#{n}", t.shape, t.element)
            for n, t in enumerate(outs)]


def share_heads(e, key, heads):
    """One key head per query head."""
    own = key.shape[-3]
    if same(own, heads):
        return key
    lead = key.shape[:-3]
    group = heads // own
    rank = len(lead)
    wide_shape = lead + (own, group) + key.shape[-2:]
    out = e.empty(wide_shape, key.element)
    at = list(range(rank + 1)) + [rank + 2, rank + 3]
    t = e.generic(len(wide_shape), [(key, at)], out, range(len(wide_shape)),
                  lambda x, _: x)
    return reshape(e, t, lead + (heads,) + key.shape[-2:])


def aligned(e, query, key, value, enable_gqa):
    """With one batch size, and as many heads of keys as of values, which the
    query's are a multiple of."""
    batch = together(*(t.shape[:1] for t in (query, key, value)))
    own = together(key.shape[1:2], value.shape[1:2])
    heads = query.shape[1:2] if enable_gqa else together(query.shape[1:2], own)
    return [broadcast(e, t, batch + count + t.shape[2:])
            for t, count in ((query, heads), (key, own), (value, own))]


@operator("aten.scaled_dot_product_attention.default")
def attention(e, node, query, key, value, mask=None, dropout=0.0,
              is_causal=False, scale=None, enable_gqa=False):
    """Causal attention of as many keys as rows is fpa.attention; with a mask,
    or with the rows at the first keys, it is written out."""
    if dropout:
        raise NotImplementedError("dropout that is switched on")
    if scale is None:
        scale = 1 / math.sqrt(query.shape[-1])
    rows, keys = query.shape[-2], key.shape[-2]
    if is_causal and query.rank == key.rank == value.rank == 4 and \
            same(rows, keys):
        query, key, value = aligned(e, query, key, value, enable_gqa)
        return emit_attention(e, query, key, value, scale)[0]
    kind = wide(query.element)
    if enable_gqa:
        key = share_heads(e, key, query.shape[-3])
        value = share_heads(e, value, query.shape[-3])
    logits = matrices(e, query, key, kind, is_transposed=True)
    rank = logits.rank

    def body(x, *hidden):
        x = arith(e, "mul", kind, x, e.constant(scale, kind))
        none = e.constant(-math.inf, kind)
        if is_causal:
            seen = e.op(f"arith.cmpi sge, {e.loop(rank - 2)}, "
                        f"{e.loop(rank - 1)} : i64")
            x = e.op(f"arith.select {seen}, {x}, {none} : {kind}")
        if hidden and mask.element == "i1":
            x = e.op(f"arith.select {hidden[0]}, {x}, {none} : {kind}")
        elif hidden:
            x = arith(e, "add", kind, x,
                      e.convert(hidden[0], mask.element, kind))
        return x
    logits = e.elementwise(logits.shape, kind,
                           [logits] + ([] if mask is None else [mask]), body)
    # A row may be hidden from all keys only by a mask.
    weights = softmax_of(e, logits, -1, safe=mask is not None)
    return finish(e, node, matmul_of(e, weights, value, kind))
