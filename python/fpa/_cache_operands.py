# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a cache takes and returns: NumPy arrays or arrays on a device. PyTorch's
tensors are in torch/_cache_operands.py."""

import numpy as np

from . import _arrays
from ._device import DeviceArray, as_device_array, is_on_device


def kind_of(q, target):
    """How a cache's call deals with its operands, of which q is the first."""
    if _arrays.is_tensor(q):
        from .torch._cache_operands import kind_of_tensor
        return kind_of_tensor(q, target)
    # A cache on the CPU refuses what is on a device, by name.
    return OnDevice(target) if target != "cpu" and is_on_device(q) \
        else InMemory()


class InMemory:
    """NumPy arrays, also those that others show by __dlpack__."""

    # Refuses an operand unless it is of one of some types.
    check = staticmethod(_arrays.float_array)

    def shown(self, name, x):
        """The operand as it is checked."""
        return _arrays.host_array(name, x)

    def taken(self, x, wide=None):
        """What the program takes of one that was checked: a NumPy array or a
        DeviceArray, where `wide` is given of this type."""
        return x if wide is None else _arrays.widened(x, wide)

    def found(self, x):
        """A result where the caller wants it, as array of the same kinds."""
        return x.numpy() if isinstance(x, DeviceArray) else x

    def given(self, x):
        """The same as what the caller gets."""
        return x

    def norms(self, q):
        """The norm of each row, for the host in float64."""
        return np.linalg.norm(self._numbers(q), axis=-1)

    def largest(self, out):
        """The largest magnitude of each row, for the host in float64."""
        return np.abs(self._numbers(out)).max(axis=-1)

    @staticmethod
    def _numbers(x):
        return _arrays.widened(on_host(x), "f64")


class OnDevice(InMemory):
    """Arrays on the cache's device, also other libraries'; results are
    DeviceArrays there."""

    def __init__(self, target):
        self._target = target

    def check(self, name, x, types):
        return _arrays.float_array(name, x, types, on_device=True)

    def shown(self, name, x):
        if not is_on_device(x):
            return _arrays.host_array(name, x)
        x = as_device_array(name, x, self._target)
        if x.target != self._target:
            raise ValueError(f"expected {name} on the cache's target "
                             f"{self._target}, got an array on {x.target}")
        return x

    def taken(self, x, wide=None):
        if wide is None or _arrays.is_element(x.dtype, wide):
            return x
        if is_on_device(x):
            # Nothing is computed there outside of programs.
            raise TypeError(f"expected field and level of "
                            f"{_arrays.numpy_name(wide)} on a device, got "
                            f"{_arrays.describe(x)}")
        return _arrays.widened(x, wide)

    def found(self, x):
        return x


def on_host(x):
    """An array's elements in the CPU's memory, of a DeviceArray a copy."""
    return x.numpy() if isinstance(x, DeviceArray) else x
