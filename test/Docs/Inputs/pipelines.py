# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares the passes that docs/Pipeline.md lists with those that run.

usage: pipelines.py Pipeline.md

Each line `PIPELINE:` of the document is followed by the names of its passes, in
order; a name that is another such pipeline stands for its passes.
"""

import re
import subprocess
import sys


def documented(path):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = {}
    for block in re.findall(r"^```\n(.*?)^```", text, re.M | re.S):
        for name, passes in re.findall(r"^(fpa-[\w-]+):\n((?: +.*\n)+)", block,
                                       re.M):
            found[name] = passes.split()
    return found


def expand(name, found):
    for item in found[name]:
        if item in found:
            yield from expand(item, found)
        else:
            yield item


def running(name):
    ended = subprocess.run(
        ["fpa-opt", "-", f"--{name}", "--dump-pass-pipeline"],
        input="module {}", capture_output=True, text=True, check=True)
    text, before = ended.stderr[ended.stderr.index("builtin.module("):], None
    while text != before:  # options, innermost first
        text, before = re.sub(r"\{[^{}]*\}", "", text), text
    # What opens a bracket is the op that the passes in it run on.
    return re.findall(r"[\w.-]+(?=\s*[,)])", text)


def main(path):
    found = documented(path)
    wrong = 0
    for name in found:
        expected, got = running(name), list(expand(name, found))
        if expected != got:
            wrong += 1
            print(f"{name}: expected {' '.join(expected)}\n"
                  f"{' ' * len(name)}  got      {' '.join(got)}")
    print(f"{len(found)} pipelines, {wrong} of them wrong")
    return 1 if wrong or not found else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
