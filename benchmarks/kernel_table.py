#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A table of the kernels of attention on GPUs: tile sizes, what ptxas says of
registers and spills, and the main loop's instructions by class.

Classes are the emulator's counts, of one round of the loop over tiles where all
rows have one minimum; products of f32 are loops of their own and not in them.
With an nvdisasm (--nvdisasm, or in PATH) the machine code's main loop is counted
too, and compared with that of plain causal attention."""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

BIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "build",
                   "bin")
CLASSES = ["mma", "ldmatrix", "shared load", "shared store", "cp.async",
           "shuffle", "barrier", "exp2", "float add", "float mul", "float fma",
           "float min/max", "conversion", "integer", "branch", "other"]
OPTIONS = re.compile(r"query-tile=(\d+) key-tile=(\d+) edge-tile=(\d+) "
                     r"warps=(\d+) stages=(\d+)")
REPORT = re.compile(r"kernel \S+: (\d+) registers, (\d+) bytes spill stores, "
                    r"(\d+) bytes spill loads, (\d+) bytes local")


def call(*command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"kernel_table: error: {done.stderr.strip()}")
    return done.stdout


def tool(name):
    built = os.path.join(BIN, name)
    return shutil.which(name) or built


def program(element, head, length, heads, field):
    block = f"tensor<1x{heads}x{length}x{head}x{element}>"
    line = f"tensor<1x{heads}x{length}xf32>"
    clause = f"field(%f : {line}) " if field else ""
    return f"""func.func @main(%q: {block}, %k: {block}, %v: {block}, %f: {line}) -> {block} {{
  %i = tensor.empty() : {block}
  %o = fpa.attention ins(%q, %k, %v : {block}, {block}, {block}) {clause}
    outs(%i : {block}) -> {block}
  return %o : {block}
}}
"""


def machine_loop(cubin, nvdisasm):
    """Instructions of the last loop with the most products, which is the main
    one; what only fills slots after a product counts like any other."""
    best = None
    instructions, labels = [], {}
    for line in call(nvdisasm, "-c", cubin).splitlines():
        if line.startswith(".text."):
            instructions, labels = [], {}
        label = re.match(r"(\.L_x_\d+):", line)
        if label:
            labels[label[1]] = len(instructions)
        found = re.match(r"\s+/\*[0-9a-f]{4,}\*/\s+(?:@\S+\s+)?(\S+)(.*)", line)
        if not found:
            continue
        instructions.append(found[1])
        target = re.search(r"`\((\.L_x_\d+)\)", found[2])
        if not (found[1].startswith("BRA") and target and
                target[1] in labels):
            continue
        body = instructions[labels[target[1]]:]
        products = sum(name.startswith("HMMA") for name in body)
        if products and (best is None or products >= best[0]):
            best = (products, len(body))
    return best[1] if best else None


class Kernel:
    def __init__(self, chip, element, head, folder, nvdisasm):
        self.chip, self.element, self.head = chip, element, head
        self.folder, self.nvdisasm = folder, nvdisasm
        listed = call(tool("fpa-compile"), "--list-strategies",
                      f"--chip={chip}", f"--type={element}", f"--head={head}")
        self.options = OPTIONS.search(listed)

    def write(self, *sizes):
        path = os.path.join(self.folder, "attention.mlir")
        with open(path, "w", encoding="utf-8") as file:
            file.write(program(self.element, self.head, *sizes))
        return path

    def compile(self, field):
        """What ptxas says of the largest kernel, and the main loop's length."""
        cubin = os.path.join(self.folder, "attention.cubin")
        text = call(tool("fpa-compile"), self.write(4096, 8, field),
                    "--target=nvptx", f"--chip={self.chip}", "--emit=cubin",
                    "--ptxas-report", "-o", cubin)
        report = max([int(n) for n in found]
                     for found in REPORT.findall(text))
        length = (machine_loop(cubin, self.nvdisasm)
                  if self.nvdisasm and self.element != "f32" else None)
        return report, length

    def emulate(self):
        """Shared memory, and the classes of a round of the main loop."""
        query, key = int(self.options[1]), int(self.options[2])
        # So many that the last block of rows has tiles of each kind.
        length = query + 6 * key
        inputs = [f"--input=1x1x{length}x{self.head}x{self.element}"] * 3
        text = call(tool("fpa-run"), self.write(length, 1, True),
                    "--entry=main", *inputs, f"--input=1x1x{length}xf32",
                    "--target=emulator", f"--chip={self.chip}", "--stats",
                    "--seed=1")
        shared = max(int(n) for n in
                     re.findall(r"(\d+) bytes of shared memory", text))
        loops = []
        for counts in re.findall(r"loop at .*\n +(.*exp2.*)", text):
            loops.append({name: float(n) for name, n in
                          (item.rsplit(" ", 1) for item in counts.split(", "))})
        most = max(loop["exp2"] for loop in loops)
        main = min((loop for loop in loops if loop["exp2"] == most),
                   key=lambda loop: loop["float min/max"])
        return shared, main

    def row(self):
        (registers, stores, loads, local), length = self.compile(True)
        _, plain = self.compile(False)
        shared, main = self.emulate()
        query, key, edge, warps, stages = self.options.groups()
        ratio = f"{100 * (length / plain - 1):+.1f}%" if length else "-"
        return [self.chip, str(self.head), self.element,
                f"{query}x{key} ({edge})", warps, stages, str(registers),
                f"{stores}/{loads}/{local}", str(shared),
                *(f"{main.get(name, 0):.0f}" for name in CLASSES),
                str(length or "-"), str(plain or "-"), ratio]


def render(rows, markdown):
    head = ["chip", "D", "type", "tile (edge)", "warps", "stages", "registers",
            "spills st/ld/local", "shared", *CLASSES, "machine", "causal",
            "more"]
    table = [head] + rows
    if markdown:
        table.insert(1, ["---"] * len(head))
        return "\n".join("| " + " | ".join(row) + " |" for row in table)
    widths = [max(len(row[i]) for row in table) for i in range(len(head))]
    return "\n".join("  ".join(cell.rjust(width) for cell, width in
                               zip(row, widths)).rstrip() for row in table)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chips", default="sm_80,sm_90")
    parser.add_argument("--types", default="f16,bf16,f32")
    parser.add_argument("--heads", default="64,128,256")
    parser.add_argument("--nvdisasm", default=shutil.which("nvdisasm"))
    parser.add_argument("--markdown", action="store_true")
    args = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for chip in args.chips.split(","):
            for element in args.types.split(","):
                for head in args.heads.split(","):
                    rows.append(Kernel(chip, element, int(head), folder,
                                       args.nvdisasm).row())
    print(render(rows, args.markdown))


if __name__ == "__main__":
    main()
