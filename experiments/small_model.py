# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model whose training is timed and weighed, its attention through our kernels
or through stock PyTorch."""

import paths  # noqa: F401
import torch
from stock_attention import StockAttention
from torch import nn

import fpa

# Plain causal softmax, gates of the forgetting transformer, and a walk with the
# exact penalty and with the smooth one, which training starts with.
VARIANTS = {"none": ("none", None), "fox": ("fox", None),
            "walk": ("walk", None), "walk smooth": ("walk", 4.0)}
CODES = {"fpa": fpa.nn.FirstPassageAttention, "stock": StockAttention}


class Block(nn.Module):
    def __init__(self, attention, width):
        super().__init__()
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = attention
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(),
                                 nn.Linear(4 * width, width))

    def forward(self, x):
        x = x + self.attention(self.before(x))
        return x + self.mlp(self.between(x))


def model(code, variant, settings):
    """Bytes [B, L] to logits [B, L, 256]."""
    layer = CODES[code]
    field, smooth = VARIANTS[variant]
    width = settings["width"]
    torch.manual_seed(settings["seeds"][0])
    return nn.Sequential(
        nn.Embedding(256, width),
        *[Block(layer(width, settings["heads"], field=field, smooth=smooth),
                width) for _ in range(settings["layers"])],
        nn.LayerNorm(width), nn.Linear(width, 256))


class Step:
    """A step of training on `tokens` bytes, in sequences of `length`."""

    def __init__(self, code, variant, settings):
        self._model = model(code, variant, settings)
        self._adam = torch.optim.Adam(self._model.parameters(), lr=1e-3)
        self._tokens = settings["tokens"]

    def __call__(self, length, tokens=None):
        """Returns the loss."""
        count = max(1, (tokens or self._tokens) // length)
        data = torch.randint(256, (count, length + 1))
        loss = nn.functional.cross_entropy(
            self._model(data[:, :-1]).flatten(0, 1), data[:, 1:].flatten())
        self._adam.zero_grad()
        loss.backward()
        self._adam.step()
        return loss.item()
