# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the text of one MLIR function, op by op.

A tensor is a `Tensor`: an SSA name, a shape and an element type. Sizes are
integers or sympy expressions of the sizes of the inputs; `Emitter.index` gives
the SSA name of one.
"""

import math
from dataclasses import dataclass

import sympy
import torch

ELEMENTS = {
    torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32",
    torch.float64: "f64", torch.bool: "i1", torch.int32: "i32",
    torch.int64: "i64",
}


@dataclass(frozen=True)
class Tensor:
    name: str
    shape: tuple
    element: str

    @property
    def type(self):
        return tensor_type(self.shape, self.element)

    @property
    def rank(self):
        return len(self.shape)


def tensor_type(shape, element):
    sizes = "".join(f"{n}x" if isinstance(n, int) else "?x" for n in shape)
    return f"tensor<{sizes}{element}>"


def is_float(element):
    return element in ("f16", "bf16", "f32", "f64")


def width(element):
    return {"bf16": 16}.get(element) or int(element[1:])


def wide(element):
    """The type that sums and functions of an element are computed in."""
    return "f64" if element == "f64" else "f32"


def size(value):
    """A size as an int where it is one, as a sympy expression else."""
    if isinstance(value, torch.SymInt):
        value = value.node.expr
    if isinstance(value, sympy.Expr):
        value = sympy.expand(value)
        return int(value) if value.is_Integer else value
    return int(value)


def linear_in(value):
    """symbol, factor and rest of a size that is factor * symbol + rest, or None."""
    symbols = getattr(value, "free_symbols", ())
    if len(symbols) != 1:
        return None
    symbol, value = next(iter(symbols)), sympy.expand(value)
    factor, rest = value.coeff(symbol, 1), value.coeff(symbol, 0)
    if not (factor.is_Integer and factor > 0 and rest.is_Integer) or \
            sympy.expand(value - factor * symbol - rest) != 0:
        return None
    return symbol, int(factor), int(rest)


def same(a, b):
    if isinstance(a, int) and isinstance(b, int):
        return a == b
    return sympy.expand(a - b) == 0


def product(sizes):
    total = 1
    for n in sizes:
        total = total * n
    return size(total)


def number(value, element):
    """A constant's text."""
    if element == "i1":
        return "true" if value else "false"
    if not is_float(element):
        return str(int(value))
    value = float(value)
    if math.isfinite(value):
        text = repr(value)
        if "e" in text and "." not in text:  # MLIR wants a point
            text = text.replace("e", ".0e")
        return text
    bits = {"f16": (0x7C00, 16), "bf16": (0x7F80, 16), "f32": (0x7F800000, 32),
            "f64": (0x7FF0000000000000, 64)}[element]
    pattern = bits[0] | (1 << (bits[1] - 1) if value < 0 else 0)
    if math.isnan(value):
        pattern = bits[0] | (bits[0] >> 1 & ~bits[0])
        pattern |= 1 << {"f16": 9, "bf16": 6, "f32": 22, "f64": 51}[element]
    return f"0x{pattern:0{bits[1] // 4}X}"


