# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Two tasks in which each query has a set of live keys, and the target is the mean
of what they carry.

A task makes tokens [B, L], integers below its `symbols`, and `live` [B, L, L]: may
the query (row) see the key (column)?
"""

import torch

POP, PUSH = 0, 1


def push_pop(count, length, generator):
    """Task A. A key is live if it is a push that no pop has taken back. Pushes come
    with a probability of .55, and where the stack is not deeper than 1, so that
    the first one stays."""
    push = torch.rand(count, length, generator=generator) < 0.55
    tokens = torch.empty(count, length, dtype=torch.int64)
    depth, depths = torch.zeros(count, dtype=torch.int64), []
    for i in range(length):
        tokens[:, i] = torch.where(push[:, i] | (depth <= 1), PUSH, POP)
        depth = depth + 2 * tokens[:, i] - 1
        depths.append(depth)
    return tokens, _not_dipped_under(torch.stack(depths, 1)) & (
        tokens == PUSH)[:, None]


def dips(count, length, generator):
    """Task B. Tokens are heights, the higher the more frequent; a key is live
    until one comes that is lower."""
    chances = 1.6 ** torch.arange(8.0)
    tokens = torch.multinomial(chances, count * length, replacement=True,
                               generator=generator).view(count, length)
    return tokens, _not_dipped_under(tokens)


def _not_dipped_under(height):
    """Whether nothing since the key (column) up to the query (row) is lower than
    the key; heights are [B, L], below 2^40."""
    at = torch.arange(height.shape[1])
    later = at[:, None] > at
    lowest = torch.where(later, height[:, :, None], 2**40).cummin(1).values
    return (lowest >= height[:, None]) & (at[:, None] >= at)


TASKS = {"push_pop": (push_pop, 2), "dips": (dips, 8)}


def batch(task, count, length, payload, generator):
    """Tokens [B, L], payloads [B, L, payload], live keys [B, L, L] and targets
    [B, L, payload]. Every row has a live key."""
    tokens, live = TASKS[task][0](count, length, generator)
    payloads = torch.randn(count, length, payload, generator=generator)
    mean = live / live.sum(-1, keepdim=True)
    return tokens, payloads, live, mean @ payloads


def exact(weights, live):
    """The share of rows in which the keys with more than half of what an even
    distribution over the live ones would give them are the live ones; weights
    and live are [B, L, L]."""
    chosen = weights > 0.5 / live.sum(-1, keepdim=True)
    return (chosen == live).all(-1).float().mean().item()
