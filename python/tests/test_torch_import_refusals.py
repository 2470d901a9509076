# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What cannot be imported is named, with its place, in one line; so are wrong
arguments of an imported module."""

import linecache
import unittest

try:
    import torch
    from torch import nn
except ImportError as error:
    raise unittest.SkipTest(f"PyTorch: {error}")

import fpa
from imported_modules import Module, X


class RefusalTest(unittest.TestCase):
    def refuse(self, module, *parts):
        with self.assertRaises(NotImplementedError) as caught:
            fpa.from_torch(module, (X,))
        message = str(caught.exception)
        self.assertNotIn("\n", message)
        for part in parts:
            self.assertIn(part, message)

    def test_unknown_operator(self):
        class Spectrum(nn.Module):
            def forward(self, x):
                return torch.fft.fft(x).real
        self.refuse(Spectrum(),
                    "expected an operator that can be imported, got aten.",
                    "fft", "test_torch_import_refusals.py:", "torch.fft.fft(x).real")

    def test_form(self):
        class Cubes(nn.Module):
            def forward(self, x):
                return x.int() ** 5
        self.refuse(Cubes(), "expected a form of aten.pow.Tensor_Scalar that can",
                    "got integers to the power 5, at ",
                    "test_torch_import_refusals.py:", "x.int() ** 5")

    def test_elements(self):
        for kind in (torch.int8, torch.complex64):
            with self.assertRaisesRegex(
                    NotImplementedError, "^expected args_0 to be a tensor of "
                    f"elements that can be imported, got {kind}$"):
                fpa.from_torch(Module(lambda m, x: x + 1), (X.to(kind),))

    def test_outputs(self):
        for value in (None, 3):
            with self.assertRaisesRegex(
                    NotImplementedError, "^expected tensors as outputs of the "
                    f"graph, got {value} as output 1$"):
                fpa.from_torch(Module(lambda m, x: (x + 1, value)), (X,))

    def test_names(self):
        """Inputs may be named as constants are, and files as they like."""
        class Names(nn.Module):
            def forward(self, c0, c_1, c1):
                return c0 + 2 * c_1 - 3 * c1
        f = fpa.compile_module(Names(), (X, X, X))
        torch.testing.assert_close(f(X, X + 1, X), X + 2 * (X + 1) - 3 * X)
        scope = {"nn": nn}
        path = 'a "quoted" \\ model.py'
        source = """class Quoted(nn.Module):
    def forward(self, x):
        return x + 1
"""
        linecache.cache[path] = (len(source), None, source.splitlines(True), path)
        exec(compile(source, path, "exec"), scope)
        f = fpa.compile_module(scope["Quoted"](), (X,))
        torch.testing.assert_close(f(X), X + 1)
        self.assertIn("quoted", f.graph.imported)

    def test_mutation(self):
        def count(m, x):
            m.calls.add_(1)
            return x + m.calls
        module = Module(count, calls=torch.zeros(4))
        with self.assertRaisesRegex(NotImplementedError,
                                    "changes nothing.*calls"):
            fpa.from_torch(module, (X,))

    def test_arguments(self):
        with self.assertRaisesRegex(TypeError, "expected module to be"):
            fpa.from_torch(lambda x: x, (X,))
        f = fpa.compile_module(Module(lambda m, x: x + 1), (X,))
        with self.assertRaisesRegex(TypeError, "expected inputs like"):
            f(X, X)
        for x, error, message in (
                (X[0], ValueError, r"args_0 of shape \[.*\], got shape"),
                (X.double(), TypeError, "args_0 to be a tensor of float32, got float64"),
                (X.numpy(), TypeError, "args_0 to be a tensor of float32, got ndarray"),
                (X.to("meta"), TypeError, "args_0 to be a dense tensor in memory"),
                (X.to_sparse(), TypeError, "args_0 to be a dense tensor in memory")):
            with self.assertRaisesRegex(error, "^expected " + message):
                f(x)

    def test_examples(self):
        """A tensor would be taken apart into its rows."""
        module = Module(lambda m, x: x + 1)
        for args in (X, X.numpy(), 3, "x", {"x": X}, None):
            with self.assertRaisesRegex(TypeError, "^expected args to be a tuple of "
                                        "example inputs, got "):
                fpa.from_torch(module, args)
        with self.assertRaisesRegex(TypeError, "^expected kwargs to be a dict"):
            fpa.from_torch(module, (X,), X)

    def test_one_example_for_two_inputs(self):
        """They are two all the same."""
        class Difference(nn.Module):
            def forward(self, x, y, n=2):
                return x - y * n
        f = fpa.compile_module(Difference(), (X, X))
        torch.testing.assert_close(f(X, X + 1), X - 2 * (X + 1))
        f = fpa.compile_module(Difference(), (X, X), {"n": 3})
        torch.testing.assert_close(f(X, X + 1, n=3), X - 3 * (X + 1))
        for n in (2, 3.0):
            with self.assertRaisesRegex(ValueError, "^expected n to be 3, as in "
                                        f"the export, got {n}"):
                f(X, X, n=n)

    def test_sizes_of_inputs(self):
        class Rest(nn.Module):
            def forward(self, x, y):
                return x[1:] + y
        n = torch.export.Dim("n", min=3, max=9)
        f = fpa.compile_module(Rest(), (torch.ones(5, 2), torch.ones(4, 2)),
                               dynamic_shapes=({0: n + 1}, {0: n}))
        self.assertEqual(f(torch.ones(8, 2), torch.ones(7, 2)).shape, (7, 2))
        for sizes, message in (
                ((9, 7), "x of size 8 in dimension 0 beside the other inputs, "
                 "got 9"),
                ((6, 7), "x of size 8 in dimension 0 beside the other inputs, "
                 "got 6"),
                ((3, 2), "y of size 3 to 9 in dimension 0, as in the export, "
                 "got 2"),
                ((11, 10), "y of size 3 to 9 in dimension 0, as in the export, "
                 "got 10")):
            with self.assertRaisesRegex(ValueError, "^expected " + message):
                f(*(torch.ones(size, 2) for size in sizes))


    def test_multiples(self):
        """Of a size that no input has."""
        class Pairs(nn.Module):
            def forward(self, x, y):
                return x.view(-1, 2, 3).sum(1), y + 1, x * 2
        n = torch.export.Dim("n", min=3, max=9)
        module = Pairs()
        f = fpa.compile_module(module, (torch.ones(8, 3), torch.ones(13, 2)),
                               dynamic_shapes=({0: 2 * n}, {0: 3 * n + 1}))
        for size in (3, 5, 9):
            x, y = torch.randn(2 * size, 3), torch.randn(3 * size + 1, 2)
            for got, want in zip(f(x, y), module(x, y), strict=True):
                torch.testing.assert_close(got, want)
        for sizes, message in (
                ((9, 13), "x of a size in dimension 0 that is 0 more than a "
                 "multiple of 2, got 9"),
                ((4, 7), "x of size 6 to 18 in dimension 0, as in the export, "
                 "got 4"),
                ((8, 14), "y of size 13 in dimension 0 beside the other inputs, "
                 "got 14")):
            with self.assertRaisesRegex(ValueError, "^expected " + message):
                f(*(torch.ones(a, b) for a, b in zip(sizes, (3, 2))))


if __name__ == "__main__":
    unittest.main()
