"""Runs programs on arrays in a GPU's memory; the driver is the tests' own, whose
GPU has the memory of the host. Its calls, and marks between them, go to stderr.

device_memory.py FOLDER_OF_THE_DRIVER program|cache|refused|torch
"""

import ctypes
import os
import re
import sys
import tempfile

import numpy as np

import fpa

ADD = """
func.func @main(%a: tensor<?x4xf32>, %b: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %c = arith.addf %a, %b : tensor<?x4xf32>
  return %c : tensor<?x4xf32>
}
"""
DRIVER = ctypes.CDLL(os.path.join(sys.argv[1], "libcuda.so.1"))


def say(text):
    print(text, file=sys.stderr, flush=True)


def current_context():
    context = ctypes.c_void_p()
    DRIVER.cuCtxGetCurrent(ctypes.byref(context))
    return context.value


class Foreign:
    """An array of another library."""

    def __init__(self, x, stream=None):
        self.x = x
        self.__cuda_array_interface__ = {
            "version": 3, "shape": x.shape, "typestr": x.dtype.str,
            "data": (x.ctypes.data, False), "stream": stream,
            "strides": None if x.flags.c_contiguous else x.strides}


def aligned(x):
    """A copy at a multiple of 64 bytes, as a GPU's allocator gives it."""
    room = np.empty(x.nbytes + 64, np.uint8)
    start = -room.ctypes.data % 64
    copy = room[start:start + x.nbytes].view(x.dtype).reshape(x.shape)
    copy[...] = x
    return copy


def refuse(call):
    try:
        call()
    except (TypeError, ValueError) as error:
        say(f"{type(error).__name__}: {error}")
    else:
        raise AssertionError("expected an error")


def program():
    DRIVER.cuCtxSetCurrent(ctypes.c_void_p(0x2000))  # another library's
    add = fpa.compile(ADD, target="cuda")
    x = aligned(np.arange(12, dtype="f4").reshape(3, 4))
    a, b = (fpa.to_device(x, stream=7) for _ in range(2))
    say("== launch")
    c = add.launch(a, b, stream=7)
    assert isinstance(c, fpa.DeviceArray) and c.shape == (3, 4), c
    say("== with an array of the host")
    d = add.launch(c, x, stream=7)
    del d
    say("== again, in memory that was released")
    d = add.launch(c, x, stream=7)
    # What another library has made is taken as it is, and takes ours.
    del d
    say("== of another library")
    d = add.launch(Foreign(x), c, stream=7)
    interface = d.__cuda_array_interface__
    assert interface["data"] == (d.address, False), interface
    assert (interface["typestr"], interface["stream"]) == ("<f4", 7), interface
    say("== on other streams")
    del d
    d = add.launch(Foreign(x, stream=9), fpa.to_device(x), stream=7)
    say("== done")
    assert current_context() == 0x2000, current_context()
    say("the context is the thread's own")
    skewed = fpa.DeviceArray("cuda", c.address + 4, (2, 4), "f4")
    refuse(lambda: add(fpa.DeviceArray("cuda", c.address, (2, 4), "f4"), skewed))
    turned = Foreign(aligned(np.zeros((4, 3), "f4")).T)
    c.stream = None  # nobody works on it any more
    refuse(lambda: add(c, turned))
    refuse(lambda: add(Foreign(np.zeros((3, 4))), c))
    refuse(lambda: add(Foreign(np.zeros((4, 3), "f4")), c))
    refuse(lambda: add(c, fpa.to_device(x, "emulator")))
    refuse(lambda: fpa.compile(ADD, target="emulator")(Foreign(x), x))
    refuse(lambda: fpa.to_device(x, "cuda:5"))


def cache():
    made = fpa.KVCache(1, 1, 16, target="cuda", capacity=1000)
    q = np.ones((1, 1, 1, 16), "f4")
    field = np.zeros((1, 1, 1), "f4")
    with np.errstate(all="ignore"):
        # The mock's kernels do nothing, so that no key is counted; the room
        # stays that of the first step.
        made.step(q, q, q, field)
        say("== step")
        made.step(q, q, q, field)
        say("== done")


def refused():
    say("== refused")
    refuse(lambda: fpa.compile(ADD, target="cuda"))


def trace(call):
    """What the driver is asked by a call, and what the call returns."""
    sys.stderr.flush()
    before = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            result = call()
        finally:
            os.dup2(before, 2)
            os.close(before)
        file.seek(0)
        return file.read().decode().splitlines(), result


def torch_():
    try:
        import torch
    except ImportError:
        say("PyTorch is not installed")
        return
    # PyTorch for CPUs has no tensors on a GPU. Those in the host's memory stand
    # for them, which is the mock's, as far as they are asked about that.
    from fpa.torch import _cuda
    _cuda.holds = lambda x: True
    _cuda.stream_of = lambda device: 11
    starts = []
    start = fpa.Program.start

    def spy(self, addresses, *rest, **words):
        starts.append(list(addresses))
        return start(self, addresses, *rest, **words)

    fpa.Program.start = spy
    given = [torch.randn(1, 2, 40, 16) for _ in range(3)]
    given += [torch.randn(1, 2, 40) for _ in range(2)]
    for x in given:
        x.requires_grad_()

    def forward():
        return fpa.attention(*given, return_lse=True, smooth=2.0)

    forward()
    starts.clear()
    say("== forward")
    calls, (o, lse) = trace(forward)
    launched(calls)
    known = {x.data_ptr() for x in given}
    assert known <= set(starts[0]) and len(starts[0]) == 6, starts  # and beta

    do = torch.ones_like(o)

    def backward():
        return torch.autograd.grad(o, given, do, retain_graph=True)

    backward()
    starts.clear()
    calls, gradients = trace(backward)
    launched(calls)
    known |= {x.data_ptr() for x in (o, lse, do)}
    assert known <= set(starts[0]), starts
    assert [g.shape for g in gradients] == [x.shape for x in given]

    # Strides and places that kernels do not take are copied on the GPU.
    starts.clear()
    turned = given[0].detach().transpose(1, 2).contiguous().transpose(1, 2)
    odd = torch.empty(1 + given[1].numel())[1:].view(given[1].shape)
    with torch.no_grad():
        calls, _ = trace(lambda: fpa.attention(turned, odd, *given[2:]))
    assert starts[0][0] != turned.data_ptr(), starts
    assert all(address % 16 == 0 for address in starts[0]), starts
    calls, _ = trace(lambda: fpa.prefix_min(given[3].detach()))
    calls, _ = trace(lambda: fpa.prefix_min(given[3].detach()))
    launched(calls)


def launched(calls):
    """Kernels on PyTorch's stream, and nothing else."""
    assert calls, calls
    for call in calls:
        assert re.fullmatch("cuLaunchKernel .* on stream 11", call), calls


{"program": program, "cache": cache, "refused": refused,
 "torch": torch_}[sys.argv[2]]()
