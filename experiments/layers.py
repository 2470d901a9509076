# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The attention layers that are compared, and what is inside of them."""

import paths  # noqa: F401
import torch
from torch import nn
from torch.nn import functional

import fpa

# Of the layers, as the settings name them: what fpa.nn offers, and two ways of
# telling positions that go with plain attention.
KINDS = (*fpa.nn.FIELDS, "absolute", "rope")


def attention(kind, d_model, n_heads, **options):
    """A layer x [B, L, d_model] to [B, L, d_model]; options are those of
    fpa.nn.FirstPassageAttention. With "absolute" the layer is the one without a
    field: add `positions` to x."""
    if kind == "rope":
        return Rotary(d_model, n_heads, **options)
    field = "none" if kind == "absolute" else kind
    return fpa.nn.FirstPassageAttention(d_model, n_heads, field=field,
                                        **options)


def positions(length, width):
    """Sines and cosines of wavelengths from 2 pi to 10000 * 2 pi, [L, width]."""
    angles = _angles(length, width)
    return torch.stack([angles.sin(), angles.cos()], -1).flatten(-2)


def rotate(x):
    """Rotary position embedding: turns each pair of neighbours of x [B, H, L, D]
    by an angle that grows with the position."""
    angles = _angles(x.shape[2], x.shape[3])
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.stack([even * angles.cos() - odd * angles.sin(),
                        even * angles.sin() + odd * angles.cos()],
                       -1).flatten(-2)


def _angles(length, width):
    rates = 10000.0 ** (-torch.arange(0, width, 2) / width)
    return torch.arange(length)[:, None] * rates


class Rotary(nn.Module):
    """Plain causal attention over queries and keys that are rotated before."""

    def __init__(self, d_model, n_heads, *, head_dim=None, v_head_dim=None,
                 bias=False, **_):
        super().__init__()
        head_dim = head_dim or d_model // n_heads
        v_head_dim = v_head_dim or head_dim
        self.n_heads = n_heads
        self.q_proj = nn.Linear(d_model, n_heads * head_dim, bias=bias)
        self.k_proj = nn.Linear(d_model, n_heads * head_dim, bias=bias)
        self.v_proj = nn.Linear(d_model, n_heads * v_head_dim, bias=bias)
        self.o_proj = nn.Linear(n_heads * v_head_dim, d_model, bias=bias)

    def operands(self, x):
        q, k, v = (f(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
                   for f in (self.q_proj, self.k_proj, self.v_proj))
        return rotate(q), rotate(k), v

    def forward(self, x):
        o = fpa.attention(*self.operands(x), None)
        return self.o_proj(o.transpose(1, 2).flatten(2))


def operands(layer, x):
    """What a layer's attention is computed from: q, k [B, H, L, D], v, field and
    level [B, H, L], the last two None where there are none."""
    if isinstance(layer, Rotary):
        return *layer.operands(x), None, None
    q, k, v = (f(x).unflatten(-1, (heads, -1)).transpose(1, 2) for f, heads in (
        (layer.q_proj, layer.n_heads), (layer.k_proj, layer.kv_heads),
        (layer.v_proj, layer.kv_heads)))
    field, level = layer.field_head(x)
    return q, k, v, field, field if level is None else level


def penalty(field, level, smooth=None):
    """What each query (row) takes off each key's (column) logit, in logits:
    [B, H, L] twice to [B, H, L, L], infinite for keys after the query. `smooth`
    is beta of the smooth form."""
    at = torch.arange(field.shape[-1])
    later = at[:, None] > at
    least = torch.where(later, field[..., :, None], torch.inf).cummin(-2).values
    below = level[..., None, :] - least
    if smooth is None:
        taken = below.clamp(min=0)
    else:
        taken = functional.softplus(smooth * below) / smooth
    return taken.masked_fill(at[:, None] < at, torch.inf)


def difference(field):
    """The same for a field that never rises and its level, whose minimum is at
    the query."""
    at = torch.arange(field.shape[-1])
    taken = field[..., None, :] - field[..., :, None]
    return taken.masked_fill(at[:, None] < at, torch.inf)


def weights(layer, x):
    """The attention weights of a layer with as many heads of keys as of queries,
    [B, H, L, L]. Our kernels never hold them: they are computed anew, in plain
    PyTorch."""
    q, k, _, field, level = operands(layer, x)
    logits = q @ k.mT * q.shape[-1] ** -0.5
    if field is None:
        field = level = torch.zeros(k.shape[:3])
    return (logits - penalty(field, level)).softmax(-1)
