# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.prefix_min and fpa.prefix_sum."""

from . import _arrays
from ._plans import Plans
from ._program import cached, check_target


def prefix_min(x, axis=-1, reverse=False, exclusive=False, return_index=False,
               *, target=None):
    """Running minimum along one axis.

    x: an array or a tensor of float16, bfloat16, float32 or float64, of any
    shape with an axis. Returns one of x's shape and type: at t the minimum of
    x_u over u <= t (u < t with `exclusive`, u >= t or u > t with `reverse`),
    +inf where there is no such u. A NaN is smaller than everything. A gradient
    goes to where the minimum is.

    With return_index also returns, as int64, where the minimum is: the largest
    index among equals, -1 where there is none.

    Raises TypeError for a wrong type, ValueError for a wrong axis.
    """
    return _scan("prefix_min", x, axis, reverse, exclusive, return_index,
                 target)


def prefix_sum(x, axis=-1, reverse=False, exclusive=False, *, target=None):
    """Running sum along one axis.

    x: an array or a tensor of float32 or float64, of any shape with an axis.
    Returns one of x's shape and type: at t the sum of x_u over u <= t, with
    `exclusive` and `reverse` as in prefix_min; 0 where there is no such u.

    Raises TypeError for a wrong type, ValueError for a wrong axis.
    """
    return _scan("prefix_sum", x, axis, reverse, exclusive, False, target)


def module_text(op, element, rank, reverse, exclusive, index):
    """The module of one scan along axis 1 of a tensor of rank 2 or 3."""
    def tensor(of):
        return f"tensor<{'?x' * rank}{of}>"

    results = [tensor(element)] + [tensor("i64")] * index
    inits = ["%init", "%at_init"][:len(results)]
    words = f"axis(1){' reverse' * reverse}{' exclusive' * exclusive}"
    sizes = ", ".join(f"%d{i}" for i in range(rank))
    lines = [
        f"func.func @main(%x: {tensor(element)}) -> ({', '.join(results)}) {{",
        *(f"  %c{i} = arith.constant {i} : index" for i in range(rank)),
        *(f"  %d{i} = tensor.dim %x, %c{i} : {tensor(element)}"
          for i in range(rank)),
        *(f"  {name} = tensor.empty({sizes}) : {type}"
          for name, type in zip(inits, results)),
        f"  %r:{len(results)} = fpa.{op} {words} ins(%x : {tensor(element)})",
        f"    outs({', '.join(inits)} : {', '.join(results)})"
        f" -> {', '.join(results)}",
        f"  return {', '.join(f'%r#{i}' for i in range(len(results)))} : "
        f"{', '.join(results)}",
        "}",
    ]
    return "\n".join(lines) + "\n"


# What each scan takes.
TYPES = {"prefix_min": ("f16", "bf16", "f32", "f64"),
         "prefix_sum": ("f32", "f64")}
_plans = Plans()


def _scan(op, x, axis, reverse, exclusive, index, target):
    if _arrays.is_tensor(x):
        from . import torch
        if op == "prefix_min":
            return torch.prefix_min(x, axis, reverse, exclusive, index,
                                    target=target)
        return torch.prefix_sum(x, axis, reverse, exclusive, target=target)
    x = _arrays.host_array("x", x)
    options = (axis, reverse, exclusive, index, target)
    key = Plans.key((x,), (op, *options))
    found = _plans.get(key) or _plans.add(
        key, plan(_arrays.float_array, x, op, *options))
    text, target, shape = found
    result = cached(text, "main", target)(x.reshape(shape))
    if isinstance(result, tuple):
        return tuple(part.reshape(x.shape) for part in result)
    return result.reshape(x.shape)


def plan(check, x, op, axis, reverse, exclusive, index, target):
    """The module, the target, and the shape to call it with. check(name, x,
    types) judges the type of x and returns its element type."""
    element = check("x", x, TYPES[op])
    axis = check_axis(x, axis)
    target = check_target(target)
    reverse = _arrays.flag("reverse", reverse)
    exclusive = _arrays.flag("exclusive", exclusive)
    index = _arrays.flag("return_index", index)

    # Any axis of any rank is the middle one of three, or the last of two.
    outer = inner = 1
    for size in x.shape[:axis]:
        outer *= size
    for size in x.shape[axis + 1:]:
        inner *= size
    shape = (outer, x.shape[axis]) + ((inner,) if inner != 1 else ())
    text = module_text(op, element, len(shape), reverse, exclusive, index)
    return text, target, shape


def check_axis(x, axis):
    """The axis, counted from 0; refuses one that x does not have."""
    if x.ndim == 0:
        raise ValueError("expected x to have an axis, got shape []")
    return _arrays.integer("axis", axis, -x.ndim, x.ndim - 1) % x.ndim
