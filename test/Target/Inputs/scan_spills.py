# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles scans for three chips and reads what the assembler reports."""

import os
import re
import subprocess
import tempfile

SHAPES = (("?x1", 0), ("?x7x2", 0), ("4x?x7", 1), ("?x16", 0), ("?x?", 0),
          ("?x8", 1))
FLAGS = ("", "reverse exclusive", "segment(16)")

MODULE = """func.func @main{n}(%x: {x}, %y: {x}, %i: {i}) -> ({x}, {i}) {{
  %r:2 = fpa.prefix_min axis({axis}) {flags} ins(%x : {x}) outs(%y, %i : {x}, {i}) -> {x}, {i}
  return %r#0, %r#1 : {x}, {i}
}}
"""


def main():
    clean = 0
    text = ""
    for shape, axis in SHAPES:
        for flags in FLAGS:
            text += MODULE.format(n=len(text), x=f"tensor<{shape}xf32>",
                                  i=f"tensor<{shape}xi64>", axis=axis,
                                  flags=flags)
    with tempfile.TemporaryDirectory() as folder:
        source = os.path.join(folder, "scans.mlir")
        with open(source, "w", encoding="utf-8") as file:
            file.write(text)
        for chip in ("sm_80", "sm_86", "sm_90"):
            report = subprocess.run(
                ["fpa-compile", source, "--target=nvptx", f"--chip={chip}",
                 "--emit=cubin", "--ptxas-report", "-o",
                 os.path.join(folder, "scans.cubin")],
                check=True, capture_output=True, text=True).stdout
            for line in re.findall(r"^kernel .*$", report, re.M):
                print(chip, line)
                clean += ("0 bytes spill stores, 0 bytes spill loads, "
                          "0 bytes local") in line
    print(f"{clean} kernels without spills")


if __name__ == "__main__":
    main()
