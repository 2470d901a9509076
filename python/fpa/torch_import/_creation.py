# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that make tensors from nothing but sizes and numbers."""

import torch

from ._elementwise import arith, element_of, result_of
from ._emit import Tensor, is_float, number, size, tensor_type, wide
from ._registry import operator


@operator("aten.zeros.default", "aten.zeros_like.default",
          "aten.new_zeros.default")
def zeros(e, node, *args, **kwargs):
    return e.fill(*result_of(node), 0)


@operator("aten.ones.default", "aten.ones_like.default",
          "aten.new_ones.default")
def ones(e, node, *args, **kwargs):
    return e.fill(*result_of(node), 1)


@operator("aten.full.default", "aten.full_like.default",
          "aten.new_full.default")
def full(e, node, a, value, *args, **kwargs):
    return e.fill(*result_of(node), value)


@operator("aten.scalar_tensor.default")
def scalar_tensor(e, node, value, **kwargs):
    return e.fill(*result_of(node), value)


@operator("aten.empty.memory_format", "aten.empty_like.default")
def empty(e, node, *args, **kwargs):
    return e.empty(*result_of(node))


@operator("aten.arange.default", "aten.arange.start", "aten.arange.start_step")
def arange(e, node, *args, **kwargs):
    """start + i * step."""
    start, step = 0, 1
    if "start" in str(node.target):
        start = args[0]
        step = args[2] if len(args) > 2 else 1
    shape, element = result_of(node)
    out = e.empty(shape, element)
    kind = wide(element) if is_float(element) else "i64"

    def scalar(value):
        """A number, or a size that is one only when the program runs."""
        value = value if isinstance(value, float) else size(value)
        if isinstance(value, (int, float)):
            return e.constant(value, kind)
        i = e.op(f"arith.index_cast {e.index(value)} : index to i64")
        return e.convert(i, "i64", kind)

    def body(_):
        i = e.convert(e.loop(0), "i64", kind)
        if step != 1:
            i = arith(e, "mul", kind, i, scalar(step))
        if start != 0:
            i = arith(e, "add", kind, i, scalar(start))
        return e.convert(i, kind, element)
    return e.generic(1, [], out, [0], body)


def band(e, t, diagonal, keeps_below):
    """t where column - row <= diagonal (>= with `keeps_below` off), else 0."""
    rank = t.rank
    offset = e.constant(diagonal, "i64")
    compare = "sle" if keeps_below else "sge"

    def body(x):
        distance = e.op(f"arith.subi {e.loop(rank - 1)}, {e.loop(rank - 2)} "
                        ": i64")
        kept = e.op(f"arith.cmpi {compare}, {distance}, {offset} : i64")
        return e.op(f"arith.select {kept}, {x}, {e.constant(0, t.element)} : "
                    f"{t.element}")
    return e.elementwise(t.shape, t.element, [t], body)


@operator("aten.tril.default")
def lower(e, node, a, diagonal=0):
    return band(e, a, diagonal, True)


@operator("aten.triu.default")
def upper(e, node, a, diagonal=0):
    return band(e, a, diagonal, False)


def emit_band(e, shape, element, least, most, inside, outside):
    """A constant matrix that is `inside` where least <= column - row <= most."""
    rank = len(shape)
    out = e.empty(shape, element)

    def body(_):
        distance = e.op(f"arith.subi {e.loop(rank - 1)}, {e.loop(rank - 2)} "
                        ": i64")
        holds = None
        for bound, compare in ((least, "sge"), (most, "sle")):
            if bound is None:
                continue
            own = e.op(f"arith.cmpi {compare}, {distance}, "
                       f"{e.constant(bound, 'i64')} : i64")
            holds = own if holds is None else e.op(
                f"arith.andi {holds}, {own} : i1")
        return e.op(f"arith.select {holds}, {e.constant(inside, element)}, "
                    f"{e.constant(outside, element)} : {element}")
    return e.generic(rank, [], out, range(rank), body)


def constant_tensor(e, value):
    """A small tensor of numbers as a constant; one that is two numbers in a
    band of diagonals (a causal mask) as a comparison; None for others."""
    value = value.detach().cpu()
    element = element_of(value.dtype)
    shape = tuple(value.shape)
    found = find_band(value)
    if found:
        return emit_band(e, shape, element, *found)
    if value.numel() > 4096:
        return None

    def text(x):
        if x.dim() == 0:
            return number(x.item(), element)
        return "[" + ", ".join(text(row) for row in x) + "]"
    kind = tensor_type(shape, element)
    body = text(value) if value.numel() else ""
    return Tensor(e.op(f"arith.constant dense<{body}> : {kind}"), shape,
                  element)


def find_band(value):
    """least, most, inside, outside of a matrix of two numbers, or of several that
    are the same; None for others. The numbers of rows above the first, and
    columns behind the last, are None."""
    if value.dim() < 2 or value.numel() < 4:
        return None
    matrices = value.reshape(-1, *value.shape[-2:])
    matrix = matrices[0]
    if not bool((matrices == matrix).all()):
        return None
    rows, columns = matrix.shape
    inside = matrix[-1, 0] if rows > 1 else matrix[0, 0]
    different = matrix != inside
    if not bool(different.any()):
        return None
    outside = matrix[different][0]
    distance = torch.arange(columns)[None, :] - torch.arange(rows)[:, None]
    most = int(distance[~different].max())
    band_of = distance <= most
    if bool(torch.equal(matrix, torch.where(band_of, inside, outside))):
        return None, most, inside.item(), outside.item()
    return None
