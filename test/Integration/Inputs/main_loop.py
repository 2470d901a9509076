# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The main loop of attention in PTX against that of plain causal attention:
exactly as many products, and at most 6 % more instructions.

usage: main_loop.py PLAIN.ptx FIELD.ptx"""

import re
import sys

BRANCH = re.compile(r"(@\S+\s+)?bra(?:\.uni)?\s+(\$\w+)")


def read_blocks(body):
    """The basic blocks of a function, and the numbers of their successors."""
    blocks, numbers = [[]], {}
    for label, text in re.findall(r"^(\$\w+):|^\t((?:.|\n)*?);",
                                  re.sub(r"//.*", "", body), re.M):
        if label:
            blocks.append([])
            numbers[label] = len(blocks) - 1
        elif not text.startswith("."):
            blocks[-1].append(text)
            if BRANCH.match(text) or text == "ret":
                blocks.append([])
    successors = []
    for number, block in enumerate(blocks):
        branch = BRANCH.match(block[-1]) if block else None
        goes_on = not (block and block[-1] == "ret") and (not branch or
                                                          branch[1])
        successors.append(([numbers[branch[2]]] if branch else []) +
                          ([number + 1] if goes_on else []))
    return blocks, successors


def find_loops(successors):
    """The blocks of every natural loop."""
    reached, pending = {0}, [0]
    while pending:
        for to in successors[pending.pop()]:
            if to not in reached:
                reached.add(to)
                pending.append(to)
    predecessors = {number: [] for number in reached}
    for number in reached:
        for to in successors[number]:
            predecessors[to].append(number)
    dominators = {number: set(reached) for number in reached}
    dominators[0] = {0}
    changed = True
    while changed:
        changed = False
        for number in sorted(reached - {0}):
            now = set.intersection(
                *(dominators[before] for before in predecessors[number]))
            now = now | {number}
            changed |= now != dominators[number]
            dominators[number] = now
    for number in reached:
        for head in successors[number]:
            if head not in dominators[number]:
                continue
            loop, pending = {head}, [number]
            while pending:
                at = pending.pop()
                if at not in loop:
                    loop.add(at)
                    pending += predecessors[at]
            yield loop


def main_loop(path):
    """Products and instructions of the shortest loop that has the most
    products: the one over tiles that all rows see, with one minimum."""
    found = []
    with open(path, encoding="utf-8") as file:
        for body in re.findall(r"\n\{\n(.*?)\n\}\n", file.read(), re.S):
            blocks, successors = read_blocks(body)
            for loop in find_loops(successors):
                code = [text for number in loop for text in blocks[number]]
                products = sum(text.startswith("mma") for text in code)
                found.append((products, len(code)))
    most = max(products for products, _ in found)
    return most, min(count for products, count in found if products == most)


def main():
    (plain_products, plain), (products, count) = map(main_loop, sys.argv[1:])
    print(f"{products} products, {count} instructions; plain {plain_products}, "
          f"{plain}")
    if plain_products == 0 or products != plain_products:
        sys.exit(f"expected {plain_products} products, got {products}")
    if count <= plain:
        sys.exit("expected the penalty to take instructions: was the loop "
                 "found?")
    if count > 1.06 * plain:
        sys.exit(f"expected at most 6 % more than {plain} instructions, got "
                 f"{count}")


if __name__ == "__main__":
    main()
