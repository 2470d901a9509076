# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The smooth penalty at the start of training, exact later."""

import torch

from .. import _arrays
from ..torch._tensors import describe
from ._attention import FirstPassageAttention


def set_smooth(model, smooth):
    """Sets beta of the smooth penalty (None: the exact one) of every
    FirstPassageAttention in a model."""
    if not isinstance(model, torch.nn.Module):
        raise TypeError(f"expected model to be a torch.nn.Module, got "
                        f"{describe(model)}")
    smooth = _arrays.real("smooth", smooth, positive=True)
    for module in model.modules():
        if isinstance(module, FirstPassageAttention):
            module.smooth = smooth


class SmoothSchedule:
    """beta of the smooth penalty softplus(beta z) / beta over a training run: it
    rises from `start` to `end` over the first `fraction` of the steps, then the
    penalty is exact. Where all penalties are 0 the exact one gives field and
    level no gradient, and training would stand still.

    - steps: of the whole run; call step() after each.
    - start, end: in 1 / logits.
    - stages: how many values beta takes, in equal ratios. One pair of kernels
      serves all of them.

    Has state_dict and load_state_dict, as PyTorch's schedulers.
    """

    def __init__(self, model, steps, *, start=1.0, end=30.0, fraction=0.6,
                 stages=8):
        self._model, self._done = model, 0
        self._steps = _arrays.integer("steps", steps, 1, 2**63 - 1)
        self._start = _arrays.finite("start", start, positive=True)
        self._end = _arrays.finite("end", end, positive=True)
        self._fraction = _arrays.finite("fraction", fraction)
        if not 0 <= self._fraction <= 1:
            raise ValueError(f"expected fraction to be in [0, 1], got "
                             f"{self._fraction}")
        self._stages = _arrays.integer("stages", stages, 1, 2**31)
        set_smooth(model, self.smooth(0))

    def smooth(self, step):
        """beta of a step, counted from 0; None where the penalty is exact."""
        step = _arrays.integer("step", step, 0, 2**63 - 1)
        smooth_steps = self._fraction * self._steps
        if step >= smooth_steps:
            return None
        stage = int(step / smooth_steps * self._stages)
        ratio = stage / max(1, self._stages - 1)
        return self._start * (self._end / self._start) ** ratio

    def step(self):
        """A step of training is over."""
        self._done += 1
        set_smooth(self._model, self.smooth(self._done))

    def state_dict(self):
        return {"done": self._done}

    def load_state_dict(self, state):
        if not isinstance(state, dict) or "done" not in state:
            raise ValueError(f"expected state to be what state_dict returned, got "
                             f"{describe(state)}")
        self._done = _arrays.integer("done", state["done"], 0, 2**63 - 1)
        set_smooth(self._model, self.smooth(self._done))
