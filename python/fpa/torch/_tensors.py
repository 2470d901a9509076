# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs on tensors in the CPU's memory, without copies where they are
row-major."""

import torch

from .._program import sizes_of

_DTYPES = {"f16": torch.float16, "bf16": torch.bfloat16, "f32": torch.float32,
           "f64": torch.float64, "i1": torch.bool, "i32": torch.int32,
           "i64": torch.int64, "index": torch.int64}
_ELEMENTS = {_DTYPES[name]: name for name in ("f16", "bf16", "f32", "f64")}


def describe(x):
    """What an argument is, for an error message."""
    if isinstance(x, torch.Tensor):
        return f"{_name(x.dtype)} of shape {list(x.shape)}"
    shape = getattr(x, "shape", None)
    return type(x).__name__ + ("" if shape is None else
                               f" of shape {list(shape)}")


def float_tensor(name, x, types=("f16", "bf16", "f32", "f64")):
    """Refuses x unless it is a dense tensor of one of these types; returns its
    element type."""
    element = _ELEMENTS.get(x.dtype) if isinstance(x, torch.Tensor) else None
    if element not in types:
        wanted = ", ".join(_name(_DTYPES[t]) for t in types)
        raise TypeError(f"expected {name} to be a tensor of {wanted}, got "
                        f"{describe(x)}")
    if x.layout is not torch.strided:
        raise TypeError(f"expected {name} to be a dense tensor, got one of "
                        f"layout {x.layout}")
    return element


def on_cpu(name, x):
    """Refuses a tensor on a device; one without data (meta) is only looked
    at."""
    if x.device.type not in ("cpu", "meta"):
        raise ValueError(
            f"expected {name} in the CPU's memory, got a tensor on {x.device}: on "
            f"a GPU fpa.package launches what fpa-compile --emit=package made")


def same_device(q, **others):
    """Refuses tensors that lie elsewhere than q."""
    for name, x in others.items():
        if x is not None and x.device != q.device:
            raise ValueError(f"expected {name} on q's device {q.device}, got "
                             f"{x.device}")


def dtype_of(element):
    """PyTorch's type for MLIR's."""
    return _DTYPES[element]


def run(program, tensors):
    """Calls a program; returns a tuple of tensors that own the results."""
    held, addresses = [], []
    for x in tensors:
        x = x.contiguous()
        address = x.data_ptr()
        if address % x.element_size():
            x = x.clone()
            address = x.data_ptr()
        held.append(x)
        addresses.append(address)
    results = program.run(addresses, sizes_of(held))
    return tuple([_result(results, place, _DTYPES[element]) for
                  place, (element, _) in zip(results.places, program.results)])


def _result(results, place, dtype):
    address, shape = place
    size = dtype.itemsize
    for n in shape:
        size *= n
    if size == 0:
        return torch.empty(shape, dtype=dtype)
    return torch.frombuffer(results.memory(address, size),
                            dtype=dtype).view(shape)


def _name(dtype):
    return str(dtype).removeprefix("torch.")
