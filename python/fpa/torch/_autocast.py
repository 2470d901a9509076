# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Autocast: query, key and value go to its type, field and level stay what they
are. The accumulated field would lose whole logits in a narrow type."""

import torch

from . import _ops
from ._library import library


def _register(op, device):
    key = f"Autocast{torch._C._dispatch_key_for_device(device)}"
    keys = torch._C.DispatchKeySet(getattr(torch._C.DispatchKey, key))

    def kernel(*arguments):
        with torch._C._ExcludeDispatchKeyGuard(keys):
            return op(*cast(device, *arguments))

    library.impl(op, kernel, key)


def is_on(device):
    """Whether autocast is on for tensors on a type of device; not every type has
    it."""
    return torch.amp.is_autocast_available(device) \
        and torch.is_autocast_enabled(device)


def cast(device, q, k, v, *rest):
    """The arguments of the op as autocast wants them, where it is on. As with
    PyTorch's own ops float64 is left alone."""
    if not is_on(device):
        return q, k, v, *rest
    dtype = torch.get_autocast_dtype(device)
    return *[x if x.dtype == torch.float64 else x.to(dtype)
             for x in (q, k, v)], *rest


for _device in ("cpu", "cuda"):
    for _op in (_ops.attention, _ops.attention_dropped):
        _register(_op, _device)
