# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs on tensors, without copies where they are row-major: in the
CPU's memory, or by _cuda.py in a GPU's."""

import numpy as np
import torch

from .. import _arrays
from .._program import check_target, sizes_of
from . import _cuda

_DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
           "f64": torch.float64, "i1": torch.bool, "i32": torch.int32,
           "i64": torch.int64, "index": torch.int64}
# PyTorch's type, NumPy's where it knows it by itself, and the size in bytes.
_OF_RESULTS = {name: (dtype, None if name == "bf16" else
                      _arrays.numpy_dtype(name), dtype.itemsize)
               for name, dtype in _DTYPES.items()}
_ELEMENTS = {_DTYPES[name]: name for name in ("f16", "bf16", "f32", "f64")}


def describe(x):
    """What an argument is, for an error message."""
    if isinstance(x, torch.Tensor):
        return f"{_name(x.dtype)} of shape " + (
            "that differs" if x.is_nested else str(list(x.shape)))
    shape = getattr(x, "shape", None)
    return type(x).__name__ + ("" if shape is None else
                               f" of shape {list(shape)}")


def float_tensor(name, x, types=("f16", "bf16", "f32", "f64"), why=""):
    """Refuses x unless it is a dense tensor of one of these types, which the
    message may say the reason of; returns its element type."""
    element = element_of(x.dtype) if isinstance(x, torch.Tensor) else None
    if element not in types:
        wanted = ", ".join(_name(_DTYPES[t]) for t in types)
        raise TypeError(f"expected {name} to be a tensor of {wanted}{why}, got "
                        f"{describe(x)}")
    if x.layout is not torch.strided or x.is_nested:
        kind = "a nested one" if x.is_nested else f"one of layout {x.layout}"
        raise TypeError(f"expected {name} to be a dense tensor, got {kind}")
    return element


def element_of(dtype):
    """MLIR's type for PyTorch's, or None where it is not one of the floats."""
    return _ELEMENTS.get(dtype)


def target_for(name, x, target):
    """The name of the target that runs on a tensor: for one on a GPU that GPU,
    else the one given, by default the CPU. Refuses others."""
    if _cuda.holds(x):
        if target not in (None, "cuda", _cuda.target_of(x)):
            check_target(target)
            raise ValueError(f"expected target to be '{_cuda.target_of(x)}' for "
                             f"{name} on {x.device}, got {target!r}")
        return _cuda.target_of(x)
    if x.device.type not in ("cpu", "meta"):
        raise ValueError(f"expected {name} in the CPU's memory or a CUDA "
                         f"device's, got a tensor on {x.device}")
    return check_target(target)


def same_device(q, **others):
    """Refuses tensors that lie elsewhere than q."""
    for name, x in others.items():
        if x is not None and x.device != q.device:
            raise ValueError(f"expected {name} on q's device {q.device}, got "
                             f"{x.device}")


def dtype_of(element):
    """PyTorch's type for MLIR's."""
    return _DTYPES[element]


def run(program, tensors, sizes=None, wanted=None):
    """Calls a program; returns a tuple of tensors that own the results, those whose
    numbers are wanted or all. `sizes` are what sizes_of says of the tensors, where
    that is known."""
    if _cuda.holds(tensors[0]):
        return _cuda.run(program, tensors, [_DTYPES[element] for element, _
                                            in program.results])
    held, addresses = [], []
    for x in tensors:
        if not x.is_contiguous():
            x = x.contiguous()
        address = x.data_ptr()
        # No element is larger.
        if address % 8 and address % x.element_size():
            x = x.clone()
            address = x.data_ptr()
        held.append(x)
        addresses.append(address)
    results = program.run(addresses, sizes or sizes_of(held))
    return tuple([_result(results, n, program.results[n][0]) for n in (
        range(len(results.places)) if wanted is None else wanted)])


def _result(results, number, element):
    address, shape = results.places[number]
    dtype, numpy_dtype, size = _OF_RESULTS[element]
    for n in shape:
        size *= n
    if size == 0:
        return torch.empty(shape, dtype=dtype)
    memory = results.memory(address, size)
    if numpy_dtype is not None:
        # In half the time of a flat tensor and its view.
        return torch.from_numpy(np.ndarray(shape, numpy_dtype, memory))
    return torch.frombuffer(memory, dtype=dtype).view(shape)


def _name(dtype):
    return str(dtype).removeprefix("torch.")
