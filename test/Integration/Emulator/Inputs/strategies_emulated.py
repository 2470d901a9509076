# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs attention on the emulator in every choice of sizes that the compiler may
make for any chip, type and head size, and compares with float64."""

import os
import re
import subprocess
import sys

import numpy as np

import fpa
from fpa import reference

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", ".."))
from numeric import dtypes  # noqa: E402

LINE = re.compile(r"(\S+) (\w+) head (\d+) value-head (\d+): (.*?) \(")
ROUNDOFF = {"f16": 2.0**-11, "bf16": 2.0**-8, "f32": 2e-6}


def strategies():
    """Each choice of sizes with its type and the smallest heads it is for."""
    listed = subprocess.run(["fpa-compile", "--list-strategies"], check=True,
                            capture_output=True, text=True).stdout
    found = {}
    for line in listed.splitlines():
        chip, element, head, value_head, tiles = LINE.match(line).groups()
        size = int(head), int(value_head)
        known = found.get((element, tiles), (size, chip))
        found[element, tiles] = min((size, chip), known)
    return found


def stored(x, element):
    """x rounded to the type, as the array that is passed."""
    x = dtypes.encode(x, element)
    return x.view("V2") if element == "bf16" else x


def run(element, tiles, head, value_head, chip):
    """The largest error as a share of what is allowed."""
    sizes = dict(part.split("=") for part in tiles.split())
    # A ragged last tile of rows, edges, and some full tiles of keys.
    length = int(sizes["query-tile"]) + 2 * int(sizes["key-tile"]) + 9
    shape = f"tensor<1x1x{length}x{head}x{element}>"
    value = f"tensor<1x1x{length}x{value_head}x{element}>"
    field = f"tensor<1x1x{length}xf32>"
    text = f"""func.func @main(%q: {shape}, %k: {shape}, %v: {value},
                               %f: {field}) -> {value} {{
      %i = tensor.empty() : {value}
      %o = fpa.attention ins(%q, %k, %v : {shape}, {shape}, {value})
        field(%f : {field}) outs(%i : {value}) -> {value}
      return %o : {value}
    }}"""
    rng = np.random.default_rng(0)
    draw = lambda n: rng.standard_normal((1, 1, length, n), np.float32)
    q, k, v = (stored(draw(n), element) for n in (head, head, value_head))
    f = np.cumsum(0.3 * rng.standard_normal((1, 1, length)), -1)
    f = f.astype(np.float32)
    program = fpa.compile(text, target="emulator",
                          options=f"chip={chip} {tiles}")
    got = dtypes.decode(program(q, k, v, f), element)
    q64, k64, v64 = (dtypes.decode(x, element) for x in (q, k, v))
    want = reference.attention(q64, k64, v64, f)[0]
    # Weights and output are rounded once each; |v| weighs the former.
    size = reference.attention(q64, k64, np.abs(v64), f)[0]
    allowed = 2 * ROUNDOFF[element] * size
    if element == "f32":
        allowed *= np.sqrt(max(length, 64) / 64)
    return float(np.max(np.abs(got - want) / allowed))


def main():
    failed = 0
    found = strategies()
    for (element, tiles), ((head, value_head), chip) in found.items():
        try:
            share = run(element, tiles, head, value_head, chip)
        except ValueError as error:
            share, problem = np.inf, str(error)
        else:
            problem = f"{share:.2f} times what is allowed"
        if not share <= 1:
            failed += 1
            print(f"FAIL {chip} {element} head {head} value-head {value_head} "
                  f"{tiles}: {problem}")
    print(f"{len(found)} choices of sizes, {failed} failures")
    return 1 if failed or not found else 0


if __name__ == "__main__":
    sys.exit(main())
