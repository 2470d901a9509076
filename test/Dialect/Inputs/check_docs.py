# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks what the documentation says against what is tested.

check_docs.py examples EXAMPLES.mlir OPS.td...   every example of an op description
                                                 stands in the parsed file
check_docs.py rules SPEC.md ROOT                 every rule that the verifiers
                                                 enforce is named by a check and
                                                 by a negative test
"""

import glob
import re
import sys


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def squeeze(text):
    return " ".join(text.split())


def check_examples(examples, *definitions):
    parsed = squeeze(read(examples))
    for ops in definitions:
        blocks = re.findall(r"```mlir\n(.*?)```", read(ops), re.S)
        if not blocks:
            yield f"expected examples in {ops}, got none"
        for block in blocks:
            if squeeze(block) not in parsed:
                yield f"expected in {examples}:\n{block}"


def check_rules(spec, root):
    rules = re.findall(r"^- \*\*([ABEKPOGVC]\d+)\*\*", read(spec), re.M)
    if not rules:
        yield f"expected rules in {spec}, got none"
    for place in (f"{root}/lib/Dialect/IR/*.cpp",
                  f"{root}/test/Dialect/*-invalid.mlir"):
        text = "".join(read(path) for path in glob.glob(place))
        named = set(re.findall(r"\[([ABEKPOGVC]\d+)\]", text))
        for rule in sorted(set(rules) - named):
            yield f"expected [{rule}] in {place}"
        for rule in sorted(named - set(rules)):
            yield f"expected the rule {rule} of {place} in {spec}"


def main(kind, *paths):
    checks = {"examples": check_examples, "rules": check_rules}
    complaints = list(checks[kind](*paths))
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
