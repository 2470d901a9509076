# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that leave out PyTorch's dispatcher do so only where nobody listens there.
Skipped where PyTorch is absent."""

import unittest
import warnings

import numpy as np

import fpa
from operands import inputs

try:
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.overrides import TorchFunctionMode
    from torch.utils._python_dispatch import TorchDispatchMode
except ImportError:
    torch = None


def operands():
    return [torch.from_numpy(x) for x in inputs()]


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Direct(unittest.TestCase):
    def setUp(self):
        self.tensors = operands()
        # From here on the call of these shapes is known.
        self.want = fpa.attention(*self.tensors)

    def is_direct(self, *others):
        from fpa.torch._direct import is_direct
        return is_direct((*self.tensors, None, *others))

    def test_taken(self):
        self.assertTrue(self.is_direct())
        self.assertTrue(self.is_direct(torch.nn.Parameter(
            self.want, requires_grad=False)))
        wanting = self.want.clone().requires_grad_()
        self.assertFalse(self.is_direct(wanting))
        with torch.no_grad():
            self.assertTrue(self.is_direct(wanting))
        with torch.inference_mode():
            self.assertTrue(self.is_direct(wanting, wanting + 1))
            self.assertTrue(fpa.attention(*self.tensors).is_inference())
        for other in (np.zeros(3), 1.0, self.want.to_sparse(),
                      torch.zeros(3, device="meta")):
            self.assertFalse(self.is_direct(other))

    def test_same_numbers(self):
        for options in ({}, {"return_lse": True}, {"window": 5},
                        {"prune_eps": 0.5, "return_dropped": True},
                        {"return_counts": True}):
            direct = fpa.attention(*self.tensors, **options)
            wanting = [x.clone().requires_grad_() for x in self.tensors]
            other = fpa.attention(*wanting, **options)
            if isinstance(other, torch.Tensor):
                direct, other = [direct], [other]
            self.assertEqual(len(direct), len(other))
            for x, y in zip(direct, other):
                self.assertTrue(torch.equal(x, y))

    def test_modes(self):
        seen = []

        class Functions(TorchFunctionMode):
            def __torch_function__(self, function, types, args=(), kwargs=None):
                seen.append(str(function))
                return function(*args, **(kwargs or {}))

        class Dispatched(TorchDispatchMode):
            def __torch_dispatch__(self, function, types, args=(), kwargs=None):
                seen.append(str(function))
                return function(*args, **(kwargs or {}))

        for mode in (Functions(), Dispatched()):
            with mode:
                self.assertTrue(torch.equal(fpa.attention(*self.tensors),
                                            self.want))
            self.assertIn("fpa.attention.default", seen)
            seen.clear()

    def test_profiler(self):
        for profile in (torch.profiler.profile, torch.autograd.profiler.profile):
            with profile() as found:
                fpa.attention(*self.tensors)
            names = [event.key for event in found.key_averages()]
            self.assertIn("fpa::attention", names)

    def test_traces(self):
        from torch.fx.experimental.proxy_tensor import make_fx
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of newer ways
            traced = torch.jit.trace(fpa.attention, self.tensors)
        self.assertIn("fpa::attention", str(traced.inlined_graph))
        self.assertTrue(torch.equal(traced(*self.tensors), self.want))
        graph = make_fx(lambda *x: fpa.attention(*x))(*self.tensors)
        self.assertIn("fpa.attention", graph.code)

    def test_transforms(self):
        mapped = torch.vmap(fpa.attention)(*[x[None] for x in self.tensors])
        self.assertTrue(torch.equal(mapped[0], self.want))
        gradient = torch.func.grad(
            lambda q: fpa.attention(q, *self.tensors[1:]).sum())
        self.assertEqual(gradient(self.tensors[0]).shape,
                         self.tensors[0].shape)
        self.assertTrue(self.is_direct())
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.assertEqual(fpa.attention(*self.tensors).dtype, torch.bfloat16)

    def test_tensors_of_other_kinds(self):
        class Other(torch.Tensor):
            pass

        other = fpa.attention(self.tensors[0].as_subclass(Other),
                              *self.tensors[1:])
        self.assertIs(type(other), Other)
        with FakeTensorMode() as mode:
            fake = fpa.attention(*[mode.from_tensor(x) for x in self.tensors])
            self.assertEqual(fake.shape, self.want.shape)
        # Without the mode, the tensors are what they are.
        fake = fpa.attention(*[mode.from_tensor(x) for x in self.tensors])
        self.assertEqual(fake.shape, self.want.shape)

    def test_pending_negations(self):
        q, k, v, field = self.tensors
        negated = torch._neg_view(-v)
        self.assertTrue(negated.is_neg())
        self.assertTrue(torch.equal(fpa.attention(q, k, negated, field),
                                    fpa.attention(q, k, v, field)))


if __name__ == "__main__":
    unittest.main()
