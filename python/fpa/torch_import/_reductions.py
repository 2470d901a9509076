# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums, extrema, means, norms, softmax and cumulative sums."""

import math

import torch

from ._elementwise import arith, extreme, reciprocal_root, result_of
from ._emit import Tensor, is_float, product, wide
from ._registry import operator
from ._views import join, reshape, slice_tensor, wrap


# The least finite numbers of the wide types.
LEAST = {"f32": torch.finfo(torch.float32).min,
         "f64": torch.finfo(torch.float64).min}
# The distance from 1 to the next of them.
EPSILON = {"f32": 2 ** -23, "f64": 2 ** -52}


def reduce(e, t, dims, kind, element=None, start=None):
    """Over dimensions, which stay as ones. kind: "sum", "max" or "min"; sums
    and extrema of floats are formed in the wide type, from `start`."""
    element = element or (wide(t.element) if is_float(t.element) else t.element)
    dims = [wrap(dim, t.rank) for dim in dims]
    kept = [dim for dim in range(t.rank) if dim not in dims]
    if start is not None:
        pass
    elif kind == "sum":
        start = 0
    elif is_float(element):
        start = -math.inf if kind == "max" else math.inf
    else:
        bits = {"i1": 1, "i32": 31, "i64": 63}[element]
        start = -2 ** bits if kind == "max" else 2 ** bits - 1
        if element == "i1":
            start = kind == "min"
    init = e.fill([t.shape[dim] for dim in kept], element, start)

    def body(x, total):
        x = e.convert(x, t.element, element)
        if kind == "sum":
            return arith(e, "add", element, total, x)
        return extreme(e, kind, element, x, total)
    out = e.generic(t.rank, [(t, range(t.rank))], init, kept, body, reduced=dims)
    return reshape(e, out, [1 if dim in dims else n
                            for dim, n in enumerate(t.shape)])


def all_dims(t, dims):
    if dims is None or dims == []:
        return list(range(t.rank))
    return [dims] if isinstance(dims, int) else list(dims)


def finish(e, node, t):
    shape, element = result_of(node)
    return reshape(e, e.cast(t, element), shape)


@operator("aten.sum.dim_IntList", "aten.sum.default")
def total(e, node, a, dims=None, keepdim=False, dtype=None):
    element = result_of(node)[1]
    kind = wide(element) if is_float(element) else element
    return finish(e, node, reduce(e, a, all_dims(a, dims), "sum", kind))


@operator("aten.amax.default", "aten.max.default", "aten.amin.default",
          "aten.min.default", "aten.any.dim", "aten.any.default",
          "aten.all.dim", "aten.all.default")
def extremum(e, node, a, dims=None, keepdim=False):
    name = str(node.target)
    kind = "max" if "max" in name or "any" in name else "min"
    if "any" in name or "all" in name:
        a = e.cast(a, "i1")
    return finish(e, node, reduce(e, a, all_dims(a, dims), kind))


def scaled(e, t, count):
    """Divided by the number of elements, a size."""
    if isinstance(count, int):
        return e.elementwise(t.shape, t.element, [t], lambda x: e.op(
            f"arith.divf {x}, {e.constant(count, t.element)} : {t.element}"))
    n = e.op(f"arith.index_cast {e.index(count)} : index to i64")
    n = e.op(f"arith.sitofp {n} : i64 to {t.element}")
    return e.elementwise(t.shape, t.element, [t], lambda x: e.op(
        f"arith.divf {x}, {n} : {t.element}"))


def mean_of(e, t, dims):
    dims = [wrap(dim, t.rank) for dim in dims]
    return scaled(e, reduce(e, t, dims, "sum"),
                  product(t.shape[dim] for dim in dims))


@operator("aten.mean.dim", "aten.mean.default")
def mean(e, node, a, dims=None, keepdim=False, dtype=None):
    return finish(e, node, mean_of(e, a, all_dims(a, dims)))


