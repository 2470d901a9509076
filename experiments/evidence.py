# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the sections of docs/Evidence.md are made of."""

import dataclasses

NAMES = {"walk": "FPA walk", "free": "FPA free", "mix": "FPA mix",
         "fox": "FoX", "none": "no position", "absolute": "absolute",
         "alibi": "ALiBi", "rope": "RoPE"}


@dataclasses.dataclass
class Claim:
    """A line of the page's first table."""
    claim: str
    found: str
    # Of "reproduced", "in part", "not reproduced" and "unknown".
    verdict: str


@dataclasses.dataclass
class Section:
    """claims; text: Markdown without its heading; images: names of files in
    docs/images to what is in them, text or bytes."""
    title: str
    claims: list
    text: str
    images: dict


def verdict(holds):
    return "reproduced" if holds else "not reproduced"


def table(head, rows):
    """A table in Markdown: words of the head, and lists of words."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(x) for x in line) + " |"
                     for line in lines)


def spread(values, digits=3):
    """Of the values of several seeds: the one they share, or least and most."""
    least, most = (f"{x:.{digits}f}" for x in (min(values), max(values)))
    return least if least == most else f"{least} to {most}"


def source(record):
    """Where figures come from, in a line."""
    seeds = record["settings"].get("seeds", [])
    words = (f"`experiments/results/{record['name']}.json`: {record['date']}, "
             f"commit {record['commit']}, {record['machine']['cpu']} with "
             f"{record['machine']['cores']} cores, PyTorch {record['torch']}")
    if len(seeds) > 1:
        words += ", seeds " + ", ".join(map(str, seeds))
    return words + "."


def picture(name, words):
    return f"![{words}](images/{name})"


def best_bias(record, kind, score):
    """The rows of a kind with the bias of gates, or the gain, whose mean score is
    best."""
    return max(by_start(record, kind), key=lambda rows: sum(map(score, rows)))


def by_start(record, kind):
    """The rows of a kind, a list for each way to start its field."""
    groups = {}
    for row in record["rows"]:
        if row["kind"] == kind:
            groups.setdefault((row["gate_bias"], row.get("gain")), []).append(row)
    return list(groups.values())


def flat(layers):
    """The values of all heads of all layers that have any."""
    return [x for layer in layers if layer is not None for x in layer]