class Emitter:
    """Lines of a function's body. Names count up."""

    def __init__(self):
        self.lines = []
        self.count = 0
        self.symbols = {}  # sympy symbol -> SSA name
        self.sizes = {}    # size -> SSA name
        self.constants = {}
        self.known = None   # what is known of the graph's tensors
        self.location = ""  # of the operator that is being imported
        self.outer = None   # lines in front of the region
        self.depth = 0      # of regions around what is emitted

    def fresh(self):
        self.count += 1
        return f"%{self.count}"

    def line(self, text, is_whole=True):
        """An op, which gets the location; or a part of one."""
        located = self.location if is_whole and not self.depth else ""
        self.lines.append("  " + text + located)

    def op(self, text, operand_types=""):
        """An op with one result; `text` is all after the equals sign."""
        name = self.fresh()
        self.line(f"{name} = {text}{operand_types}")
        return name

    def constant(self, value, element):
        """Constants are made at the top of the function, once."""
        text = number(value, element)
        key = (text, element)
        if key not in self.constants:
            typed = text if element == "i1" else f"{text} : {element}"
            # No name of an input has a dot.
            self.constants[key] = (f"%c.{len(self.constants)}", typed)
        return self.constants[key][0]

    def constant_lines(self):
        return [f"  {name} = arith.constant {typed}"
                for name, typed in self.constants.values()]

    # Sizes

    def index(self, value):
        """The SSA name of a size."""
        value = size(value)
        if isinstance(value, int):
            return self.constant(value, "index")
        if value not in self.sizes:
            # What a body asks for goes in front of its op, where others see it.
            inner, self.lines = self.lines, self.outer if self.depth else \
                self.lines
            self.sizes[value] = self._expression(value)
            self.lines = inner
        return self.sizes[value]

    def _expression(self, value):
        if value in self.symbols:
            return self.symbols[value]
        if value.is_Add or value.is_Mul:
            op = "addi" if value.is_Add else "muli"
            parts = [self.index(part) for part in value.args]
            total = parts[0]
            for part in parts[1:]:
                total = self.op(f"arith.{op} {total}, {part} : index")
            return total
        name = type(value).__name__
        if name in ("FloorDiv", "CleanDiv"):
            a, b = (self.index(part) for part in value.args)
            return self.op(f"arith.floordivsi {a}, {b} : index")
        if name in ("Mod", "PythonMod"):
            a, b = (self.index(part) for part in value.args)
            return self.op(f"arith.remsi {a}, {b} : index")
        if name in ("Max", "Min"):
            op = "maxsi" if name == "Max" else "minsi"
            parts = [self.index(part) for part in value.args]
            total = parts[0]
            for part in parts[1:]:
                total = self.op(f"arith.{op} {total}, {part} : index")
            return total
        raise NotImplementedError(f"a size of the form {value}")

    # Tensors

    def empty(self, shape, element):
        dynamic = ", ".join(self.index(n) for n in shape
                            if not isinstance(n, int))
        name = self.op(f"tensor.empty({dynamic}) : "
                       f"{tensor_type(shape, element)}")
        return Tensor(name, tuple(shape), element)

    def fill(self, shape, element, value):
        init = self.empty(shape, element)
        name = self.op(
            f"linalg.fill ins({self.constant(value, element)} : {element}) "
            f"outs({init.name} : {init.type}) -> {init.type}")
        return Tensor(name, init.shape, element)

    def generic(self, loops, inputs, out, out_map, body, reduced=()):
        """A linalg.generic over `loops` (their number). `inputs` are pairs of a
        tensor and its indices: loop numbers, or None for 0. The body gets
        a `Body` and the names of elements, the output's last, and returns the
        name of what is yielded."""
        names = ", ".join(f"d{i}" for i in range(loops))

        def text(indices):
            inner = ", ".join("0" if i is None else f"d{i}" for i in indices)
            return f"affine_map<({names}) -> ({inner})>"

        maps = ", ".join(text(m) for m in [m for _, m in inputs] + [out_map])
        kinds = ", ".join('"reduction"' if i in reduced else '"parallel"'
                          for i in range(loops))
        ins = ""
        if inputs:
            ins = ("ins(" + ", ".join(t.name for t, _ in inputs) + " : " +
                   ", ".join(t.type for t, _ in inputs) + ") ")
        result = self.fresh()
        args = [self.fresh() for _ in range(len(inputs) + 1)]
        types = [t.element for t, _ in inputs] + [out.element]
        # Sizes that the body asks for go in front of the op.
        outer, self.lines = self.lines, []
        self.outer, self.depth = outer, self.depth + 1
        value = body(*args)
        self.depth -= 1
        inner, self.lines = self.lines, outer
        self.line(f"{result} = linalg.generic {{indexing_maps = [{maps}], "
                  f"iterator_types = [{kinds}]}} {ins}outs({out.name} : "
                  f"{out.type}) {{", is_whole=False)
        pairs = ", ".join(f"{a}: {t}" for a, t in zip(args, types))
        self.line(f"^bb0({pairs}):", is_whole=False)
        self.lines += ["  " + inner_line for inner_line in inner]
        self.line(f"  linalg.yield {value} : {out.element}", is_whole=False)
        self.line(f"}} -> {out.type}")
        return Tensor(result, out.shape, out.element)

    def elementwise(self, shape, element, inputs, body):
        """Broadcasts the inputs from the right."""
        rank = len(shape)
        indexed = []
        for t in inputs:
            first = rank - t.rank
            indexed.append((t, [
                None if n == 1 and shape[first + i] != 1 else first + i
                for i, n in enumerate(t.shape)]))
        out = self.empty(shape, element)
        return self.generic(rank, indexed, out, range(rank),
                            lambda *x: body(*x[:-1]))

    def loop(self, dim):
        """The index of a loop, in a body, as i64."""
        i = self.op(f"linalg.index {dim} : index")
        return self.op(f"arith.index_cast {i} : index to i64")

    # Scalars

    def convert(self, x, source, target):
        """A scalar in another element type, as PyTorch converts it."""
        if source == target:
            return x
        if target == "i1":
            zero = self.constant(0, source)
            compare = "cmpf une" if is_float(source) else "cmpi ne"
            return self.op(f"arith.{compare}, {x}, {zero} : {source}")
        if is_float(source) and is_float(target):
            if width(source) == width(target):  # f16 and bf16
                x = self.convert(x, source, "f32")
                return self.convert(x, "f32", target)
            op = "extf" if width(source) < width(target) else "truncf"
        elif is_float(source):
            op = "fptosi"
        elif is_float(target):
            op = "uitofp" if source == "i1" else "sitofp"
        elif width(source) < width(target):
            op = "extui" if source == "i1" else "extsi"
        else:
            op = "trunci"
        return self.op(f"arith.{op} {x} : {source} to {target}")

    def cast(self, t, element):
        """A tensor in another element type."""
        if t.element == element:
            return t
        return self.elementwise(
            t.shape, element, [t],
            lambda x: self.convert(x, t.element, element))