def variance_of(e, t, dims, correction=0):
    """Of the deviations from the mean, in the wide type; and the mean."""
    kind = wide(t.element)
    center = mean_of(e, t, dims)

    def square(x, m):
        d = arith(e, "sub", kind, e.convert(x, t.element, kind), m)
        return arith(e, "mul", kind, d, d)
    squares = e.elementwise(t.shape, kind, [t, center], square)
    count = product(t.shape[wrap(dim, t.rank)] for dim in dims)
    return scaled(e, reduce(e, squares, dims, "sum"), count - correction), center


@operator("aten.var.correction", "aten.var.dim", "aten.var.default")
def variance(e, node, a, dims=None, *args, correction=None, keepdim=False,
             unbiased=True):
    if args and isinstance(args[0], bool):
        unbiased = args[0]
    if correction is None:
        correction = 1 if unbiased else 0
    return finish(e, node, variance_of(e, a, all_dims(a, dims), correction)[0])


@operator("aten.layer_norm.default", "aten.native_layer_norm.default")
def layer_norm(e, node, a, shape, weight=None, bias=None, eps=1e-5, *ignored):
    """(x - mean) / sqrt(variance + eps) * weight + bias."""
    dims = list(range(a.rank - len(shape), a.rank))
    kind = wide(a.element)
    spread, center = variance_of(e, a, dims)
    scales = [t for t in (weight, bias) if t is not None]

    def body(x, m, v, *more):
        left = iter(more)
        x = arith(e, "sub", kind, e.convert(x, a.element, kind), m)
        v = arith(e, "add", kind, v, e.constant(eps, kind))
        x = arith(e, "mul", kind, x, reciprocal_root(e, kind, v))
        for t, op in ((weight, "mul"), (bias, "add")):
            if t is not None:
                x = arith(e, op, kind, x,
                          e.convert(next(left), t.element, kind))
        return e.convert(x, kind, a.element)
    out = e.elementwise(a.shape, a.element, [a, center, spread] + scales, body)
    if "native" not in str(node.target):
        return out
    root = e.elementwise(spread.shape, kind, [spread], lambda v: reciprocal_root(
        e, kind, arith(e, "add", kind, v, e.constant(eps, kind))))
    return [out, center, root]


@operator("aten.rms_norm.default", "aten._fused_rms_norm.default")
def rms_norm(e, node, a, shape, weight=None, eps=None):
    """x / sqrt(mean(x^2) + eps) * weight."""
    dims = list(range(a.rank - len(shape), a.rank))
    kind = wide(a.element)
    if eps is None:
        eps = EPSILON[kind]

    def square(x):
        x = e.convert(x, a.element, kind)
        return arith(e, "mul", kind, x, x)
    squares = mean_of(e, e.elementwise(a.shape, kind, [a], square), dims)

    def body(x, v, *w):
        v = arith(e, "add", kind, v, e.constant(eps, kind))
        x = arith(e, "mul", kind, e.convert(x, a.element, kind),
                  reciprocal_root(e, kind, v))
        if w:
            x = arith(e, "mul", kind, x, e.convert(w[0], weight.element, kind))
        return e.convert(x, kind, a.element)
    out = e.elementwise(a.shape, a.element,
                        [a, squares] + ([] if weight is None else [weight]),
                        body)
    if "fused" not in str(node.target):
        return out
    return [out, e.elementwise(squares.shape, kind, [squares], lambda v:
            reciprocal_root(e, kind, arith(e, "add", kind, v,
                                           e.constant(eps, kind))))]


