# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles the gradients of attention for sm_80 and sm_90 and reads what the
assembler reports of the two walks."""

import re
import tempfile

import spills

MODULE = """func.func @main(%q: {t}, %k: {t}, %v: {t}, %f: {f}, %o: {t}, %s: {f}, %g: {t})
    -> ({t}, {t}, {t}, {f}) {{
  %i = tensor.empty() : {t}
  %j = tensor.empty() : {f}
  %d:4 = fpa.attention_backward ins(%q, %k, %v : {t}, {t}, {t}) field(%f : {f})
    saved(%o, %s : {t}, {f}) gradient(%g : {t})
    outs(%i, %i, %i, %j : {t}, {t}, {t}, {f}) -> {t}, {t}, {t}, {f}
  return %d#0, %d#1, %d#2, %d#3 : {t}, {t}, {t}, {f}
}}"""


def number(line):
    """Where a tile program stands in the source; -1 for other kernels."""
    found = re.match(r"kernel main_(\d+):", line)
    return int(found[1]) if found else -1


def main():
    with tempfile.TemporaryDirectory() as folder:
        for chip in ("sm_80", "sm_90"):
            for element in ("f16", "bf16", "f32"):
                for head in (64, 128):
                    text = MODULE.format(t=f"tensor<1x8x4096x{head}x{element}>",
                                         f="tensor<1x8x4096xf32>")
                    lines = spills.report(folder, chip, text)
                    walks = sorted(lines, key=number)[-2:]
                    for walk, line in zip(("queries", "keys"), walks):
                        print(chip, element, head, walk, line)


if __name__ == "__main__":
    main()
