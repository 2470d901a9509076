# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Looks up what excerpts of the documents show and says what is missing.

usage: excerpts.py SOURCE_ROOT TILES.mlir MACHINE.mlir

The modules are examples/attention.mlir as a tile program and for a machine.
"""

import os
import re
import sys


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def section(text, start, end):
    return text[text.index(start):text.index(end)]


def check_levels(readme, tiles, machine):
    """Vector types of the levels, and how many vectors the inner loop carries."""
    shown = set()
    for start, end, module in (("**tile program**", "**machine**", tiles),
                               ("**machine**", "## Python", machine)):
        types = set(re.findall(r"vector<[\w]+>", section(readme, start, end)))
        for name in sorted(types):
            if name not in module:
                print("missing in the module:", name)
        shown |= types
    part = section(readme, "**machine**", "## Python")
    carried = re.search(r"%acc:(\d+) = scf.for", part).group(1)
    if f"{carried} x vector.fma" not in part:
        print("missing:", f"{carried} x vector.fma")
    if not re.search(rf"%\d+:{carried} = scf.for .* = %c0 to %c64 step %c1 ",
                     machine):
        print("missing: a loop that carries", carried)
    print(f"{len(shown)} of README's types, loops of {carried} vectors")


def check_pass(contributing, source):
    """The skeleton of a pass, beside a pass that is one."""
    skeleton = re.search(r"```c\+\+\n(.*?GEN_PASS_DEF_DOSOMETHING.*?)```",
                         contributing, re.S).group(1)
    found = 0
    for line in filter(None, map(str.strip, skeleton.splitlines())):
        if "doSomething" in line:
            continue
        line = line.replace("DoSomething", "PadHeads")
        line = line.replace("DOSOMETHING", "PADHEADS")
        # In order: what is found is cut off.
        place = source.find(line)
        if place < 0:
            print("missing in the pass:", line)
            continue
        source = source[place + len(line):]
        found += 1
    print(found, "lines of a pass")


def check_ignored(pages, ignored):
    """What their commands write into the repository's root."""
    names = set()
    for kind, block in re.findall(r"^```(\S*)\n(.*?)^```$", pages,
                                  re.M | re.S):
        if not kind:
            names |= set(re.findall(r"-o ([\w.]+)\s", block))
    for name in sorted(names):
        if f"/{name}" not in ignored:
            print("missing in .gitignore:", name)
    print(len(names), "outputs")


def main(root, tiles, machine):
    readme = read(root, "README.md")
    check_levels(readme, read(tiles), read(machine))
    check_pass(read(root, "CONTRIBUTING.md"),
               read(root, "lib/Dialect/Transforms/PadHeads.cpp"))
    check_ignored(readme + read(root, "docs/Packages.md")
                  + read(root, "docs/Embedding.md"),
                  read(root, ".gitignore").splitlines())


if __name__ == "__main__":
    main(*sys.argv[1:])
