# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A model read token by token, with a cache that drops dead keys."""

import dataclasses

import numpy as np
import torch


@dataclasses.dataclass
class Decoded:
    """- logits [B, L, symbols]
    - live: the share of keys each head holds at the end, a list [H] for each layer
    - nbytes, most_bytes: what the caches of all layers hold at the end, and at most
    """
    logits: torch.Tensor
    live: list
    nbytes: int
    most_bytes: int


def token_by_token(model, tokens, evict_above):
    """Reads tokens [B, L], each in a call of its own; keys with penalties above
    `evict_above` logits are dropped."""
    caches = _caches(model, tokens, evict_above)
    logits, most = [], 0
    with torch.no_grad():
        for part in tokens.split(1, dim=1):
            logits.append(model(part, caches))
            most = max(most, _bytes(caches))
    live = [[round(float(x), 4) for x in
             cache.keys.live.mean(0) / tokens.shape[1]] for cache in caches]
    return Decoded(torch.cat(logits, 1), live, _bytes(caches), most)


def full_bytes(model, tokens):
    """What caches hold that drop nothing."""
    caches = _caches(model, tokens, np.inf)
    with torch.no_grad():
        model(tokens, caches)
    return _bytes(caches)


def _caches(model, tokens, evict_above):
    batch, length = tokens.shape
    return [layer.make_cache(batch, capacity=length, evict_above=evict_above)
            for layer in model.attention_layers]


def _bytes(caches):
    return sum(cache.keys.nbytes for cache in caches)
