# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The sections on passkeys and on scoped bindings: values that are asked for long
after they were said."""

import statistics

import charts
import results
from evidence import (NAMES, Claim, Section, best_bias, flat, picture, source,
                      spread, table, verdict)


def _figures(rows):
    """Columns of one kind from its seeds' rows."""
    loss = [key for key in ("text_loss", "answer_loss")
            if key in rows[0]["long"]][0]
    live = [statistics.mean(flat(row["long"]["live"])) for row in rows
            if flat(row["long"]["live"])]
    hidden = [row["long"]["shadowed_accuracy"] for row in rows
              if row["long"].get("shadowed_accuracy") is not None]
    out = [spread([row[at]["accuracy"] for row in rows])
           for at in ("short", "long")]
    out += [f"{statistics.mean(row[at][loss] for row in rows):.3f}"
            for at in ("short", "long")]
    if "shadowed_accuracy" in rows[0]["long"]:
        out.append(spread(hidden) if hidden else "-")
    out.append(spread(live, 2) if live else "-")
    cached = [row["cached"] for row in rows if "cached" in row]
    if not cached:
        return out + ["-", "-", "-"]
    return out + [
        spread([c["accuracy"] for c in cached]),
        spread([c["nbytes"] / c["full_bytes"] for c in cached], 2),
        str(sum(c["other_answers"] for c in cached))]


def _table(record):
    rows = []
    for kind in record["settings"]["kinds"]:
        own = [row for row in record["rows"] if row["kind"] == kind]
        for bias in sorted({row["gate_bias"] for row in own},
                           key=lambda bias: bias or 0):
            name = NAMES[kind] + ("" if bias is None else f", bias {bias}")
            rows.append([name, *_figures([row for row in own
                                          if row["gate_bias"] == bias])])
    times = record["settings"]["times"]
    hidden = ["hidden"] if "shadowed_accuracy" in \
        record["rows"][0]["long"] else []
    return table(["", "right at 1x", f"at {times}x", "loss at 1x",
                  f"at {times}x", *hidden, "keys live", "right, evicting",
                  "memory kept", "other answers"], rows)


def _picture(record, name, title):
    groups = {kind: best_bias(record, kind, lambda row:
                              row["long"]["accuracy"])
              for kind in record["settings"]["kinds"]}
    return {f"evidence-{name}.svg": charts.dots(
        title, [NAMES[kind] + ("" if rows[0]["gate_bias"] is None else
                               f" ({rows[0]['gate_bias']})")
                for kind, rows in groups.items()],
        {words: [[row[at]["accuracy"] for row in rows]
                 for rows in groups.values()]
         for at, words in (("short", "1x length"), ("long", "8x length"))},
        "share of right answers")}


_COLUMNS = """\
Losses are cross-entropies in nats, {loss}. "Keys live" is the mean over heads of the share of keys
with a penalty of at most {evict_above:g} logits for the last token. "Evicting" reads the same
texts token by token with caches that drop the others for good: what is right then, the bytes held
at the end as a share of those without eviction, and how many answers of all seeds come out
otherwise than without. FoX has a row for each bias of its gates that was tried."""

_PASSKEY = """\
Texts of words from topics that change; two keys are given a value each, anywhere in the first
three quarters, and one is asked for at the end; chance is .125. Two layers of {heads} heads,
width {width}, trained on {length} tokens for {steps} steps, asked {answers} questions at {length}
and at {long} tokens. {columns}

The recipe (how pairs are written, how many questions a text asks and where, rate and steps) was
chosen in ten tries on other seeds, by what FPA walk got; the others had none of that, but for
FoX's bias. One token carries a key with its value: with two tokens, one after the other, FPA walk
found about half at 8x, in three tries.

{picture}

{table}

{source}
"""


def passkey():
    record = results.load("passkey")
    settings = record["settings"]
    walk = [row for row in record["rows"] if row["kind"] == "walk"]
    cached = [row["cached"] for row in walk]
    live = [statistics.mean(flat(c["live"])) for c in cached]
    kept = [c["nbytes"] / c["full_bytes"] for c in cached]
    least = min(c["accuracy"] for c in cached)
    others = {kind: best_bias(record, kind,
                              lambda row: row["long"]["accuracy"])
              for kind in settings["kinds"] if kind != "walk"}
    claims = [
        Claim("passkeys are found at 8 times the training length on every seed, "
              "with dead keys dropped from the cache",
              f"right on {spread([c['accuracy'] for c in cached])} by seed",
              verdict(least == 1.0)),
        Claim("the cache shrinks to about a quarter: less than half of the keys "
              "live on average",
              f"{spread(live, 2)} of the keys by seed, "
              f"{spread(kept, 2)} of the bytes",
              verdict(statistics.mean(live) < 0.5)),
        Claim("others lose them", "; ".join(
            f"{NAMES[kind]} {spread([r['long']['accuracy'] for r in rows], 2)}"
            for kind, rows in others.items()),
              verdict(all(min(r["long"]["accuracy"] for r in rows) < 0.99
                          for rows in others.values())))]
    text = _PASSKEY.format(
        **settings["model"], length=settings["length"],
        steps=settings["training"]["steps"], answers=settings["answers"],
        long=settings["length"] * settings["times"],
        columns=_COLUMNS.format(loss="of the text without its answers",
                                evict_above=settings["evict_above"]),
        picture=picture("evidence-passkey.svg", "right answers by variant"),
        table=_table(record), source=source(record))
    return Section("Passkeys", claims, text, _picture(
        record, "passkey", "Passkeys found, FoX with its best bias"))


_BINDINGS = """\
Programs that open and close scopes and bind names in them; asked is the value of a name in force,
whose binding may be older than others whose scopes are closed ("hidden": the share of these that
is right at {times}x). One layer of {heads} heads, width {width}, trained on {length} tokens for
{steps} steps, tested on {programs} programs of {length} and of {long} tokens. {columns}

{picture}

{table}

{source}
"""


def bindings():
    record = results.load("bindings")
    settings = record["settings"]
    best = {kind: best_bias(record, kind, lambda row: row["long"]["accuracy"])
            for kind in settings["kinds"]}

    def means(kind, at):
        return statistics.mean(row[at]["accuracy"] for row in best[kind])

    ours = max(("walk", "mix"), key=lambda kind: means(kind, "long"))
    other = max((kind for kind in best if kind not in ("walk", "mix", "free")),
                key=lambda kind: means(kind, "long"))
    claims = [Claim(
        "bindings of open scopes are found past those of closed ones, better "
        "than by softmax and FoX at both lengths",
        f"{NAMES[ours]} {means(ours, 'short'):.3f} at 1x and "
        f"{means(ours, 'long'):.3f} at 8x; best of the others, {NAMES[other]}, "
        f"{means(other, 'short'):.3f} and {means(other, 'long'):.3f}",
        verdict(all(means(ours, at) > max(
            means(kind, at) for kind in best
            if kind not in ("walk", "mix", "free"))
            for at in ("short", "long"))))]
    text = _BINDINGS.format(
        **settings["model"], length=settings["length"], times=settings["times"],
        steps=settings["training"]["steps"], programs=settings["programs"],
        long=settings["length"] * settings["times"],
        columns=_COLUMNS.format(loss="of the answers",
                                evict_above=settings["evict_above"]),
        picture=picture("evidence-bindings.svg", "right answers by variant"),
        table=_table(record), source=source(record))
    return Section("Scoped bindings", claims, text, _picture(
        record, "bindings", "Bindings found, FoX with its best bias"))
