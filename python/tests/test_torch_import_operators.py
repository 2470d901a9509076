# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Operators of imported modules give PyTorch's numbers, and indices outside of
their table end the call."""

import math
import unittest

try:
    import torch
    import torch.nn.functional as F
except ImportError as error:
    raise unittest.SkipTest(f"PyTorch: {error}")

import fpa
from imported_modules import Module, TestCase, X

OPERATORS = {
    "arithmetic": lambda m, x: (x + 2 * x - x / 3) * -x.abs() - (1 - x),
    "alpha": lambda m, x: torch.add(x, x, alpha=2.5),
    "powers": lambda m, x: x ** 2 + x ** 3 + (x.abs() + 1) ** 0.5,
    "functions": lambda m, x: x.exp() + (x.abs() + 1).log() + x.tanh()
    + x.abs().sqrt() + x.sin() * x.cos() + x.erf() + (x * x + 1).rsqrt(),
    "activations": lambda m, x: F.gelu(x) + F.gelu(x, approximate="tanh")
    + F.silu(x) + F.relu(x) + F.sigmoid(x) + F.softplus(x) + F.logsigmoid(x)
    + F.softplus(x, beta=3, threshold=0.5),
    "extrema": lambda m, x: x.clamp(-1, 1) + x.clamp(min=0.5)
    + torch.maximum(x, -x) + torch.minimum(x, x * 2),
    "comparisons": lambda m, x: ((x > 1) | (x <= -1) & ~(x == 0)) ^ (x != 2),
    "truth values": lambda m, x: torch.stack([f(x > 0, x[:1] > 1) for f in (
        torch.add, torch.mul, torch.maximum, torch.minimum, torch.lt, torch.le,
        torch.gt, torch.ge, torch.eq, torch.ne)] + [
            x.bool() + True, (x > 0) < True, (x > 0) >= False,
            torch.add(x > 0, x[:1] > 1, alpha=False)]),
    "reduced truth values": lambda m, x: torch.stack([
        (x > 0).amax(1), (x > 0).amin(1), (x > 0).any(1), (x > 0).all(1),
        (x > 0).sum(1, dtype=torch.bool)]),
    "where": lambda m, x: torch.where(x > 0, x, 0.0) + torch.where(
        x[0] > 0, x, x[:, :1]),
    "reductions": lambda m, x: x.sum(-1) + x.mean((1, 2))[:, None] + x.amax(2)
    + x.var(-1) + x.sum(),
    "softmax": lambda m, x: x.softmax(1) + x.log_softmax(-1),
    "layer norm": lambda m, x: F.layer_norm(x, (4,)),
    "rms norm": lambda m, x: F.rms_norm(x, (4,)),
    "reshapes": lambda m, x: x.reshape(6, 4).unflatten(1, (2, 2)).flatten(1)
    .unsqueeze(0).squeeze(0).view(3, 8).T,
    "transposes": lambda m, x: x.permute(2, 0, 1).transpose(0, 1).contiguous(),
    "slices": lambda m, x: x[:, 1:, -3:-1] + x[1:, :2, ::2] + x[0, 1, 2],
    "copies": lambda m, x: x.repeat(2, 1, 3, 1) + x[:, :1, :1].tile(9, 4),
    "pieces": lambda m, x: torch.cat([*x.split(2, dim=2), x.chunk(2)[1].expand(
        2, 3, 4)], dim=-1) + x.unbind(1)[0].sum(),
    "nothing": lambda m, x: torch.cat([
        x[5:].flatten(), x[:, 3:].flatten(), x[1:1].flatten(),
        x[:, 7::2].flatten(), x.repeat(0, 1, 1).flatten(), x.flatten()]),
    "stack": lambda m, x: torch.stack([x, -x], dim=1).flip(1, 3),
    "products": lambda m, x: x @ x.mT @ x,
    "scaled products": lambda m, x: torch.baddbmm(
        x[:, :, :1], x, x.mT, beta=0.5, alpha=0.25) + torch.addmm(
        x[0, :, 0], x[0], x[1].T, beta=0, alpha=2) + torch.baddbmm(
        torch.full((1, 1, 1), math.nan), x, x.mT, beta=0),
    "vectors": lambda m, x: x @ x[0, 0],
    "triangles": lambda m, x: x.tril() + x.triu(1) * 2,
    "creation": lambda m, x: x + torch.arange(4) + torch.arange(1, 9, 2)
    + torch.zeros(4) + torch.ones(3, 1) + torch.full((4,), 0.5)
    + torch.zeros_like(x),
    "cumsum": lambda m, x: x.cumsum(1) + x.cumsum(-1),
    "casts": lambda m, x: x.to(torch.int64) + (x > 0).int() + x.double().long(),
    "embedding": lambda m, x: F.embedding((x + 3).long(), m.table)
    + m.table[(x + 3).int().long()] + m.table.index_select(
        0, torch.arange(4)),
    "repeats": lambda m, x: x.repeat_interleave(3, dim=1),
    "flat repeats": lambda m, x: x.repeat_interleave(3),
}


class OperatorTest(TestCase):
    def test_operators(self):
        table = torch.randn(2000, 4)  # more than a constant
        for name, function in OPERATORS.items():
            with self.subTest(name):
                self.compare(Module(function, table=table), X, tolerance=1e-5)


class PlacesOutsideTest(TestCase):
    """Indices that are not in the table end the call; nothing is read."""

    def refuse(self, function, good, bad, name, end="8"):
        table = torch.randn(8, 4)
        sizes = None if end == "8" else (
            ({0: torch.export.Dim("rows")}, None),)
        module = Module(function)
        f = fpa.compile_module(module, (table, good), dynamic_shapes=sizes)
        self.check(f, module, (table, good))
        self.check(f, module, (table, good.zero_() + 7))
        for index in bad:
            with self.subTest(f"{name} {index}"):
                with self.assertRaises(ValueError) as caught:
                    f(table, torch.tensor(index).expand(good.shape))
                message = str(caught.exception)
                self.assertNotIn("\n", message)
                self.assertIn(f"expected indices of aten.{name}", message)
                self.assertIn(f"below {end} in dimension", message)

    def test_embedding(self):
        def embed(m, table, index):
            return F.embedding(index, table)
        for end in ("8", "the size"):
            self.refuse(embed, torch.tensor([[0, 3], [2, 7]]),
                        (8, -1, 2 ** 40, -2 ** 62), "embedding.default", end)

    def test_index(self):
        def row(m, table, index):
            return table[index]

        def column(m, table, index):
            return table[:, index - 4]

        def selected(m, table, index):
            return table.index_select(0, index)
        for end in ("8", "the size"):
            self.refuse(row, torch.tensor([0, -8, -1, 5]),
                        (8, -9, 2 ** 40, -2 ** 62), "index.Tensor", end)
        self.refuse(selected, torch.tensor([0, 5]), (8, -1),
                    "index_select.default")
        module = Module(column)
        table, index = torch.randn(8, 4), torch.tensor([0, 7])
        f = fpa.compile_module(module, (table, index))
        self.check(f, module, (table, index))
        self.assertIn("cf.assert", f.graph.mlir)
        with self.assertRaisesRegex(ValueError, "from -4 and below 4 in "
                                    "dimension 1, got one outside"):
            f(table, index + 1)

    def test_known_to_be_inside(self):
        """They need no check."""
        def reverse(m, x):
            last = x.shape[0] - 1
            return x[torch.arange(x.shape[0])] + x[last - torch.arange(
                x.shape[0])] + x[:, torch.arange(4) - 4]
        x = torch.randn(8, 4)
        for shapes in (None, (({0: torch.export.Dim("rows")},),)):
            f = fpa.compile_module(Module(reverse), (x,), dynamic_shapes=shapes)
            self.assertEqual(f.graph.mlir.count("cf.assert"),
                             0 if shapes is None else 1)
            self.check(f, f.graph.program.module(), (x,))


if __name__ == "__main__":
    unittest.main()
