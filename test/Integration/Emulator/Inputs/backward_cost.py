# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of the backward's two walks: bank conflicts, and what the loop over full tiles
executes more with gradients of the field than where it is a constant, by the
counts of the emulator; addresses, which the assembler changes, are left out of
the sums and printed behind them. Fields that fall, whose minima are below all
tiles, that stay, whose minima are below none, and at random. Exits 1 where that
is more than 10 % in one of the first two."""

import re
import subprocess
import sys
import tempfile

import numpy as np

LENGTH = 512
UNCOUNTED = ("integer", "other")


def stats(folder, field, head, gradients):
    length = field.size
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
    np.save(f"{folder}/field.npy", field[None, None].astype(np.float32))
    wide = f"--input=1x1x{length}x{head}xf16"
    return subprocess.run(
        ["fpa-run", path, "--entry=main", wide, wide, wide,
         f"--input=@{folder}/field.npy", wide, f"--input=1x1x{length}xf32", wide,
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


FIELDS = {"falls": -0.01 * np.arange(LENGTH), "stays": np.zeros(LENGTH),
          "random": np.random.default_rng(0).standard_normal(LENGTH)}
most = 0
with tempfile.TemporaryDirectory() as folder:
    for head in (64, 128):
        for kind, field in FIELDS.items():
            for name, (conflicts, own), (_, plain) in zip(
                    ("queries", "keys"),
                    walks(stats(folder, field, head, True)),
                    walks(stats(folder, field, head, False))):
                more = own[0] / plain[0] - 1
                print(f"head {head} {name} {kind}: {conflicts} conflicts, "
                      f"{own[0]:.0f} instructions, {plain[0]:.0f} for a "
                      f"constant field: {more:+.3f}; left out:", ", ".join(
                          f"{left} {n:.0f} and {of:.0f}" for left, n, of in
                          zip(UNCOUNTED, own[1:], plain[1:])))
                if kind != "random":
                    most = max(most, more)
sys.exit(bool(most > 0.1))
