# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Functions of math and arith on ordinary and special values, on the emulator
and in f64 by NumPy. Writes all of them as one module to the path given."""

import math
import sys

import numpy as np
from numeric.dtypes import decode, encode

import fpa


def each(function):
    return np.vectorize(function, otypes=[np.float64])


def half_away(x):
    whole = np.trunc(x)
    return whole + np.copysign(np.abs(x - whole) >= 0.5, x)


# The name, what it is, and by how many units in the last place a result in
# f32 may be off.
UNARY = [
    ("absf", np.abs, 0), ("ceil", np.ceil, 0), ("floor", np.floor, 0),
    ("round", half_away, 0), ("roundeven", np.rint, 0), ("trunc", np.trunc, 0),
    ("sqrt", np.sqrt, 0.501), ("rsqrt", lambda x: 1 / np.sqrt(x), 2),
    ("exp", np.exp, 4), ("exp2", np.exp2, 2), ("expm1", np.expm1, 4),
    ("log", np.log, 4), ("log2", np.log2, 2), ("log10", np.log10, 0.501),
    ("log1p", np.log1p, 4), ("tanh", np.tanh, 4), ("erf", each(math.erf), 4),
    ("erfc", each(math.erfc), 4), ("sin", np.sin, 0.501),
    ("cos", np.cos, 0.501), ("tan", np.tan, 0.501), ("sinh", np.sinh, 0.501),
    ("cosh", np.cosh, 0.501), ("asin", np.arcsin, 0.501),
    ("acos", np.arccos, 0.501), ("atan", np.arctan, 0.501),
    ("asinh", np.arcsinh, 0.501), ("acosh", np.arccosh, 0.501),
    ("atanh", np.arctanh, 0.501), ("cbrt", np.cbrt, 0.501),
]
BINARY = [("math.powf", np.power, 0.501), ("math.atan2", np.arctan2, 0.501),
          ("math.copysign", np.copysign, 0), ("arith.remf", np.fmod, 0)]
# Those that f64 has, too, and its own bounds.
DOUBLE = {"absf": 0, "ceil": 0, "floor": 0, "round": 0, "roundeven": 0,
          "trunc": 0, "sqrt": 0.501, "rsqrt": 2, "exp": 4, "exp2": 4, "log": 4,
          "log2": 4, "log10": 4}
# Where a zero has no sign, or results below the normal numbers are 0.
LOSES_SIGN = {"erf"}
SMALLEST = {"f16": 2.0**-14, "bf16": 2.0**-126, "f32": 2.0**-126,
            "f64": 2.0**-1022}
BITS = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}
SPECIAL = [
    0.0, -0.0, np.inf, -np.inf, np.nan, 1, -1, 0.5, -0.5, 1.5, -1.5, 2, -2, 2.5,
    -2.5, 3, 0.49999997, 0.99999994, 1.0000001, 1e-5, -1e-5, 1e-7, 1.5707964,
    3.1415927, 6.2831855, 88.7, 89, -87.3, -88, 127.9, -126.5, 8388609,
    4194303.5, 16777217, 1e10, -1e10, 1e30, 3.4e38, -3.4e38, 1.2e-38, -1.2e-38
]


def operands(count):
    rng = np.random.default_rng(3)
    ordinary = np.concatenate([
        rng.standard_normal(400), 30 * rng.standard_normal(200),
        1 + 1e-3 * rng.standard_normal(100),
        10**rng.uniform(-37, 38, 200) * rng.choice([-1, 1], 200)])
    if count == 1:
        return [np.concatenate([SPECIAL, ordinary])]
    pairs = np.meshgrid(SPECIAL, SPECIAL)
    return [np.concatenate([pairs[0].ravel(), ordinary]),
            np.concatenate([pairs[1].ravel(), rng.permutation(ordinary)])]


def program(entry, op, element, sizes):
    tensor = f"tensor<{sizes}x{element}>"
    names = ["%x", "%y"][:2 if op in dict((b[0], 0) for b in BINARY) else 1]
    arguments = ", ".join(f"{name}: {tensor}" for name in names)
    return (f"func.func @{entry}({arguments}) -> {tensor} {{\n"
            f"  %r = {op} {', '.join(names)} : {tensor}\n"
            f"  return %r : {tensor}\n}}\n")


def check(op, function, count, element, bound):
    stored = [encode(x, element) for x in operands(count)]
    inputs = [decode(x, element) for x in stored]
    # Subnormal numbers in f32 are flushed by some instructions.
    tiny = SMALLEST[element]
    if element in ("f32", "bf16"):
        for x, y in zip(inputs, stored):
            y[(np.abs(x) < tiny) & (x != 0)] = 0
        inputs = [decode(x, element) for x in stored]
    got = fpa.compile(program("main", op, element, len(inputs[0])),
                      target="emulator")(
        *(x.view("V2") if element == "bf16" else x for x in stored))
    got = decode(np.asarray(got), element)
    exact = function(*inputs)
    want = decode(encode(exact, element), element)
    same = (np.isnan(got) & np.isnan(want)) | (got == want)
    finite = np.isfinite(got) & np.isfinite(want)
    exponent = np.floor(np.log2(np.maximum(np.abs(want), tiny)))
    unit = 2.0**(exponent - BITS[element])
    error = np.abs(got - np.where(finite, exact, 0)) / unit
    # A result that is subnormal may be 0.
    flushed = (np.abs(exact) < tiny) & (got == 0)
    bad = ~(same | (finite & ((error <= bound) | flushed)))
    if op.split(".")[1] not in LOSES_SIGN:
        bad |= (got == 0) & (want == 0) & (np.signbit(got) != np.signbit(want))
    for i in np.flatnonzero(bad)[:3]:
        print(f"{op} of {element}: of {[float(x[i]) for x in inputs]} expected "
              f"{want[i]}, got {got[i]}")
    return not bad.any()


def main():
    np.seterr(all="ignore")
    ok, text = True, ""
    for element in ("f32", "f16", "bf16", "f64"):
        functions = [(f"math.{op}", function, 1, bound)
                     for op, function, bound in UNARY]
        functions += [(op, function, 2, bound)
                      for op, function, bound in BINARY]
        for op, function, count, bound in functions:
            name = op.split(".")[1]
            if element == "f64":
                if name not in DOUBLE:
                    continue
                bound = DOUBLE[name]
            elif element != "f32":
                bound = min(bound, 0.51)  # rounded from f32
            ok &= check(op, function, count, element, bound)
            text += program(f"{name}_{element}", op, element, "?")
    with open(sys.argv[1], "w") as file:
        file.write(text)
    print("functions on the emulator:", "ok" if ok else "wrong")


main()
