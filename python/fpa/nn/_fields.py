# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Heads that give each token its field and level, in units of logits: x
[B, L, d_model] to two of [B, heads, L], the second None where it is the first. In
`past`, a dictionary, they remember what tokens that come later need.
"""

import contextlib
import math

import torch
from torch import nn
from torch.nn import functional

from ..torch._autocast import is_on
from ..torch._tensors import float_tensor


def accumulate(x):
    """Running sum along the last dimension, [..., L] to [..., L], in x's type.

    Summed in float64 and rounded once, forward and backward: over 10^6 tokens
    float32 elements are within a unit in the last place of the true sums. PyTorch's
    own cumsum sums so on CPUs alone.
    """
    float_tensor("x", x)
    if x.dim() == 0:
        raise ValueError("expected x to have an axis, got shape []")
    return _sums(x).to(x.dtype)


def _sums(x):
    return x.double().cumsum(-1)


def _continued(x, past, name):
    """The running sum of x, [B, heads, T], behind what `past` remembers of it;
    without a past from the start. It is carried in float64: token by token it
    would drift."""
    total = _sums(x)
    if past is not None:
        total = total + past.get(name, 0.0)
        past[name] = total[..., -1:]
    return total.to(x.dtype)


def _no_autocast(device):
    """Turns autocast off where it is on; some devices, as meta, have none."""
    return torch.autocast(device, enabled=False) if is_on(device) \
        else contextlib.nullcontext()


def _linear(head, x):
    """A head of type float32, or float64 with a float64 x, whatever autocast and
    the type of its weights say; [B, L, d_model] to [B, heads, L]."""
    wide = torch.promote_types(x.dtype, torch.float32)
    with _no_autocast(x.device.type):
        bias = None if head.bias is None else head.bias.to(wide)
        y = functional.linear(x.to(wide), head.weight.to(wide), bias)
    return y.transpose(-1, -2)


class _Head(nn.Linear):
    """A linear map whose outputs have about `gain` as their standard deviation
    where those of x are 1, at first."""

    def __init__(self, d_model, heads, gain, bias, **factory):
        self.gain, self.first_bias = gain, bias
        super().__init__(d_model, heads, **factory)

    def reset_parameters(self):
        bound = self.gain * math.sqrt(3 / self.in_features)
        nn.init.uniform_(self.weight, -bound, bound)
        nn.init.constant_(self.bias, self.first_bias)


class Walk(nn.Module):
    """field_t = level_t = sum of w.x + b up to t: what goes up can come down,
    and a key is seen again by who stands at its height."""

    def __init__(self, d_model, heads, gain, gate_bias, **factory):
        super().__init__()
        self.step = _Head(d_model, heads, gain, 0.0, **factory)

    def forward(self, x, past=None):
        return _continued(_linear(self.step, x), past, "height"), None


class Free(nn.Module):
    """field and level are linear maps of the token, each its own."""

    def __init__(self, d_model, heads, gain, gate_bias, **factory):
        super().__init__()
        self.field = _Head(d_model, heads, gain, 0.0, **factory)
        self.level = _Head(d_model, heads, gain, 0.0, **factory)

    def forward(self, x, past=None):
        return _linear(self.field, x), _linear(self.level, x)


class Mix(nn.Module):
    """The sum of a walk and of free fields and levels."""

    def __init__(self, d_model, heads, gain, gate_bias, **factory):
        super().__init__()
        self.walk = Walk(d_model, heads, gain, gate_bias, **factory)
        self.free = Free(d_model, heads, gain, gate_bias, **factory)

    def forward(self, x, past=None):
        (height, _), (field, level) = self.walk(x, past), self.free(x)
        return height + field, height + level


class Fox(nn.Module):
    """The gates of the forgetting transformer: field_t = level_t = sum of
    log sigmoid(w.x + b) up to t, so every older key is punished more. The bias
    starts at gate_bias: gates that are nearly open."""

    def __init__(self, d_model, heads, gain, gate_bias, **factory):
        super().__init__()
        self.gate = _Head(d_model, heads, gain, gate_bias, **factory)

    def forward(self, x, past=None):
        return _continued(functional.logsigmoid(_linear(self.gate, x)), past,
                          "gates"), None


class Alibi(nn.Module):
    """field_t = level_t = -slope * t, a learned slope for each head, 2^(-8/heads)
    to 2^-8 at first."""

    def __init__(self, d_model, heads, gain, gate_bias, **factory):
        super().__init__()
        self.slope = nn.Parameter(torch.empty(heads, **factory))
        self.reset_parameters()

    def reset_parameters(self):
        heads = len(self.slope)
        with torch.no_grad():
            self.slope.copy_(torch.tensor(
                [2 ** (-8 * (n + 1) / heads) for n in range(heads)]))

    def forward(self, x, past=None):
        wide = torch.promote_types(x.dtype, torch.float32)
        start = 0 if past is None else past.get("tokens", 0)
        if past is not None:
            past["tokens"] = start + x.shape[1]
        at = torch.arange(start, start + x.shape[1], device=x.device,
                          dtype=wide)
        with _no_autocast(x.device.type):
            field = -self.slope.to(wide)[:, None] * at
        return field.expand(x.shape[0], -1, -1), None


class Plain(nn.Module):
    """No field: plain causal attention."""

    def __init__(self, *_, **__):
        super().__init__()

    def forward(self, x, past=None):
        return None, None


FIELDS = {"walk": Walk, "free": Free, "mix": Mix, "fox": Fox, "alibi": Alibi,
          "none": Plain}
