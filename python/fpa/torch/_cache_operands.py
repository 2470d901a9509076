# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch's tensors as what a cache takes and returns."""

import numpy as np
import torch

from .. import _arrays
from .._cache_operands import InMemory
from .._device import DeviceArray, device
from . import _cuda
from ._tensors import dtype_of, element_of, float_tensor


def kind_of_tensor(q, target):
    """How a cache's call deals with tensors, of which q is the first."""
    # Other caches refuse tensors on a GPU, by name.
    if target.startswith("cuda") and _cuda.holds(q):
        return _OnGPU(target)
    return _InMemory()


class _InMemory(InMemory):
    """Tensors in the CPU's memory; results are such."""

    def check(self, name, x, types):
        element = float_tensor(name, x, types)
        if x.requires_grad and torch.is_grad_enabled():
            raise ValueError(f"expected {name} to need no gradient, which a cache "
                             f"has none of, got a tensor that requires one")
        self._check_place(name, x)
        return element

    def _check_place(self, name, x):
        if x.device.type != "cpu":
            raise ValueError(f"expected {name} in the CPU's memory, got a tensor "
                             f"on {x.device}")

    def shown(self, name, x):
        return x

    def taken(self, x, wide=None):
        x = x.detach().resolve_neg()
        if wide is not None:
            x = x.to(dtype_of(wide))
        if x.dtype != torch.bfloat16:
            return x.numpy()
        return x.view(torch.int16).numpy().view(_arrays.numpy_dtype("bf16"))

    def given(self, x):
        if _arrays.float_name(x.dtype) != "bf16":
            return torch.from_numpy(x)
        return torch.from_numpy(x.view(np.int16)).view(torch.bfloat16)


class _Held(DeviceArray):
    """The memory of a tensor on a GPU."""

    def __init__(self, target, x):
        super().__init__(target, _cuda.address_of(x), x.shape,
                         _arrays.numpy_dtype(element_of(x.dtype)), owner=x,
                         stream=_cuda.stream_of(x.device))
        self.tensor = x


class _OnGPU(_InMemory):
    """Tensors on the GPU of a cache, where results are, too. They are of PyTorch's
    current stream."""

    def __init__(self, target):
        self._target = target
        self._device = torch.device("cuda", int(target.partition(":")[2] or 0))

    def _check_place(self, name, x):
        if x.device != self._device:
            raise ValueError(f"expected {name} on the cache's {self._device}, got "
                             f"a tensor on {x.device}")

    def taken(self, x, wide=None):
        x = x.detach()
        if wide is not None:
            x = x.to(dtype_of(wide))
        return _Held(self._target, _cuda.row_major(x.resolve_neg()))

    def found(self, x):
        """In memory of PyTorch's allocator, which knows its streams."""
        dtype = dtype_of(_arrays.float_name(x.dtype))
        held = _Held(self._target, torch.empty(x.shape, dtype=dtype,
                                               device=self._device))
        memory = device(self._target)
        # Work on PyTorch's stream may still use what was in that memory before,
        # and what follows there does not wait for the copy by itself.
        memory.synchronize(held.stream)
        memory.copy(held.address, x.address, x.nbytes)
        memory.synchronize()
        return held

    def given(self, x):
        return x.tensor

    def norms(self, q):
        return torch.linalg.vector_norm(
            q.tensor, dim=-1, dtype=torch.float64).cpu().numpy()

    def largest(self, out):
        return out.tensor.abs().amax(-1).double().cpu().numpy()
