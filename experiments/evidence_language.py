# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The section on the small language model."""

import statistics

import charts
import results
from code_picture import code_picture
from evidence import (NAMES, Claim, Section, best_bias, by_start, flat, picture,
                      source, spread, table)

_TEXT = """\
Bytes of the C++ headers of LLVM and MLIR {llvm}, {megabytes:.1f} MB to train on, other files to
test on. {depth} layers of {heads} heads, width {width}, {parameters} parameters, {steps} steps of
{batch} pieces of {length} bytes, {seeds}. Bits per byte of the same test text, read in pieces of
{length} and in pieces of {long}; columns as above. "gain" is the size of a field's weights at the
start, 1 unless another one is tried: steps of the walk, or of the gates, begin that much flatter.
The lines of the picture, and the claim, are those of the better one of each.

{along_picture}

{table}

{source}

What heads have learned, mean over {windows} pieces of the test text of the first seed: the share
of keys alive, and how far these are the bytes of the line, of the scopes that braces or brackets
of all kinds leave open, or a number of latest bytes (intersection over union; 1 is the same set):

{heads_table}

A page of the test text up to its deepest place, in the head that is nearest to the brackets'
scopes ({head}): yellow is alive for the query at the end, underlined stands in a scope that is
still open.

{page_picture}
"""


def _bits(record, kind):
    """The rows with the best bias of gates."""
    return best_bias(record, kind, lambda row: -row["short_bits"])


def _name(row):
    return ", ".join([NAMES[row["kind"]]] + [
        f"{word} {row[key]}" for word, key in (("bias", "gate_bias"),
                                               ("gain", "gain"))
        if row.get(key) is not None])


def _rows(record):
    out = []
    for rows in (rows for kind in record["settings"]["kinds"]
                 for rows in by_start(record, kind)):
        live = [statistics.mean(flat(row["live"])) for row in rows
                if flat(row["live"])]
        cached = [row["cached"] for row in rows if "cached" in row]
        out.append([
            _name(rows[0]),
            *[spread([row[f"{at}_bits"] for row in rows])
              for at in ("short", "long")],
            spread(live, 2) if live else "-",
            *([spread([c["bits"] - c["full_bits"] for c in cached], 4),
               spread([c["nbytes"] / c["full_bytes"] for c in cached], 2)]
              if cached else ["-", "-"])])
    return out


def _claims(best):
    def mean(kind, at):
        return statistics.mean(row[f"{at}_bits"] for row in best[kind])

    ours = min(("walk", "mix"), key=lambda kind: mean(kind, "short"))
    off = {at: mean(ours, at) / mean("fox", at) - 1 for at in ("short", "long")}
    level = [abs(x) <= 0.01 for x in off.values()]
    better = [x <= 0.01 for x in off.values()]
    found = "; ".join(f"{NAMES[kind]} {mean(kind, 'short'):.3f} and "
                      f"{mean(kind, 'long'):.3f}" for kind in best)
    words = ("reproduced" if all(better) else
             "in part" if any(better) else "not reproduced")
    if all(better) and not all(level):
        words = "reproduced, and better"
    return [Claim(
        "perplexity on par with FoX (within 1% of its bits per byte, at 1x and "
        "8x)", f"{found} bits per byte at 1x and 8x", words)]


def section():
    record = results.load("language_model")
    settings = record["settings"]
    best = {kind: _bits(record, kind) for kind in settings["kinds"]}
    first = record["rows"][0]
    pages = [row for row in record["rows"] if "page" in row]
    # Of the head whose live keys are nearest to the open scopes.
    row, head = max(((row, head) for row in pages if row["kind"] != "fox"
                     for head in row["heads"]),
                    key=lambda pair: pair[1]["brackets"])
    name = (f"{_name(row)}, layer {head['layer'] + 1}, head "
            f"{head['head'] + 1}")
    page = row["page"]
    long = settings["length"] * settings["times"]
    images = {
        "evidence-bits-along.svg": charts.lines(
            f"Bits per byte along pieces of {long} bytes",
            {NAMES[kind]: [(settings["length"] * (n + 1), statistics.mean(
                row["bits_along"][n] for row in rows))
                for n in range(settings["times"])]
             for kind, rows in best.items()},
            "up to byte", "bits per byte", x_log=False, y_log=False),
        "evidence-code.svg": code_picture(
            f"Live keys of {name}", page["text"],
            page["alive"][head["layer"]][head["head"]], page["brackets"])}
    heads = [[_name(row), f"{h['layer'] + 1}.{h['head'] + 1}",
              *[f"{h[key]:.2f}" for key in ("live", "line", "braces",
                                            "brackets")],
              f"{h['latest']:.2f} ({h['latest_count']})"]
             for row in pages for h in row["heads"]]
    text = _TEXT.format(
        **settings["model"], llvm=first["llvm"],
        megabytes=first["train_bytes"] / 1e6, parameters=first["parameters"],
        steps=settings["training"]["steps"], batch=settings["batch"],
        seeds=("one seed" if len(settings["seeds"]) == 1
               else f"{len(settings['seeds'])} seeds"),
        length=settings["length"], long=long,
        along_picture=picture("evidence-bits-along.svg",
                              "bits per byte by position"),
        table=table(["", "bits at 1x", f"at {settings['times']}x",
                     "keys live", "more bits when evicting", "memory kept"],
                    _rows(record)),
        source=source(record), windows=settings["cached_windows"],
        heads_table=table(["", "layer, head", "live", "line", "braces",
                           "brackets", "latest (of them)"], heads),
        head=name, page_picture=picture("evidence-code.svg",
                                        "live keys on a page of code"))
    return Section("A small language model on C++", _claims(best), text, images)
