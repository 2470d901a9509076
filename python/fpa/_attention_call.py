# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What attention and its gradients have in common: checks of the arguments, and
parts of the text of the module that is compiled."""

import functools

import numpy as np

from . import _arrays, _shapes
from ._device import is_on_device
from ._program import cached, sizes_of

_INT64_MAX = 2**63 - 1


def check_options(scale, window, smooth, wide, prune_eps=0.0):
    """The attributes of the op by name; None where one is not given. Logits are
    of type `wide`."""
    if scale is window is smooth is None and type(prune_eps) is float \
            and prune_eps == 0:  # most calls
        return {"scale": None, "window": None, "smooth": None, "prune_eps": 0.0}
    # [A9] and [A13] of the specification.
    largest = 1000 if wide == "f64" else 100
    options = {
        "scale": _arrays.real("scale", scale),
        "window": None if window is None else _arrays.integer(
            "window", window, 1, _INT64_MAX),
        "smooth": _arrays.real("smooth", smooth, positive=True),
        "prune_eps": _arrays.real("prune_eps", prune_eps) or 0.0,
    }
    # [A15]
    share = options["prune_eps"]
    if not 0 <= share < 1:
        raise ValueError(f"expected prune_eps to be at least 0 and below 1, got "
                         f"{share}")
    for name, low, text in (("scale", -2.0**largest, f"-2^{largest}"),
                            ("smooth", 2.0**-largest, f"2^-{largest}")):
        number = options[name]
        if number is not None and not low <= number <= 2.0**largest:
            raise ValueError(f"expected {name} to lie between {text} and "
                             f"2^{largest} for logits of {wide}, got {number}")
    return options


def check_type(element, target, got):
    """Refuses what GPUs do not compute in; `got` says what q is."""
    if element == "f64" and target != "cpu":
        raise TypeError(f"expected q of float16, bfloat16 or float32 on target "
                        f"{target}, got {got}")


def attribute_text(scale=None, window=None, prune_eps=0.0, pruned=False,
                   counts=False):
    """{...} with the attributes that are given; prune_eps if it is not 0, or
    what the op says of it is wanted, as of gradients with counts."""
    attributes = [f"{name} = {number}" for name, number in (
        ("scale", None if scale is None else f"{scale:.17e} : f64"),
        ("window", None if window is None else f"{window} : i64"),
        ("prune_eps", f"{prune_eps:.17e} : f64"
         if prune_eps or pruned or counts else None),
    ) if number is not None] + ["counts"] * counts
    return f"{{{', '.join(attributes)}}}"


class Inputs:
    """Arguments of @main and clauses of the op; batch, heads and lengths are
    left open, and so is beta of the smooth penalty, so that one module serves
    all of them."""

    def __init__(self, element, wide, head_size, value_size, field, level,
                 packed, smooth):
        self.query = self.tensor("?", "?", "?", head_size, of=element)
        self.value = self.tensor("?", "?", "?", value_size, of=element)
        self.row = self.tensor("?", "?", "?", of=wide)
        self.arguments = [("q", self.query), ("k", self.query),
                          ("v", self.value)]
        self.clauses = [f"ins(%q, %k, %v : {self.query}, {self.query}, "
                        f"{self.value})"]
        if field:
            self.add("field", ("field", self.row))
        if level:
            self.add("level", ("level", self.row))
        if packed:
            bounds = self.tensor("?", of="i64")
            self.add("cu_seqlens", ("cu_q", bounds), ("cu_k", bounds))
        if smooth:
            self.add("smooth", ("beta", self.tensor(of=wide)))

    @staticmethod
    def tensor(*sizes, of):
        return f"tensor<{'x'.join(map(str, (*sizes, of)))}>"

    def add(self, clause, *arguments):
        """Further arguments, which the op takes in a clause of this name."""
        self.arguments += arguments
        self.clauses.append(
            f"{clause}({', '.join(f'%{n}' for n, _ in arguments)} : "
            f"{', '.join(t for _, t in arguments)})")

    def function(self, op, results, attributes, returned=None):
        """The function; results: (type, argument with its batch, heads and
        length) of each. It returns all, or those whose numbers are given."""
        if returned is None:
            returned = range(len(results))
        types = ", ".join(t for t, _ in results)
        left = ", ".join(results[n][0] for n in returned)
        of = dict(self.arguments)
        inits, lines = [], []
        for n, (type, like) in enumerate(results):
            sizes = [f"%{like}_{i}" for i in range(3)]
            lines += [f"  {size} = tensor.dim %{like}, %c{i} : {of[like]}"
                      for i, size in enumerate(sizes)
                      if like not in [l for _, l in results[:n]]]
            lines.append(f"  %init{n} = tensor.empty({', '.join(sizes)}) : "
                         f"{type}")
            inits.append(f"%init{n}")
        return "\n".join([
            f"func.func @main({', '.join(f'%{n}: {t}' for n, t in self.arguments)})"
            f" -> ({left}) {{",
            *(f"  %c{i} = arith.constant {i} : index" for i in range(3)),
            *lines,
            f"  %r:{len(results)} = fpa.{op}",
            *(f"    {clause}" for clause in self.clauses),
            f"    outs({', '.join(inits)} : {types})",
            f"    {attributes} -> {types}",
            f"  return {', '.join(f'%r#{n}' for n in returned)} : {left}",
            "}",
        ]) + "\n"


def narrower(wide):
    """The element types that are widened to `wide`."""
    types = ("f16", "bf16", "f32", "f64")
    return types[:types.index(wide) + 1]


# Attention takes arrays on a device, too.
float_array = functools.partial(_arrays.float_array, on_device=True)


def check_operands(q, k, v, field, level):
    """Element types of q and of the field."""
    element = float_array("q", q)
    for name, x in (("k", k), ("v", v)):
        float_array(name, x, (element,))
    wide = "f64" if element == "f64" else "f32"
    for name, x in (("field", field), ("level", level)):
        if x is not None:
            float_array(name, x, narrower(wide))
    _shapes.check_operands(q, k, v, field, level)
    return element, wide


def _widened(x, wide):
    """x in a wider type. On a device nothing is computed outside of programs."""
    if is_on_device(x) and not _arrays.is_element(x.dtype, wide):
        raise TypeError(f"expected field, level and dlse of "
                        f"{_arrays.numpy_name(wide)} on a device, got "
                        f"{_arrays.describe(x)}")
    return x if is_on_device(x) else _arrays.widened(x, wide)


class Call:
    """The program for arguments that were checked, and what becomes of them
    before it sees them."""

    def __init__(self, text, target, operands, wide, dlse=None, smooth=None):
        self._text, self._target, self._wide = text, target, wide
        self._beta = [] if smooth is None else [
            np.array(smooth, _arrays.numpy_dtype(wide))]
        # Most calls widen nothing and need not ask each time.
        self._widens = any(x is not None and not _arrays.is_element(x.dtype, wide)
                           for x in (*operands[3:], dlse))
        self._on_device = is_on_device(operands[0])
        self._sizes = None

    def __call__(self, operands, cu_seqlens, rows=()):
        """operands: q, k, v, field, level; rows: o, lse, do, dlse."""
        arrays = [x for x in operands if x is not None]
        if cu_seqlens is not None:
            arrays += _shapes.boundaries(cu_seqlens, *operands[:2])
        arrays += self._beta
        arrays += [x for x in rows if x is not None]
        program = cached(self._text, "main", self._target)
        if self._widens:
            return program(*self._widened(arrays, operands, rows))
        if self._on_device:
            return program(*arrays)
        # How many sequences are packed is not known from other calls.
        if cu_seqlens is not None or self._sizes is None:
            result = program(*arrays)
            if all(x.dtype.isnative for x in arrays):
                self._sizes = sizes_of(arrays)
            return result
        return program.call_again(arrays, self._sizes)

    def _widened(self, arrays, operands, rows):
        """The same arrays, field, level and dlse in the type of sums."""
        narrow = [x for x in (*operands[3:], *rows[3:]) if x is not None]
        return [_widened(x, self._wide)
                if any(x is other for other in narrow) else x for x in arrays]
