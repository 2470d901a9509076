# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of the backward's two walks: bank conflicts, and what the loop over full tiles
executes more with gradients of the field than where it is a constant, by the
counts of the emulator; addresses, which the assembler changes, are left out of
the sums and printed behind them. Exits 1 where that is more than 10 % in tiles
below which all minima lie."""

import re
import subprocess
import sys
import tempfile

import numpy as np

# Blocks of rows and of keys that both walks have in common.
BLOCK = 64
UNCOUNTED = ("integer", "other")


def stats(folder, length, head, gradients):
    """Of a field that falls: all minima are below a tile unless it is beside the
    diagonal, where nothing lies between."""
    block = f"tensor<1x1x{length}x{head}xf16>"
    line = f"tensor<1x1x{length}xf32>"
    count = 4 if gradients else 3
    types = ", ".join([block] * 3 + [line] * gradients)
    outs = ", ".join(["%i"] * 3 + ["%j"] * gradients)
    path = f"{folder}/backward.mlir"
    with open(path, "w") as file:
        file.write(f"""
func.func @main(%q: {block}, %k: {block}, %v: {block}, %f: {line}, %o: {block},
                %s: {line}, %g: {block}) -> ({types}) {{
  %i = tensor.empty() : {block}
  %j = tensor.empty() : {line}
  %d:{count} = fpa.attention_backward ins(%q, %k, %v : {block}, {block}, {block})
    field(%f : {line}) saved(%o, %s : {block}, {line}) gradient(%g : {block})
    outs({outs} : {types}) -> {types}
  return {", ".join(f"%d#{n}" for n in range(count))} : {types}
}}
""")
    field = f"{folder}/field.npy"
    np.save(field, -0.01 * np.arange(length, dtype=np.float32)[None, None])
    wide = f"--input=1x1x{length}x{head}xf16"
    return subprocess.run(
        ["fpa-run", path, "--entry=main", wide, wide, wide,
         f"--input=@{field}", wide, f"--input=1x1x{length}xf32", wide,
         "--target=emulator", "--stats", "--seed=1"],
        check=True, capture_output=True, text=True).stdout


def walks(text):
    """Wavefronts of shared memory beyond the least, and the instructions of a
    warp in one round of the loop over full tiles and those left out, of each
    walk."""
    found = []
    for kernel in re.split(r"^kernel ", text, flags=re.M):
        loops = []
        for counts in re.findall(r"loop at .*\n +(.*)", kernel):
            counts = {name: float(n) for name, n in
                      (item.rsplit(" ", 1) for item in counts.split(", "))}
            if "mma" in counts and "exp2" in counts:
                left_out = [counts.get(name, 0) for name in UNCOUNTED]
                loops.append([sum(counts.values()) - sum(left_out), *left_out])
        if loops:
            passes = re.findall(r"(\d+) wavefronts, least (\d+)", kernel)
            found.append((sum(int(n) - int(least) for n, least in passes),
                          min(loops)))
    return found


def by_kind(folder, head, gradients):
    """Of each walk: conflicts, and instructions in a tile below which all minima
    lie and in others. n blocks have n (n - 1) / 2 full tiles, and n - 1 beside the
    diagonal."""
    lengths = (256, 512)
    shares = [2 * BLOCK / length for length in lengths]
    for (few, first), (more, second) in zip(
            *(walks(stats(folder, length, head, gradients))
              for length in lengths)):
        first, second = np.array(first), np.array(second)
        slope = (first - second) / (shares[0] - shares[1])
        below = second - slope * shares[1]
        yield few + more, below, below + slope


most = 0
with tempfile.TemporaryDirectory() as folder:
    for head in (64, 128):
        for name, (conflicts, *counts), (_, *plain) in zip(
                ("queries", "keys"), by_kind(folder, head, True),
                by_kind(folder, head, False)):
            print(f"head {head} {name}: {conflicts} conflicts", *(
                f"{kind} {n[0]:.0f} instructions, {of[0]:.0f} for a constant "
                f"field: {n[0] / of[0] - 1:+.3f}" for kind, n, of in
                zip(("below", "apart"), counts, plain)), sep=", ", end="; ")
            print("left out below:", ", ".join(
                f"{kind} {n:.0f} and {of:.0f}" for kind, n, of in
                zip(UNCOUNTED, counts[0][1:], plain[0][1:])))
            most = max(most, counts[0][0] / plain[0][0] - 1)
sys.exit(bool(most > 0.1))
