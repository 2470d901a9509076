#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scoped bindings: the value of a name, of which a binding may be in force that is
older than others, whose scopes are closed.

One layer; programs are those of scope_text.py. For each kind of attention and each
seed: the share of right answers, and of those to names that have been bound again
since, at the length of training and at 8 times it, and the share of keys that live
at the end. Then the same token by token with the cache that drops dead keys, with
the memory it held.
"""

import jobs
import numpy as np
import torch
from torch.nn import functional

import decoding
import live_keys
import scope_text
from passkey import all_jobs
from training import train
from transformer import start


def run(job, settings):
    model, rng = start(job, settings, scope_text.SYMBOLS)
    short, long = settings["length"], settings["length"] * settings["times"]

    def loss():
        batch = scope_text.draw(rng, settings["batch"], short)
        return _loss(model(batch.tokens), batch)

    row = {"loss": train(model, job["kind"], loss, **settings["training"])}
    test = np.random.default_rng([settings["test_seed"], job["seed"]])
    for name, length in (("short", short), ("long", long)):
        batch = scope_text.draw(test, settings["programs"], length)
        with torch.no_grad():
            logits = model(batch.tokens)
        row[name] = _scores(logits, batch)
    above = settings["evict_above"]
    row["long"]["live"] = live_keys.live_shares(model, batch.tokens, above)
    if job["kind"] in settings["cached"]:
        decoded = decoding.token_by_token(model, batch.tokens, above)
        asked = batch.answers != scope_text.NOTHING
        row["cached"] = {
            **_scores(decoded.logits, batch), "live": decoded.live,
            "nbytes": decoded.nbytes, "most_bytes": decoded.most_bytes,
            "full_bytes": decoding.full_bytes(model, batch.tokens),
            "other_answers": int((decoded.logits.argmax(-1)
                                  != logits.argmax(-1))[asked].sum())}
    return row


def _loss(logits, batch):
    """Cross-entropy of the answers, in nats."""
    return functional.cross_entropy(
        logits.flatten(0, 1), batch.answers.flatten(),
        ignore_index=scope_text.NOTHING)


def _scores(logits, batch):
    asked = batch.answers != scope_text.NOTHING
    right = (logits.argmax(-1) == batch.answers)[asked].float()
    shadowed = batch.shadowed[asked]
    return {"answers": len(right), "accuracy": right.mean().item(),
            "shadowed": int(shadowed.sum()),
            "shadowed_accuracy": right[shadowed].mean().item()
            if shadowed.any() else None,
            "answer_loss": _loss(logits, batch).item()}


if __name__ == "__main__":
    jobs.main("bindings", all_jobs, run, __doc__)
