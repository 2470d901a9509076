# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles attention, or with `backward` its gradients, for sm_80 and sm_90 and
reads what the assembler reports."""

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

BACKWARD = """func.func @main(%q: {t}, %k: {t}, %v: {t}, %f: {f}, %o: {t}, %s: {f}, %g: {t})
    -> ({t}, {t}, {t}, {f}) {{
  %i = tensor.empty() : {t}
  %j = tensor.empty() : {f}
  %d:4 = fpa.attention_backward ins(%q, %k, %v : {t}, {t}, {t}) field(%f : {f})
    saved(%o, %s : {t}, {f}) gradient(%g : {t})
    outs(%i, %i, %i, %j : {t}, {t}, {t}, {f}) -> {t}, {t}, {t}, {f}
  return %d#0, %d#1, %d#2, %d#3 : {t}, {t}, {t}, {f}
}}"""


def report(folder, module, chip, element, head, walks=1):
    """The assembler's lines for the last of the kernels that hold products, or
    for the one with the most registers."""
    source = os.path.join(folder, "attention.mlir")
    with open(source, "w", encoding="utf-8") as file:
        file.write(module.format(t=f"tensor<1x8x4096x{head}x{element}>",
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
    if walks == 1:
        return [max(zip(map(int, kernels), lines))[1]]
    # Of queries, then of keys: the last tile programs of the source.
    programs = [line for line in lines if re.match(r"kernel main_\d+:", line)]
    return sorted(programs, key=lambda line:
                  int(re.match(r"kernel main_(\d+)", line)[1]))[-walks:]


def main():
    clean = 0
    backward = sys.argv[1:] == ["backward"]
    with tempfile.TemporaryDirectory() as folder:
        for chip in ("sm_80", "sm_90"):
            for element in ("f16", "bf16", "f32"):
                for head in (64, 128):
                    lines = report(folder, BACKWARD if backward else MODULE,
                                   chip, element, head, 2 if backward else 1)
                    for walk, line in zip(("queries", "keys"), lines):
                        print(chip, element, head, walk if backward else "",
                              line)
                        clean += ("0 bytes spill stores, 0 bytes spill loads, "
                                  "0 bytes local") in line
    print(f"{clean} kernels without spills")


if __name__ == "__main__":
    main()
