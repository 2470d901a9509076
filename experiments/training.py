# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The recipe that every experiment trains with."""

import math

import paths  # noqa: F401
import torch

import fpa

# Fields whose penalty can be 0, where it has no gradient: they begin smooth.
_FLAT = ("walk", "free", "mix")


def train(model, kind, loss, *, steps, rate, warm_up=50, floor=0.05, clip=1.0,
          stages=8):
    """Minimises loss(), a scalar tensor of a batch of its own, for `steps` steps of
    Adam: `warm_up` steps up to `rate`, then along a cosine down to `floor` of it.
    Returns the mean loss of the last tenth."""
    adam = torch.optim.Adam(model.parameters(), lr=rate)
    smooth = None
    if kind in _FLAT:
        smooth = fpa.nn.SmoothSchedule(model, steps, stages=stages)
    losses = []
    for step in range(steps):
        for group in adam.param_groups:
            group["lr"] = rate * _share(step, steps, warm_up, floor)
        value = loss()
        adam.zero_grad()
        value.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
        adam.step()
        losses.append(value.item())
        if smooth is not None:
            smooth.step()
    last = losses[-max(1, steps // 10):]
    return sum(last) / len(last)


def _share(step, steps, warm_up, floor):
    cosine = (1 + math.cos(math.pi * step / steps)) / 2
    return min(1, (step + 1) / warm_up) * (floor + (1 - floor) * cosine)
