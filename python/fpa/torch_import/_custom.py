# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""This package's own operators (fpa.torch) in a graph of PyTorch's, and those of
PyTorch's that are the same."""

import math

from ._emit import Tensor, is_float
from ._products import emit_attention
from ._registry import operator
from ._views import wrap


def named_arguments(node, args, kwargs):
    """All arguments by the names of the operator's schema."""
    arguments = node.target._schema.arguments
    values = {a.name: a.default_value for a in arguments
              if a.has_default_value()}
    values.update(zip((a.name for a in arguments), args))
    values.update(kwargs)
    return values


@operator("fpa.attention.default", "fpa.attention_dropped.default")
def attention(e, node, *args, **kwargs):
    """attention_dropped has counts without elements where none are wanted."""
    given = named_arguments(node, args, kwargs)
    given.pop("target")  # what it is compiled for is asked later
    q, k, v, scale = (given.pop(name) for name in ("q", "k", "v", "scale"))
    packed = given.pop("cu_q"), given.pop("cu_k")
    packed = tuple(None if t is None else e.cast(t, "i64") for t in packed)
    known = {name: given.pop(name)
             for name in ("field", "level", "window", "smooth", "prune_eps")}
    counts = given.pop("counts", False)
    is_dropped = "attention_dropped" in str(node.target)
    for name, value in given.items():  # those of a later version
        if value:
            raise NotImplementedError(f"its argument {name}")
    results = emit_attention(
        e, q, k, v, 1 / math.sqrt(q.shape[3]) if scale is None else scale,
        results=(5 if counts else 3) if is_dropped else 2, cu_seqlens=None if packed[0] is None else packed,
        **known)
    if is_dropped and not counts:
        results += [e.empty((0,), "i64") for _ in range(2)]
    return results


def emit_prefix(e, op, x, axis, reverse, exclusive, results):
    """fpa.prefix_sum or fpa.prefix_min, into `results` element types."""
    outs = [e.empty(x.shape, element) for element in results]
    flags = (" reverse" if reverse else "") + (" exclusive" if exclusive else "")
    kinds = ", ".join(t.type for t in outs)
    name = e.fresh()
    e.line(f"{name}{':2' if len(outs) == 2 else ''} = fpa.{op} "
           f"axis({wrap(axis, x.rank)}){flags} ins({x.name} : {x.type}) "
           f"outs({', '.join(t.name for t in outs)} : {kinds}) -> {kinds}")
    if len(outs) == 1:
        return [Tensor(name, x.shape, results[0])]
    return [Tensor(f"{name}#{n}", x.shape, element)
            for n, element in enumerate(results)]


def scan(e, node, op, results, args, kwargs):
    given = named_arguments(node, args, kwargs)
    return emit_prefix(e, op, given["x"], given["axis"], given["reverse"],
                       given["exclusive"], [given["x"].element] + results)


@operator("fpa.prefix_sum.default")
def prefix_sum(e, node, *args, **kwargs):
    return scan(e, node, "prefix_sum", [], args, kwargs)[0]


@operator("fpa.prefix_min.default")
def prefix_min(e, node, *args, **kwargs):
    return scan(e, node, "prefix_min", ["i64"], args, kwargs)


@operator("aten.cummin.default")
def running_minimum(e, node, a, dim):
    """Where equal, and among NaN, both name the last."""
    return emit_prefix(e, "prefix_min", floats_only(a), dim, False, False,
                       [a.element, "i64"])


@operator("aten.cummax.default")
def running_maximum(e, node, a, dim):
    least, at = running_minimum(e, node, negated(e, floats_only(a)), dim)
    return [negated(e, least), at]


def floats_only(a):
    if not is_float(a.element):
        raise NotImplementedError(f"elements of type {a.element}")
    return a


def negated(e, a):
    return e.elementwise(a.shape, a.element, [a], lambda x: e.op(
        f"arith.negf {x} : {a.element}"))
