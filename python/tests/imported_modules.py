# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What tests of imported modules share: a function as a module, and the
comparison of what is compiled with the module itself."""

import unittest
import warnings

try:
    import torch
    from torch import nn
except ImportError as error:
    raise unittest.SkipTest(f"PyTorch: {error}")

import fpa

warnings.simplefilter("ignore")

# Small tiles are less code to compile.
TILES = "query-tile=8 key-tile=32 edge-tile=16"
X = torch.linspace(-3, 3, 24).reshape(2, 3, 4)


class Module(nn.Module):
    """A function as a module."""

    def __init__(self, function, **buffers):
        super().__init__()
        self.function = function
        for name, value in buffers.items():
            self.register_buffer(name, value)

    def forward(self, *args):
        return self.function(self, *args)


class TestCase(unittest.TestCase):
    def compare(self, module, *inputs, tolerance=2e-5, **options):
        """Compiles the module; its numbers are the module's."""
        module = module.eval()
        f = fpa.compile_module(module, inputs, **{"options": TILES, **options})
        with torch.no_grad():
            self.check(f, module, inputs, tolerance)
        return f

    def check(self, f, module, inputs, tolerance=2e-5):
        with torch.no_grad():
            want = module(*inputs)
        got = f(*inputs)
        if isinstance(want, torch.Tensor):
            want, got = (want,), (got,)
        for a, b in zip(got, want, strict=True):
            self.assertEqual((a.shape, a.dtype), (b.shape, b.dtype))
            torch.testing.assert_close(a, b, atol=tolerance, rtol=tolerance,
                                       equal_nan=True)
