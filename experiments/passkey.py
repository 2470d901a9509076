#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passkey: a model that is trained on short texts is asked for a value in long ones.

Two layers; texts are those of topic_text.py. For each kind of attention and each
seed: the share of right answers and the cross-entropy of the text, at the length of
training and at 8 times it, and the share of keys that live at the end. Then the same
token by token with the cache that drops dead keys, with the memory it held.
"""

import functools

import jobs
import numpy as np
import torch
from torch.nn import functional

import decoding
import live_keys
import topic_text
from training import train
from transformer import start


def all_jobs(settings):
    """Every kind with every seed; that of forgetting attention with every bias
    of its gates."""
    return [{"kind": kind, "gate_bias": bias, "seed": seed}
            for kind in settings["kinds"]
            for bias in (settings["gate_biases"] if kind == "fox" else [None])
            for seed in settings["seeds"]]


def run(job, settings):
    model, rng = start(job, settings, topic_text.SYMBOLS)
    short, long = settings["length"], settings["length"] * settings["times"]

    def loss():
        batch = topic_text.draw(rng, settings["batch"], short,
                                settings["questions"])
        text, answers = _losses(model(batch.tokens), batch)
        return text + answers

    row = {"loss": train(model, job["kind"], loss, **settings["training"])}
    test = np.random.default_rng([settings["test_seed"], job["seed"]])
    for name, length in (("short", short), ("long", long)):
        batch = topic_text.draw(test, settings["answers"], length, 1)
        with torch.no_grad():
            logits = torch.cat([model(part) for part in
                                batch.tokens.split(settings["batch"])])
        row[name] = _scores(logits, batch)
    above = settings["evict_above"]
    row["long"]["live"] = live_keys.live_shares(model, batch.tokens, above)
    if job["kind"] in settings["cached"]:
        decoded = decoding.token_by_token(model, batch.tokens, above)
        row["cached"] = {
            **_scores(decoded.logits, batch), "live": decoded.live,
            "nbytes": decoded.nbytes, "most_bytes": decoded.most_bytes,
            "full_bytes": decoding.full_bytes(model, batch.tokens),
            "other_answers": int((_answers(decoded.logits, batch)
                                  != _answers(logits, batch)).sum())}
    return row


def _losses(logits, batch):
    """Cross-entropy, in nats, of the text and of the answers."""
    entropy = functools.partial(functional.cross_entropy,
                                logits.flatten(0, 1),
                                ignore_index=topic_text.NOTHING)
    return entropy(batch.text.flatten()), entropy(batch.answers.flatten())


def _answers(logits, batch):
    return logits.argmax(-1)[batch.answers != topic_text.NOTHING]


def _scores(logits, batch):
    wanted = batch.answers[batch.answers != topic_text.NOTHING]
    right = _answers(logits, batch) == wanted
    return {"answers": len(wanted), "accuracy": right.float().mean().item(),
            "text_loss": _losses(logits, batch)[0].item()}


if __name__ == "__main__":
    jobs.main("passkey", all_jobs, run, __doc__)
