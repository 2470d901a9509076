# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators that work on single elements."""

import math

import torch

from ._emit import ELEMENTS, Tensor, is_float, size, wide, width
from ._registry import operator


def result_of(node):
    """Shape and element type of a node's result."""
    value = node.meta["val"]
    return tuple(size(n) for n in value.shape), element_of(value.dtype)


def element_of(dtype):
    if dtype not in ELEMENTS:
        raise NotImplementedError(f"elements of type {dtype}")
    return ELEMENTS[dtype]


def computed(e, node, operands, function, element=None):
    """A node whose element is function(elements) in the type `element` (the
    result's), half precision in f32. Operands are tensors or numbers."""
    shape, result = result_of(node)
    element = element or result
    inner = "f32" if element in ("f16", "bf16") else element
    tensors = [x for x in operands if isinstance(x, Tensor)]

    def body(*elements):
        left = iter(elements)
        values = [e.convert(next(left), x.element, inner)
                  if isinstance(x, Tensor) else e.constant(x, inner)
                  for x in operands]
        value, kind = function(inner, *values), inner
        if isinstance(value, tuple):
            value, kind = value
        return e.convert(value, kind, result)

    return e.elementwise(shape, result, tensors, body)


def arith(e, op, element, *operands):
    """A sum, difference or product; a sum of truth values is whether one holds."""
    suffix = "f" if is_float(element) else "i"
    name = "ori" if (op, element) == ("add", "i1") else op + suffix
    return e.op(f"arith.{name} {', '.join(operands)} : {element}")


def extreme(e, kind, element, x, y):
    """The greater ("max") or the lesser ("min"); false is below true."""
    suffix = "imumf" if is_float(element) else "ui" if element == "i1" else "si"
    return e.op(f"arith.{kind}{suffix} {x}, {y} : {element}")


def combined(e, node, op, a, b, alpha):
    """a + alpha * b, or a - alpha * b."""
    def function(t, x, y):
        if alpha != 1:
            y = arith(e, "mul", t, y, e.constant(alpha, t))
        return arith(e, op, t, x, y)
    return computed(e, node, [a, b], function)


@operator("aten.add.Tensor", "aten.add.Scalar")
def add(e, node, a, b, alpha=1):
    return combined(e, node, "add", a, b, alpha)


@operator("aten.sub.Tensor", "aten.sub.Scalar")
def subtract(e, node, a, b, alpha=1):
    return combined(e, node, "sub", a, b, alpha)


@operator("aten.rsub.Scalar", "aten.rsub.Tensor")
def reverse_subtract(e, node, a, b, alpha=1):
    return subtract(e, node, b, a, alpha)


@operator("aten.mul.Tensor", "aten.mul.Scalar")
def multiply(e, node, a, b):
    return computed(e, node, [a, b],
                    lambda t, x, y: arith(e, "mul", t, x, y))


@operator("aten.div.Tensor", "aten.div.Scalar")
def divide(e, node, a, b):
    return computed(e, node, [a, b],
                    lambda t, x, y: e.op(f"arith.divf {x}, {y} : {t}"))


@operator("aten.floor_divide.default")
def floor_divide(e, node, a, b):
    def function(t, x, y):
        if is_float(t):
            q = e.op(f"arith.divf {x}, {y} : {t}")
            return e.op(f"math.floor {q} : {t}")
        return e.op(f"arith.floordivsi {x}, {y} : {t}")
    return computed(e, node, [a, b], function)


@operator("aten.pow.Tensor_Scalar")
def power(e, node, a, exponent):
    def function(t, x):
        if exponent == 2:
            return arith(e, "mul", t, x, x)
        if exponent == 3:
            return arith(e, "mul", t, arith(e, "mul", t, x, x), x)
        if exponent == 0.5:
            return e.op(f"math.sqrt {x} : {t}")
        if exponent == -0.5:
            return reciprocal_root(e, t, x)
        if not is_float(t):
            raise NotImplementedError(f"integers to the power {exponent}")
        return e.op(f"math.powf {x}, {e.constant(exponent, t)} : {t}")
    return computed(e, node, [a], function)


@operator("aten.pow.Tensor_Tensor", "aten.pow.Scalar")
def power_of(e, node, a, b):
    return computed(e, node, [a, b],
                    lambda t, x, y: e.op(f"math.powf {x}, {y} : {t}"))


