# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a kernel's loops execute more with a field than without, by the counts
of the emulator; addresses and branches, which the assembler changes, are left
out of the sums and printed below."""

import re
import subprocess
import sys
import tempfile

L, D = 1024, 64
UNCOUNTED = ("integer", "branch", "other")


def loops(folder, field):
    """The instructions of a warp in one round of each loop over full tiles,
    fewest first."""
    block, line = f"tensor<1x1x{L}x{D}xf16>", f"tensor<1x1x{L}xf32>"
    clause = f"field(%f : {line}) " if field else ""
    path = f"{folder}/attention.mlir"
    with open(path, "w") as file:
        file.write(f"""
func.func @main(%q: {block}, %k: {block}, %v: {block}, %f: {line}) -> {block} {{
  %i = tensor.empty() : {block}
  %r = fpa.attention ins(%q, %k, %v : {block}, {block}, {block}) {clause}
    outs(%i : {block}) -> {block}
  return %r : {block}
}}
""")
    inputs = [f"--input=1x1x{L}x{D}xf16"] * 3 + [f"--input=1x1x{L}xf32"]
    text = subprocess.run(
        ["fpa-run", path, "--entry=main", *inputs, "--target=emulator",
         "--stats", "--seed=1"], check=True, capture_output=True,
        text=True).stdout
    found = []
    for counts in re.findall(r"loop at .*\n +(mma .*)", text):
        counts = {name: float(n) for name, n in
                  (item.rsplit(" ", 1) for item in counts.split(", "))}
        left_out = [counts.get(name, 0) for name in UNCOUNTED]
        found.append((counts["mma"], sum(counts.values()) - sum(left_out),
                      left_out))
    # Tiles at an edge are smaller.
    most = max(products for products, _, _ in found)
    return sorted((n, left_out) for products, n, left_out in found
                  if products == most)


with tempfile.TemporaryDirectory() as folder:
    (plain,), (common, apart) = loops(folder, False), loops(folder, True)
print(f"common {common[0] / plain[0] - 1:.3f} "
      f"apart {apart[0] / plain[0] - 1:.3f}")
print("left out of a round, plain, common and apart:", "; ".join(
    f"{name} " + ", ".join(f"{n:g}" for n in numbers) for name, *numbers in
    zip(UNCOUNTED, plain[1], common[1], apart[1])))
sys.exit(common[0] > 1.06 * plain[0])
