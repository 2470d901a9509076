# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles attention for sm_80 and sm_90 and reads what the assembler reports."""

import os
import re
import subprocess
import sys
import tempfile

CLEAN = "0 bytes spill stores, 0 bytes spill loads, 0 bytes local"

# Beside the type: clauses with their operands, and attributes.
STATIC = [("f16", "", ""), ("bf16", "", ""), ("f32", "", "")]
DYNAMIC = [("f16", "", ""), ("f16", "level", ""), ("f16", "", "window"),
           ("f16", "packed", ""), ("f16", "level packed", "window"),
           ("f32", "level", "window")]


def write_static(element, head):
    """Sizes in the text, one output."""
    t, f = f"tensor<1x8x4096x{head}x{element}>", "tensor<1x8x4096xf32>"
    return f"""func.func @main(%q: {t}, %k: {t}, %v: {t}, %f: {f}) -> {t} {{
  %i = tensor.empty() : {t}
  %o = fpa.attention ins(%q, %k, %v : {t}, {t}, {t}) field(%f : {f})
    outs(%i : {t}) -> {t}
  return %o : {t}
}}"""


def write_dynamic(element, head, clauses, attributes):
    """Lengths of the run, grouped heads and lse."""
    q, k = (f"tensor<1x{heads}x?x{head}x{element}>" for heads in (4, 2))
    f, e, n = "tensor<1x2x?xf32>", "tensor<1x4x?xf32>", "tensor<?xi64>"
    arguments = f"%q: {q}, %k: {k}, %v: {k}, %f: {f}, %o: {q}, %e: {e}"
    given = f"field(%f : {f})"
    if "level" in clauses:
        arguments += f", %l: {f}"
        given += f" level(%l : {f})"
    if "packed" in clauses:
        arguments += f", %cq: {n}, %ck: {n}"
        given += f" cu_seqlens(%cq, %ck : {n}, {n})"
    window = "{window = 100 : i64} " if "window" in attributes else ""
    return f"""func.func @main({arguments}) -> ({q}, {e}) {{
  %r:2 = fpa.attention ins(%q, %k, %v : {q}, {k}, {k}) {given}
    outs(%o, %e : {q}, {e}) {window}-> {q}, {e}
  return %r#0, %r#1 : {q}, {e}
}}"""


def report(folder, chip, text):
    """The assembler's line for each kernel."""
    source = os.path.join(folder, "attention.mlir")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    text = subprocess.run(
        ["fpa-compile", source, "--target=nvptx", f"--chip={chip}",
         "--emit=cubin", "--ptxas-report", "-o",
         os.path.join(folder, "attention.cubin")],
        check=True, capture_output=True, text=True).stdout
    lines = re.findall(r"^kernel \S+ \d+ registers.*$", text, re.M)
    if not lines:
        sys.exit(f"expected a report of kernels, got {text!r}")
    return lines


def main():
    clean = programs = 0
    with tempfile.TemporaryDirectory() as folder:
        for chip in ("sm_80", "sm_90"):
            for head in (64, 128):
                texts = [(case, write_static(case[0], head)) for case in STATIC]
                texts += [(("dynamic", *case),
                           write_dynamic(case[0], head, *case[1:]))
                          for case in DYNAMIC]
                for case, text in texts:
                    lines = report(folder, chip, text)
                    programs += 1
                    clean += all(CLEAN in line for line in lines)
                    for line in lines:
                        if CLEAN not in line:
                            print(chip, head, *case, line)
    print(f"{clean} of {programs} programs without spills")


if __name__ == "__main__":
    main()
