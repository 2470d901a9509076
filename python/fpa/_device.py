# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays in the memory of a GPU, or of the emulated one."""

import ctypes
import functools
import math

import numpy as np

from . import _arrays
from ._library import NotCopied, last_error, lib


class Device(NotCopied):
    """The memory of a target, through the C library. Addresses are numbers."""

    def __init__(self, target):
        self.target = target
        self._handle = lib.fpaDeviceOpen(target.encode())
        if not self._handle:
            raise ValueError(last_error())

    def __del__(self):
        # At the end of the interpreter the library's name may be gone already.
        if getattr(self, "_handle", None) and lib:
            lib.fpaDeviceClose(self._handle)

    def allocate(self, size, stream=0):
        address = ctypes.c_uint64()
        if not lib.fpaDeviceAllocate(self._handle, size, stream,
                                     ctypes.byref(address)):
            raise MemoryError(last_error())
        return address.value

    def release(self, address, stream=0):
        lib.fpaDeviceRelease(self._handle, address, stream)

    def trim(self):
        """Gives released memory back to the driver, which waits for it."""
        self._check(lib.fpaDeviceTrim(self._handle))

    def copy_in(self, to, x, stream=0):
        """The elements of a contiguous NumPy array."""
        self._check(lib.fpaDeviceCopyIn(self._handle, to, x.ctypes.data,
                                        x.nbytes, stream))

    def copy_out(self, x, source, stream=0):
        self._check(lib.fpaDeviceCopyOut(self._handle, x.ctypes.data, source,
                                         x.nbytes, stream))

    def clear(self, address, size, stream=0):
        self._check(lib.fpaDeviceClear(self._handle, address, size, stream))

    def copy(self, to, source, size, stream=0):
        self._check(lib.fpaDeviceCopy(self._handle, to, source, size, stream))

    def synchronize(self, stream=0):
        self._check(lib.fpaDeviceSynchronize(self._handle, stream))

    @staticmethod
    def _check(succeeded):
        if not succeeded:
            raise ValueError(last_error())


@functools.lru_cache(maxsize=None)
def device(target):
    """The device of a target, opened once."""
    return Device(target)


class DeviceArray(NotCopied):
    """Row-major elements in a device's memory: an address with a shape and an
    element type. What made it decides how long the memory lives; an array of
    `fpa.to_device` or of a call releases its own at its end.

    `target` is "cuda", "cuda:1" (the second GPU), ..., or "emulator"; `stream` the
    CUDA stream in whose order the elements come to be there, or None. An array of
    a GPU has __cuda_array_interface__, so that CuPy, Numba and PyTorch
    (torch.as_tensor) take it without a copy. copy.copy and copy.deepcopy copy the
    elements within the device's memory; x.numpy() is what can be pickled.
    """

    def __init__(self, target, address, shape, dtype, owner=None, stream=0):
        self.target, self.address, self.stream = target, address, stream
        self.shape, self.dtype = tuple(shape), np.dtype(dtype)
        self._owner = owner

    @classmethod
    def empty(cls, target, shape, dtype, stream=0):
        """New memory with undefined contents."""
        x = cls(target, 0, shape, dtype, stream=stream)
        memory = device(target)
        x.address = memory.allocate(x.nbytes, stream)
        x._owner = memory
        return x

    def __del__(self):
        if isinstance(getattr(self, "_owner", None), Device) and lib:
            self._owner.release(self.address, self.stream)

    def __copy__(self):
        stream = self.stream or 0
        x = DeviceArray.empty(self.target, self.shape, self.dtype, stream)
        device(self.target).copy(x.address, self.address, self.nbytes, stream)
        return x

    def __deepcopy__(self, memo):
        return self.__copy__()

    @property
    def ndim(self):
        return len(self.shape)

    @property
    def size(self):
        return math.prod(self.shape)

    @property
    def nbytes(self):
        return self.size * self.dtype.itemsize

    def numpy(self):
        """A copy as a NumPy array; waits for what the stream still does."""
        x = np.empty(self.shape, self.dtype)
        try:
            device(self.target).copy_out(x, self.address, self.stream or 0)
        except ValueError as error:
            raise ValueError(f"{_arrays.describe(self)}: {error}") from None
        return x

    def set(self, x):
        """Copies the elements of a NumPy array of the same type and shape."""
        if not _arrays.is_array(x) or x.dtype != self.dtype or \
                x.shape != self.shape:
            raise ValueError(f"expected {_arrays.describe(self)}, "
                             f"got {_arrays.describe(x)}")
        x = np.require(x, requirements=["C", "A"])
        device(self.target).copy_in(self.address, x, self.stream or 0)

    def __repr__(self):
        return (f"<fpa.DeviceArray {_arrays.describe(self)} on {self.target} "
                f"at {self.address:#x}>")

    def __getattr__(self, name):
        # Only arrays of a GPU have it: whoever asks takes what it says for one.
        if name == "__cuda_array_interface__" and \
                self.target.startswith("cuda"):
            typestr = "<V2" if self.dtype.name == "bfloat16" else self.dtype.str
            return {"version": 3, "shape": self.shape, "typestr": typestr,
                    "data": (self.address, False), "strides": None,
                    "stream": self.stream or 1}
        raise AttributeError(f"DeviceArray has no attribute {name!r}")