def softmax_of(e, t, dim, safe=False):
    """exp(x - max) / sum, in the wide type. A `safe` one of nothing but -inf is
    0, not NaN: its maximum is finite, and what it is divided by at least the 1
    that the greatest x adds to the sum."""
    kind = wide(t.element)
    t = e.cast(t, kind)
    most = reduce(e, t, [dim], "max", start=LEAST[kind] if safe else None)
    power = e.elementwise(t.shape, kind, [t, most], lambda x, m: e.op(
        f"math.exp {arith(e, 'sub', kind, x, m)} : {kind}"))
    total_power = reduce(e, power, [dim], "sum")

    def share(x, s):
        if safe:
            s = e.op(f"arith.maximumf {s}, {e.constant(1, kind)} : {kind}")
        return e.op(f"arith.divf {x}, {s} : {kind}")
    return e.elementwise(t.shape, kind, [power, total_power], share)


@operator("aten.softmax.int", "aten._softmax.default")
def softmax(e, node, a, dim, *ignored, **more):
    return finish(e, node, softmax_of(e, a, dim))


@operator("aten._safe_softmax.default")
def safe_softmax(e, node, a, dim, *ignored, **more):
    return finish(e, node, softmax_of(e, a, dim, safe=True))


@operator("aten.log_softmax.int", "aten._log_softmax.default")
def log_softmax(e, node, a, dim, *ignored, **more):
    kind = wide(a.element)
    t = e.cast(a, kind)
    most = reduce(e, t, [dim], "max")
    power = e.elementwise(t.shape, kind, [t, most], lambda x, m: e.op(
        f"math.exp {arith(e, 'sub', kind, x, m)} : {kind}"))
    s = reduce(e, power, [dim], "sum")
    return finish(e, node, e.elementwise(
        t.shape, kind, [t, most, s], lambda x, m, s: arith(
            e, "sub", kind, arith(e, "sub", kind, x, m),
            e.op(f"math.log {s} : {kind}"))))


@operator("aten.cumsum.default")
def cumulative_sum(e, node, a, dim, dtype=None):
    element = result_of(node)[1]
    if not is_float(element):
        return integer_sums(e, e.cast(a, element), wrap(dim, a.rank))
    kind = wide(element)
    t = e.cast(a, kind)
    init = e.empty(t.shape, kind)
    name = e.op(f"fpa.prefix_sum axis({wrap(dim, t.rank)}) ins({t.name} : "
                f"{t.type}) outs({init.name} : {init.type}) -> {init.type}")
    return e.cast(Tensor(name, t.shape, kind), element)


def integer_sums(e, t, dim):
    """Cumulative sums, each from the start: what number their sequences in
    masks, which are as large."""
    init = e.fill(t.shape, t.element, 0)
    at = [t.rank if n == dim else n for n in range(t.rank)]

    def body(x, total):
        before = e.op(f"arith.cmpi sle, {e.loop(t.rank)}, {e.loop(dim)} : i64")
        x = e.op(f"arith.select {before}, {x}, {e.constant(0, t.element)} : "
                 f"{t.element}")
        return arith(e, "add", t.element, total, x)
    return e.generic(t.rank + 1, [(t, at)], init, range(t.rank), body,
                     reduced=[t.rank])


@operator("aten.diff.default")
def difference(e, node, a, n=1, dim=-1, prepend=None, append=None):
    """Of neighbours along a dimension, n times over."""
    dim = wrap(dim, a.rank)
    parts = [t for t in (prepend, a, append) if t is not None]
    if len(parts) > 1:
        shape = list(a.shape)
        shape[dim] = sum(t.shape[dim] for t in parts)
        a = join(e, parts, dim, shape, a.element)
    for _ in range(n):
        sizes = list(a.shape)
        sizes[dim] = sizes[dim] - 1
        first, second = (slice_tensor(
            e, a, [start if i == dim else 0 for i in range(a.rank)], sizes)
            for start in (0, 1))
        if a.element == "i1":
            def body(x, y):
                return e.op(f"arith.xori {x}, {y} : i1")
        else:
            def body(x, y):
                return arith(e, "sub", a.element, x, y)
        a = e.elementwise(second.shape, a.element, [second, first], body)
    return a
