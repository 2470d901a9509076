# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which keys are still alive, seen from the fields of a model's layers."""

import paths  # noqa: F401
import torch

import fpa


def fields(model, tokens):
    """Field and level of each layer of a Transformer on tokens [B, L]: pairs of
    [B, H, L]; None for a layer that has none."""
    inputs = []
    hooks = [layer.register_forward_pre_hook(
        lambda _, args: inputs.append(args[0]))
        for layer in model.attention_layers]
    with torch.no_grad():
        model(tokens)
        found = [getattr(layer, "field_head", lambda x: (None, None))(x)
                 for layer, x in zip(model.attention_layers, inputs)]
    for hook in hooks:
        hook.remove()
    return [None if field is None else (field, field if level is None else level)
            for field, level in found]


def penalties(field, level, at=None):
    """What the query at position `at` (the last by default) takes off the keys up
    to its own, [B, H, L] twice to [B, H, at + 1]."""
    end = field.shape[-1] if at is None else at + 1
    field, level = field[..., :end].contiguous(), level[..., :end]
    least = fpa.prefix_min(field, reverse=True, exclusive=True)
    return (level - least).clamp(min=0)


def live_shares(model, tokens, above):
    """The share of keys with a penalty of at most `above` logits for the last
    token, of each head: a list [H] for each layer, None where it has no field."""
    return [None if pair is None else
            [round(share, 4) for share in
             (penalties(*pair) <= above).float().mean((0, 2)).tolist()]
            for pair in fields(model, tokens)]
