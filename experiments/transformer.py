# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A small transformer over tokens, whose only sense of order is its attention's."""

import numpy as np
import paths  # noqa: F401
import torch
from torch import nn

import layers


class Block(nn.Module):
    def __init__(self, kind, width, heads, **options):
        super().__init__()
        self.before = nn.LayerNorm(width)
        self.attention = layers.attention(kind, width, heads, **options)
        self.between = nn.LayerNorm(width)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(),
                                 nn.Linear(4 * width, width))

    def forward(self, x, **options):
        x = x + self.attention(self.before(x), **options)
        return x + self.mlp(self.between(x))


class Transformer(nn.Module):
    """tokens [B, L] to logits [B, L, symbols]; `caches`, one of each layer, hold
    what came before. `options` are those of the attention layers."""

    def __init__(self, kind, symbols, *, width, heads, depth, **options):
        super().__init__()
        self.embed = nn.Embedding(symbols, width)
        # Small: what a step of Adam moves is then much of it, and a layer norm
        # comes next.
        nn.init.normal_(self.embed.weight, std=0.05)
        self.blocks = nn.ModuleList(
            Block(kind, width, heads, **options) for _ in range(depth))
        self.last = nn.LayerNorm(width)
        self.head = nn.Linear(width, symbols)

    def forward(self, tokens, caches=None):
        x = self.embed(tokens)
        for n, block in enumerate(self.blocks):
            x = block(x) if caches is None else block(x, cache=caches[n])
        return self.head(self.last(x))

    @property
    def attention_layers(self):
        return [block.attention for block in self.blocks]


def start(job, settings, symbols):
    """The model of a job, and the numbers that its training draws: both follow
    from the job's seed."""
    torch.manual_seed(job["seed"])
    options = {name: job[name] for name in ("gate_bias", "gain")
               if job.get(name) is not None}
    model = Transformer(job["kind"], symbols, **settings["model"], **options)
    return model, np.random.default_rng(job["seed"])