@operator("aten.neg.default")
def negate(e, node, a):
    def function(t, x):
        if is_float(t):
            return e.op(f"arith.negf {x} : {t}")
        return e.op(f"arith.subi {e.constant(0, t)}, {x} : {t}")
    return computed(e, node, [a], function)


@operator("aten.abs.default")
def absolute(e, node, a):
    return computed(e, node, [a], lambda t, x: e.op(
        f"math.abs{'f' if is_float(t) else 'i'} {x} : {t}"))


for _aten, _math in {
        "exp": "exp", "exp2": "exp2", "log": "log", "log2": "log2",
        "log1p": "log1p", "sqrt": "sqrt", "tanh": "tanh", "erf": "erf",
        "sin": "sin", "cos": "cos", "floor": "floor", "ceil": "ceil"}.items():
    def _function(e, node, a, name=_math):
        return computed(e, node, [a],
                        lambda t, x: e.op(f"math.{name} {x} : {t}"))
    operator(f"aten.{_aten}.default")(_function)


def reciprocal_root(e, t, x):
    root = e.op(f"math.sqrt {x} : {t}")
    return e.op(f"arith.divf {e.constant(1, t)}, {root} : {t}")


@operator("aten.rsqrt.default")
def rsqrt(e, node, a):
    return computed(e, node, [a], lambda t, x: reciprocal_root(e, t, x))


@operator("aten.reciprocal.default")
def reciprocal(e, node, a):
    return computed(e, node, [a], lambda t, x: e.op(
        f"arith.divf {e.constant(1, t)}, {x} : {t}"))


def sigmoid_of(e, t, x):
    one = e.constant(1, t)
    power = e.op(f"math.exp {e.op(f'arith.negf {x} : {t}')} : {t}")
    return e.op(f"arith.divf {one}, {arith(e, 'add', t, one, power)} : {t}")


@operator("aten.sigmoid.default")
def sigmoid(e, node, a):
    return computed(e, node, [a], lambda t, x: sigmoid_of(e, t, x))


@operator("aten.silu.default")
def silu(e, node, a):
    return computed(e, node, [a], lambda t, x: arith(
        e, "mul", t, x, sigmoid_of(e, t, x)))


@operator("aten.log_sigmoid.default", "aten.logsigmoid.default")
def log_sigmoid(e, node, a):
    """min(x, 0) - log1p(exp(-|x|)): never above 0, as the analysis of fields
    sees."""
    def function(t, x):
        fall = e.op(f"arith.negf {e.op(f'math.absf {x} : {t}')} : {t}")
        tail = e.op(f"math.log1p {e.op(f'math.exp {fall} : {t}')} : {t}")
        least = e.op(f"arith.minimumf {x}, {e.constant(0, t)} : {t}")
        return arith(e, "sub", t, least, tail)
    return computed(e, node, [a], function)


@operator("aten.softplus.default")
def softplus(e, node, a, beta=1, threshold=20):
    """max(z, 0) + log1p(exp(-|z|)), z = beta x. Beyond the threshold PyTorch
    leaves out a term, which a usual threshold makes one below a rounding of
    f32."""
    def function(t, x):
        z = x if beta == 1 else arith(e, "mul", t, x, e.constant(beta, t))
        fall = e.op(f"arith.negf {e.op(f'math.absf {z} : {t}')} : {t}")
        tail = e.op(f"math.log1p {e.op(f'math.exp {fall} : {t}')} : {t}")
        most = e.op(f"arith.maximumf {z}, {e.constant(0, t)} : {t}")
        y = arith(e, "add", t, most, tail)
        if beta != 1:
            y = e.op(f"arith.divf {y}, {e.constant(beta, t)} : {t}")
        if threshold >= 16:
            return y
        above = e.op(f"arith.cmpf ogt, {z}, {e.constant(threshold, t)} : {t}")
        return e.op(f"arith.select {above}, {x}, {y} : {t}")
    return computed(e, node, [a], function)


@operator("aten.relu.default")
def relu(e, node, a):
    return computed(e, node, [a],
                    lambda t, x: extreme(e, "max", t, x, e.constant(0, t)))


@operator("aten.gelu.default")
def gelu(e, node, a, approximate="none"):
    def function(t, x):
        half = arith(e, "mul", t, x, e.constant(0.5, t))
        if approximate == "tanh":
            cube = arith(e, "mul", t, arith(e, "mul", t, x, x), x)
            inner = arith(e, "add", t, x,
                          arith(e, "mul", t, cube, e.constant(0.044715, t)))
            inner = arith(e, "mul", t, inner,
                          e.constant(math.sqrt(2 / math.pi), t))
            f = e.op(f"math.tanh {inner} : {t}")
        else:
            inner = arith(e, "mul", t, x, e.constant(math.sqrt(0.5), t))
            f = e.op(f"math.erf {inner} : {t}")
        return arith(e, "mul", t, half,
                     arith(e, "add", t, e.constant(1, t), f))
    return computed(e, node, [a], function)


