#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small language model on bytes of C++ headers.

For each kind of attention and each seed, of the same size and after the same steps:
bits per byte of the same test text, read in pieces of the length of training and in
pieces of 8 times that; the share of keys that live at the end of the long ones; the
same token by token with the cache that drops dead keys, with the memory it held; and
which bytes the heads keep alive, compared with the scopes around a place.
"""

import math

import jobs
import numpy as np
import torch
from torch.nn import functional

import decoding
import header_text
import live_keys
import program_scopes
from training import train
from transformer import start


def all_jobs(settings):
    """The gain of a field's weights at the start says how steep it begins."""
    return [{"kind": kind, "gate_bias": bias, "gain": gain, "seed": seed}
            for seed in settings["seeds"] for kind in settings["kinds"]
            for bias in (settings["gate_biases"] if kind == "fox" else [None])
            for gain in settings["gains"].get(kind, [None])]


def run(job, settings):
    headers = header_text.Headers(settings["text"])
    model, rng = start(job, settings, header_text.SYMBOLS)
    short, long = settings["length"], settings["length"] * settings["times"]

    def loss():
        piece = headers.draw(rng, settings["batch"], short)
        return _entropy(model(piece[:, :-1]), piece[:, 1:]).mean()

    row = {"llvm": headers.version, "checksum": headers.checksum,
           "train_bytes": len(headers.train),
           "parameters": sum(p.numel() for p in model.parameters()),
           "loss": train(model, job["kind"], loss, **settings["training"])}
    windows = headers.windows(settings["windows"], long)
    row["short_bits"] = _bits(_read(model, windows, short)).mean().item()
    bits = _bits(_read(model, windows, long))
    row["long_bits"] = bits.mean().item()
    # Whether what is farther back helps, or hurts: bits along the long pieces.
    row["bits_along"] = [round(part.mean().item(), 4)
                         for part in bits.split(short, dim=1)]
    few = windows[:settings["cached_windows"]]
    above = settings["evict_above"]
    row["live"] = live_keys.live_shares(model, few[:, :-1], above)
    if job["kind"] in settings["cached"]:
        decoded = decoding.token_by_token(model, few[:, :-1], above)
        row["cached"] = {
            "bits": _bits(_entropy(decoded.logits, few[:, 1:])).mean().item(),
            "full_bits": bits[:len(few)].mean().item(), "live": decoded.live,
            "nbytes": decoded.nbytes, "most_bytes": decoded.most_bytes,
            "full_bytes": decoding.full_bytes(model, few[:, :-1])}
        row["heads"] = _heads(model, few, above)
        if job["seed"] == settings["seeds"][0]:
            row["page"] = _page(model, windows, above, settings["page"])
    return row


def _entropy(logits, following):
    """Of each byte, in nats, [B, L]."""
    return functional.cross_entropy(logits.mT, following, reduction="none")


def _bits(nats):
    return nats / math.log(2)


def _read(model, windows, length):
    """Cross-entropy of each byte of windows [B, L + 1] but the first, [B, L], read in
    pieces of `length`."""
    pieces = windows.unfold(1, length + 1, length).flatten(0, 1)
    with torch.no_grad():
        parts = [_entropy(model(part[:, :-1]), part[:, 1:])
                 for part in pieces.split(max(1, 8192 // length))]
    return torch.cat(parts).view(len(windows), -1)


def _heads(model, windows, above, places=8):
    """For each head the share of keys alive, and how far they are the bytes of the
    line, of the enclosing braces or brackets, or a number of latest ones, the one
    that fits best: intersection over union, mean over `places` in each window."""
    tokens = windows[:, :-1]
    texts = tokens.numpy().astype(np.uint8)
    ends = np.linspace(tokens.shape[1] // 2, tokens.shape[1] - 1,
                       places).astype(int)
    counts = [2**n for n in range(int(math.log2(tokens.shape[1])) + 1)]
    found = []
    for n, pair in enumerate(live_keys.fields(model, tokens)):
        alive = [(live_keys.penalties(*pair, at=int(end)) <= above).numpy()
                 for end in ends]
        for head in range(pair[0].shape[1]):
            overlaps = {name: [] for name in ("line", "braces", "brackets",
                                              *counts)}
            for end, sets in zip(ends, alive):
                for text, keys in zip(texts[:, :end + 1], sets[:, head]):
                    around = {"line": program_scopes.line(text),
                              **{p: program_scopes.enclosing(text, p)
                                 for p in program_scopes.PAIRS},
                              **{c: program_scopes.latest(text, c)
                                 for c in counts}}
                    for name, others in around.items():
                        overlaps[name].append(
                            program_scopes.overlap(keys, others))
            means = {name: round(float(np.mean(x)), 4)
                     for name, x in overlaps.items()}
            best = max(counts, key=means.get)
            found.append({
                "layer": n, "head": head,
                "live": round(float(np.mean([s[:, head].mean()
                                             for s in alive])), 4),
                **{name: means[name] for name in ("line", "braces",
                                                  "brackets")},
                "latest": means[best], "latest_count": best})
    return found


def _page(model, windows, above, size):
    """The `size` bytes up to where the test's windows are deepest in brackets, and
    which of them are alive for the query there, a string of 0 and 1 for each head."""
    texts = windows[:, :-1].numpy().astype(np.uint8)
    depth = np.array([program_scopes.depths(text, "brackets")
                      for text in texts])
    depth[:, :size] = -1
    window, end = np.unravel_index(depth.argmax(), depth.shape)
    text = texts[window, :end + 1]
    tokens = windows[window:window + 1, :end + 1]

    def marks(keys):
        return "".join("01"[int(key)] for key in keys[-size:])

    return {"text": bytes(text[-size:]).decode("latin-1"), "before": int(
                end + 1 - size),
            "brackets": marks(program_scopes.enclosing(text, "brackets")),
            "alive": [[marks(keys) for keys in
                       (live_keys.penalties(*pair) <= above)[0].numpy()]
                      for pair in live_keys.fields(model, tokens)]}


if __name__ == "__main__":
    jobs.main("language_model", all_jobs, run, __doc__)