def to_device(x, target="cuda", stream=0):
    """Copies a NumPy array to a device, "cuda", "cuda:1" or "emulator", in the
    order of a CUDA stream; returns a DeviceArray. Programs and functions of fpa
    for that target take it as it is, and return such arrays for such arguments.

    Raises TypeError for what is no NumPy array, ValueError where there is no such
    device, MemoryError where it has no memory.
    """
    if not _arrays.is_array(x):
        raise TypeError(f"expected x to be a NumPy array, "
                        f"got {_arrays.describe(x)}")
    if not isinstance(target, str) or target == "cpu":
        raise ValueError(f"expected target to be 'cuda' or 'emulator', "
                         f"got {target!r}")
    # require() makes what has no dimension one of them.
    held = np.require(x, requirements=["C", "A"]).reshape(x.shape)
    array = DeviceArray.empty(target, x.shape, x.dtype, stream)
    device(target).copy_in(array.address, held, stream)
    return array


def is_on_device(x):
    """True for a DeviceArray, and for arrays of other libraries on a GPU."""
    return isinstance(x, DeviceArray) or (
        not isinstance(x, np.ndarray)
        and hasattr(x, "__cuda_array_interface__"))


def as_device_array(name, x, target):
    """Another library's array as a DeviceArray on the same memory."""
    if isinstance(x, DeviceArray):
        return x
    if not target.startswith("cuda"):
        raise ValueError(f"expected {name} on target '{target}', got an array "
                         f"on a GPU")
    interface = x.__cuda_array_interface__
    shape, dtype = tuple(interface["shape"]), np.dtype(interface["typestr"])
    strides = interface.get("strides")
    if interface.get("mask") is not None:
        raise TypeError(f"expected {name} without a mask, got one with a mask")
    if strides is not None and not _is_row_major(shape, strides, dtype):
        raise ValueError(f"expected {name} to be row-major on the device, got "
                         f"strides {list(strides)} of shape {list(shape)}")
    if dtype.name == "void16":
        dtype = _arrays.numpy_dtype("bf16")
    address, _ = interface["data"]
    # 1 is its name for the default stream, which is 0 elsewhere; None is for
    # elements that are there.
    stream = interface.get("stream")
    return DeviceArray(target, address, shape, dtype, owner=x,
                       stream=0 if stream == 1 else stream)


def wait_for(x, stream):
    """Waits until an array's elements are there, unless what follows on `stream`
    comes after them anyway."""
    if x.stream is not None and x.stream != stream:
        device(x.target).synchronize(x.stream)


def device_operands(target, **operands):
    """The operands of a call as DeviceArrays, where the first one is on a device,
    and the target, by default theirs. NumPy arrays beside it stay what they
    are."""
    first = next(iter(operands.values()))
    if target is None:
        target = getattr(first, "target", "cuda")
    return target, *[
        as_device_array(name, x, target) if is_on_device(x) else x
        for name, x in operands.items()]


def _is_row_major(shape, strides, dtype):
    step = dtype.itemsize
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size > 1 and stride != step:
            return False
        step *= size
    return True
