# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Of the backward's two walks: bank conflicts, and what the loop over full tiles
executes more with gradients of the field than where it is a constant, by the
counts of the emulator; addresses and branches, which the assembler changes, are
left out of the sums and printed behind them."""

import re
import subprocess
import tempfile

L = 320
UNCOUNTED = ("integer", "branch", "other")


def stats(folder, head, gradients):
    block, line = f"tensor<1x1x{L}x{head}xf16>", f"tensor<1x1x{L}xf32>"
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
    wide, narrow = f"--input=1x1x{L}x{head}xf16", f"--input=1x1x{L}xf32"
    return subprocess.run(
        ["fpa-run", path, "--entry=main", wide, wide, wide, narrow, wide,
         narrow, wide, "--target=emulator", "--stats", "--seed=1"],
        check=True, capture_output=True, text=True).stdout


def walks(text):
    """Wavefronts of shared memory beyond the least, and the instructions of a
    warp in one round of the loop over full tiles, of each walk."""
    found = []
    for kernel in re.split(r"^kernel ", text, flags=re.M):
        loops = []
        for counts in re.findall(r"loop at .*\n +(.*)", kernel):
            counts = {name: float(n) for name, n in
                      (item.rsplit(" ", 1) for item in counts.split(", "))}
            if "mma" in counts and "exp2" in counts:
                left_out = [counts.get(name, 0) for name in UNCOUNTED]
                loops.append((sum(counts.values()) - sum(left_out), left_out))
        if loops:
            passes = re.findall(r"(\d+) wavefronts, least (\d+)", kernel)
            found.append((sum(int(n) - int(least) for n, least in passes),
                          min(loops)))
    return found


with tempfile.TemporaryDirectory() as folder:
    for head in (64, 128):
        with_field, without = (walks(stats(folder, head, gradients))
                               for gradients in (True, False))
        for name, (more, (count, left)), (_, (plain, plain_left)) in zip(
                ("queries", "keys"), with_field, without):
            left_out = ", ".join(
                f"{kind} {n:.0f} and {plain_n:.0f}" for kind, n, plain_n in
                zip(UNCOUNTED, left, plain_left))
            print(f"head {head} {name}: {more} conflicts, {count:.0f} "
                  f"instructions, {plain:.0f} for a constant field: "
                  f"{count / plain - 1:+.3f}; left out: {left_out}")
