# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Counts what kernels do to memory, on the emulator, those of attention: shared
memory in the least wavefronts there can be, and in the main kernel at most 5 %
more sectors of global memory loaded than there are different ones in a block."""

import re
import subprocess
import sys
import tempfile

LENGTH = 500
# No power of two of chunks of 16 bytes in a row, too.
CASES = [("f16", head) for head in (16, 48, 64, 80, 96, 112, 128, 256)] + [
    ("bf16", 64), ("f32", 64), ("f32", 128)]
# Short rows are few bytes beside the numbers of each row.
FROM_HEAD = 64

LINE = re.compile(r"  (\S+) +\d+ instructions, (\d+) (wavefronts, least|sectors, "
                  r"different in a block) (\d+)")


def program(element, head):
    block = f"tensor<1x1x{LENGTH}x{head}x{element}>"
    line = f"tensor<1x1x{LENGTH}xf32>"
    return f"""func.func @main(%q: {block}, %k: {block}, %v: {block},
                               %f: {line}) -> {block} {{
  %i = tensor.empty() : {block}
  %o = fpa.attention ins(%q, %k, %v : {block}, {block}, {block})
    field(%f : {line}) outs(%i : {block}) -> {block}
  return %o : {block}
}}"""


def check(folder, element, head):
    path = f"{folder}/attention.mlir"
    with open(path, "w", encoding="utf-8") as file:
        file.write(program(element, head))
    inputs = [f"--input=1x1x{LENGTH}x{head}x{element}"] * 3
    text = subprocess.run(
        ["fpa-run", path, "--entry=main", *inputs, f"--input=1x1x{LENGTH}xf32",
         "--target=emulator", "--stats", "--seed=1"], check=True,
        capture_output=True, text=True).stdout
    # The kernel with products executes the most.
    kernel = max(text.split("\nkernel ")[1:],
                 key=lambda part: int(re.search(r"\n  all +(\d+)", part)[1]))
    kinds = set()
    for what, count, kind, least in LINE.findall(kernel):
        count, least = int(count), int(least)
        isShared = kind.startswith("wave")
        kinds.add((what, isShared))
        if isShared and count != least:
            sys.exit(f"{element} {head}: {what}: {count} wavefronts, expected "
                     f"{least}")
        if (not isShared and what == "loads" and head >= FROM_HEAD and
                count > 1.05 * least):
            sys.exit(f"{element} {head}: {count} sectors loaded, expected at "
                     f"most 5 % more than {least}")
    wanted = {("loads", True), ("cp.async", True), ("loads", False)}
    if not wanted <= kinds:
        sys.exit(f"{element} {head}: expected counts of {wanted}, got {kinds}")


SCAN = """func.func @main(%x: tensor<?x?xf32>, %o: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %r = fpa.prefix_min axis(1) ins(%x : tensor<?x?xf32>)
    outs(%o : tensor<?x?xf32>) -> tensor<?x?xf32>
  return %r : tensor<?x?xf32>
}"""

# Where rows begin, and end: at multiples of 16 bytes or anywhere.
SCANS = [("4x4096xf32", False), ("1x8192xf32", False), ("1x8191xf32", False),
         ("64x1000xf32", False), ("4x4099xf32", True), ("64x1001xf32", True)]


def check_scan(folder, shape, goes_through_shared):
    """Rows that begin and end anywhere move once, in and out, and pass through
    shared memory without conflicts."""
    path = f"{folder}/scan.mlir"
    with open(path, "w", encoding="utf-8") as file:
        file.write(SCAN)
    text = subprocess.run(
        ["fpa-run", path, "--entry=main", f"--input={shape}", f"--input={shape}",
         "--target=emulator", "--stats", "--seed=1"], check=True,
        capture_output=True, text=True).stdout
    counts = [(kind.split(",")[0], int(count), int(least))
              for _, count, kind, least in LINE.findall(text)]
    sectors = [(count, least) for kind, count, least in counts if kind == "sectors"]
    if len(sectors) != 2 or any(count > 1.05 * least for count, least in sectors):
        sys.exit(f"scan of {shape}: {sectors} sectors loaded and stored, of "
                 "different ones")
    wavefronts = [(count, least) for kind, count, least in counts
                  if kind == "wavefronts"]
    if any(count != least for count, least in wavefronts):
        sys.exit(f"scan of {shape}: {wavefronts} wavefronts, of the least")
    if bool(wavefronts) != goes_through_shared:
        sys.exit(f"scan of {shape}: expected shared memory to be used: "
                 f"{goes_through_shared}")


with tempfile.TemporaryDirectory() as folder:
    for case in CASES:
        check(folder, *case)
    for shape, goes_through_shared in SCANS:
        check_scan(folder, shape, goes_through_shared)
print(f"{len(CASES) + len(SCANS)} programs")
