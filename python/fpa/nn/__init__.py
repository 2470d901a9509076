# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Modules of PyTorch with first passage attention; docs/Training.md shows how to
train with them.

    layer = fpa.nn.FirstPassageAttention(512, 8, kv_heads=2, field="walk")
    y = layer(x)                                   # [B, L, 512]
    schedule = fpa.nn.SmoothSchedule(model, steps=10000)   # schedule.step()
"""

from ._attention import FirstPassageAttention
from ._fields import FIELDS, accumulate
from ._generation import LayerCache
from ._schedule import SmoothSchedule, set_smooth

__all__ = ["FIELDS", "FirstPassageAttention", "LayerCache", "SmoothSchedule",
           "accumulate", "set_smooth"]
