# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The section on what training costs."""

import charts
import results
from evidence import Claim, Section, picture, source, table

_VARIANTS = {"none": "plain causal", "fox": "FoX", "walk": "FPA walk",
             "walk smooth": "FPA walk, smooth"}
_CODES = ("fpa", "stock")

_TEXT = """\
One step (forward, backward, Adam) of a model of {layers} layers, width {width}, {heads} heads of
{head}, on {tokens} bytes at every length, float32. `fpa` is this repository's kernels,
`stock` PyTorch's `scaled_dot_product_attention`: `is_causal` for the plain one, for the others a
float mask that is computed with gradients, as one writes it without kernels of one's own. The
model around attention is PyTorch's in both; at short lengths it is nearly all of a step. Stock
masks are timed up to a length of {longest}.

{time_picture}

Seconds of a step in one thread, of processor time, since other work was done beside it:

{time_table}

{time_source}

Memory of a step beside what the process held before, each in a process of its own that may have
{limit:.0f} GiB in all:

{memory_picture}

{memory_table}

{memory_source}
"""


def section():
    time, memory = (results.load(name) for name in ("training_time",
                                                    "training_memory"))
    seconds = {row["length"]: row for row in time["rows"]}
    lengths = sorted(seconds)
    columns = [(f"{code} {variant}", f"{code}: {words}")
               for code in _CODES for variant, words in _VARIANTS.items()
               if variant in time["settings"]["variants"][code]]
    peak = {(f"{row['code']} {row['variant']}", row["length"]): row
            for row in memory["rows"]}

    weighed = [(key, words) for key, words in columns
               if (key, memory["settings"]["lengths"][0]) in peak]

    def bytes_of(key, length):
        row = peak[key, length]
        return (f"{row['peak_bytes'] / 2**20:.0f} MiB" if "peak_bytes" in row
                else "more than allowed")

    long = lengths[-1]
    over_plain = seconds[long]["fpa walk"] / seconds[long]["fpa none"]
    over_stock = seconds[long]["fpa walk"] / seconds[long]["stock none"]
    over_fox = seconds[long]["fpa walk"] / seconds[long]["fpa fox"]
    over_exact = seconds[long]["fpa walk smooth"] / seconds[long]["fpa walk"]
    masked = max(n for n in lengths if "stock walk" in seconds[n])
    over_mask = seconds[masked]["stock walk"] / seconds[masked]["fpa walk"]
    claims = [
        Claim("what the penalty costs in training (an open question)",
              f"a step at {long} tokens takes {over_plain:.2f} times as long as "
              f"with plain attention by our kernels, {over_stock:.2f} times as "
              f"long as by PyTorch's, {over_fox:.2f} times as long as with "
              f"FoX; the smooth penalty of the first steps takes "
              f"{over_exact:.2f} times as long as the exact one; in stock "
              f"PyTorch, at {masked} tokens, a step takes {over_mask:.1f} "
              f"times as long as by our kernels", "answered for CPUs")]
    images = {
        "evidence-step-time.svg": charts.lines(
            "Seconds of a training step in one thread",
            {words: [(n, seconds[n][key]) for n in lengths
                     if key in seconds[n]] for key, words in columns},
            "length of sequences", "seconds"),
        "evidence-step-memory.svg": charts.lines(
            "Peak memory of a training step",
            {words: [(n, peak[key, n]["peak_bytes"] / 2**20)
                     for n in memory["settings"]["lengths"]
                     if "peak_bytes" in peak[key, n]]
             for key, words in weighed}, "length of sequences", "MiB")}
    settings = time["settings"]
    text = _TEXT.format(
        **{key: settings[key] for key in ("layers", "width", "heads",
                                          "tokens")},
        head=settings["width"] // settings["heads"],
        longest=settings["longest"]["stock"],
        limit=memory["settings"]["limit_bytes"] / 2**30,
        time_picture=picture("evidence-step-time.svg", "seconds by length"),
        time_table=table(["length", *[words for _, words in columns]],
                         [[n, *[f"{seconds[n][key]:.3f}"
                                if key in seconds[n] else "-"
                                for key, _ in columns]] for n in lengths]),
        time_source=source(time),
        memory_picture=picture("evidence-step-memory.svg", "MiB by length"),
        memory_table=table(["length", *[words for _, words in weighed]],
                           [[n, *[bytes_of(key, n) for key, _ in weighed]]
                            for n in memory["settings"]["lengths"]]),
        memory_source=source(memory))
    return Section("What training costs", claims, text, images)
