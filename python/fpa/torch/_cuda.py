# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled programs on tensors in a GPU's memory: where they are, on PyTorch's
current stream, with results in memory of PyTorch's allocator. Nothing waits."""

import torch

from .._program import sizes_of


def holds(x):
    """Whether a tensor is in a GPU's memory."""
    return x.is_cuda


def target_of(x):
    """The target that runs on a tensor's GPU."""
    return f"cuda:{x.device.index or 0}"


def address_of(x):
    return x.data_ptr()


def stream_of(device):
    """The CUstream that PyTorch's ops on a device go to now."""
    return torch.cuda.current_stream(device).cuda_stream


def run(program, tensors, dtypes):
    """Starts a program; returns a tuple of tensors of its results, which are there
    when the stream has come so far. The op has checked the elements of its
    arguments, where anything depends on them."""
    device = tensors[0].device
    held = [row_major(x) for x in tensors]
    results = []

    def allocate(shapes):
        results.extend(torch.empty(shape, dtype=dtype, device=device)
                       for shape, dtype in zip(shapes, dtypes))
        return [address_of(x) for x in results]

    program.start([address_of(x) for x in held], sizes_of(held), allocate,
                  stream_of(device), check=False)
    return tuple(results)


def row_major(x):
    """A tensor as programs take it: itself, or a copy."""
    x = x.contiguous()
    # Kernels read 16 bytes at a time; PyTorch's own memory begins at 256.
    return x.clone() if address_of(x) % 16 else x