@operator("aten.maximum.default", "aten.minimum.default",
          "aten.clamp_min.default", "aten.clamp_max.default")
def extremum(e, node, a, b):
    kind = "max" if "max" in str(node.target).replace("clamp_min", "max") \
        .replace("clamp_max", "min") else "min"
    return computed(e, node, [a, b],
                    lambda t, x, y: extreme(e, kind, t, x, y))


@operator("aten.clamp.default")
def clamp(e, node, a, least=None, most=None):
    def function(t, x):
        for op, bound in (("max", least), ("min", most)):
            if bound is not None:
                x = extreme(e, op, t, x, e.constant(bound, t))
        return x
    return computed(e, node, [a], function)


def common_element(*operands):
    """The type in which PyTorch compares these."""
    examples = []
    names = {text: dtype for dtype, text in ELEMENTS.items()}
    for x in operands:
        examples.append(torch.empty([1] * x.rank, dtype=names[x.element])
                        if isinstance(x, Tensor) else x)
    return element_of(torch.result_type(*examples))


_COMPARISONS = {"eq": ("oeq", "eq"), "ne": ("une", "ne"), "lt": ("olt", "slt"),
                "le": ("ole", "sle"), "gt": ("ogt", "sgt"),
                "ge": ("oge", "sge")}
for _name, (_float, _int) in _COMPARISONS.items():
    def _compare(e, node, a, b, kinds=(_float, _int)):
        def function(t, x, y):
            kind = f"cmpf {kinds[0]}" if is_float(t) else f"cmpi {kinds[1]}"
            if t == "i1":  # true is above false, but a signed bit below it
                kind = kind.replace(" s", " u")
            return e.op(f"arith.{kind}, {x}, {y} : {t}"), "i1"
        return computed(e, node, [a, b], function, common_element(a, b))
    operator(f"aten.{_name}.Tensor", f"aten.{_name}.Scalar")(_compare)


for _aten, _op in {"and": "andi", "or": "ori", "xor": "xori"}.items():
    def _logical(e, node, a, b, op=_op):
        return computed(e, node, [a, b],
                        lambda t, x, y: e.op(f"arith.{op} {x}, {y} : {t}"))
    operator(f"aten.logical_{_aten}.default", f"aten.bitwise_{_aten}.Tensor",
             f"aten.__{_aten}__.Tensor")(_logical)


@operator("aten.logical_not.default", "aten.bitwise_not.default")
def logical_not(e, node, a):
    def function(t, x):
        ones = e.constant(True, t) if t == "i1" else e.constant(-1, t)
        return e.op(f"arith.xori {x}, {ones} : {t}")
    return computed(e, node, [a], function)


@operator("aten.where.self", "aten.where.ScalarSelf", "aten.where.ScalarOther",
          "aten.where.Scalar")
def where(e, node, condition, a, b):
    shape, element = result_of(node)
    tensors = [x for x in (condition, a, b) if isinstance(x, Tensor)]

    def body(c, *elements):
        left = iter(elements)
        x, y = (e.convert(next(left), z.element, element)
                if isinstance(z, Tensor) else e.constant(z, element)
                for z in (a, b))
        return e.op(f"arith.select {c}, {x}, {y} : {element}")
    return e.elementwise(shape, element, tensors, body)


@operator("aten.masked_fill.Scalar", "aten.masked_fill.Tensor")
def masked_fill(e, node, a, mask, value):
    return where(e, node, mask, value, a)


@operator("aten._to_copy.default", "aten.to.dtype", "aten.to.dtype_layout",
          "aten.to.device", "aten.to.other", "aten.type_as.default",
          "aten.clone.default", "aten.contiguous.default",
          "aten.alias.default", "aten.detach.default", "aten.detach_.default",
          "aten.lift_fresh_copy.default", "aten.dropout.default")
def convert(e, node, a, *args, **kwargs):
    if "dropout" in str(node.target) and len(args) > 1 and args[1] \
            and args[0] != 0:
        raise NotImplementedError("dropout that is switched on")
    return e.cast(a, result_of(node)[1])
