# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles attention for sm_80 and sm_90 and reads what the assembler reports."""

import os
import re
import subprocess
import sys
import tempfile

MODULE = """func.func @main(%q: {t}, %k: {t}, %v: {t}, %f: {f}) -> {t} {{
  %i = tensor.empty() : {t}
  %o = fpa.attention ins(%q, %k, %v : {t}, {t}, {t}) field(%f : {f})
    outs(%i : {t}) -> {t}
  return %o : {t}
}}"""


def report(folder, chip, element, head):
    """The assembler's line for the kernel with the most registers."""
    source = os.path.join(folder, "attention.mlir")
    with open(source, "w", encoding="utf-8") as file:
        file.write(MODULE.format(t=f"tensor<1x8x4096x{head}x{element}>",
                                 f="tensor<1x8x4096xf32>"))
    text = subprocess.run(
        ["fpa-compile", source, "--target=nvptx", f"--chip={chip}",
         "--emit=cubin", "--ptxas-report", "-o",
         os.path.join(folder, "attention.cubin")],
        check=True, capture_output=True, text=True).stdout
    kernels = re.findall(r"^kernel \S+ (\d+) registers.*$", text, re.M)
    lines = [line for line in text.splitlines() if line.startswith("kernel ")]
    if not kernels:
        sys.exit(f"expected a report of kernels, got {text!r}")
    return max(zip(map(int, kernels), lines))[1]


def main():
    clean = 0
    with tempfile.TemporaryDirectory() as folder:
        for chip in ("sm_80", "sm_90"):
            for element in ("f16", "bf16", "f32"):
                for head in (64, 128):
                    line = report(folder, chip, element, head)
                    print(chip, element, head, line)
                    clean += ("0 bytes spill stores, 0 bytes spill loads, "
                              "0 bytes local") in line
    print(f"{clean} kernels without spills")


if __name__ == "__main__":
    main()
