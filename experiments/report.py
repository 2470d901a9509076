#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes docs/Evidence.md and its pictures from the result files; with --check it
writes nothing and names what is not current."""

import argparse
import os
import sys
import textwrap

import evidence
import evidence_language
import evidence_retrieval
import evidence_single_layer
import evidence_training_cost
import paths

# The results each section is made of.
SECTIONS = {
    ("single_layer",): evidence_single_layer.section,
    ("passkey",): evidence_retrieval.passkey,
    ("bindings",): evidence_retrieval.bindings,
    ("language_model",): evidence_language.section,
    ("training_time", "training_memory"): evidence_training_cost.section}

_HEAD = """\
# Evidence

What first passage attention (FPA) is claimed to do, tried with this repository's kernels through
its PyTorch modules, and what came out. Everything here is small: models that train in minutes on
two cores. `experiments/README.md` says how to run it again; this page is written by
`experiments/report.py` from the files in `experiments/results`.

"""

_MISSING = """\
## Not run yet

Of these no results are committed, and nothing is claimed:

"""

_UNKNOWN = """\
## What is not known

- Whether any of this holds at scale: no model here has more than a few hundred thousand
  parameters or has seen more than a few million tokens.
- What training costs on a GPU: nothing here was run on one.
- Why FPA stays behind FoX on text: the recipe or the claim. Nothing was tuned for the language
  model but where fields begin, and one seed is no spread. Most heads of FPA keep the last few
  bytes and drop all others, or keep everything; gates fade.
- Whether softmax or FoX need a dimension linear in the number of keys to express such sets: not
  tested here, and not claimed. What is shown is that they do not learn them by these recipes.
"""


def pages():
    """Paths to what belongs there, text or bytes."""
    missing = [name for names in SECTIONS for name in names
               if not os.path.exists(os.path.join(paths.RESULTS,
                                                  name + ".json"))]
    sections = [section() for names, section in SECTIONS.items()
                if not set(names) & set(missing)]
    claims = [[c.claim, c.found, f"**{c.verdict}**"]
              for section in sections for c in section.claims]
    text = _HEAD + evidence.table(["claim", "found", ""], claims) + "\n\n"
    for section in sections:
        text += f"## {section.title}\n\n{_filled(section.text)}\n\n"
    docs = os.path.join(paths.ROOT, "docs")
    if missing:
        text += _MISSING + "".join(f"- `experiments/{name}.py`\n"
                                   for name in missing) + "\n"
    files = {os.path.join(docs, "Evidence.md"): text + _UNKNOWN}
    for section in sections:
        for name, data in section.images.items():
            files[os.path.join(docs, "images", name)] = data
    return {path: data if isinstance(data, bytes) else data.encode()
            for path, data in files.items()}


def _filled(text):
    """The paragraphs that are prose with lines of one width."""
    parts = text.strip().split("\n\n")
    return "\n\n".join(
        part if part[0] in "|!`" else textwrap.fill(
            part, 98, break_long_words=False, break_on_hyphens=False)
        for part in parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    old = []
    for path, data in pages().items():
        try:
            with open(path, "rb") as file:
                current = file.read() == data
        except FileNotFoundError:
            current = False
        if not current:
            old.append(os.path.relpath(path, paths.ROOT))
            if not check:
                with open(path, "wb") as file:
                    file.write(data)
    for path in old:
        print(f"{path} is not current: run experiments/report.py" if check
              else f"wrote {path}")
    return 1 if check and old else 0


if __name__ == "__main__":
    sys.exit(main())
