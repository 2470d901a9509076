# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.attention under what PyTorch does to ops: autograd for some operands,
torch.func, vmap, autocast, torch.compile. Skipped where PyTorch is absent."""

import itertools
import unittest
import warnings

import fpa

try:
    import torch
    import fpa.torch  # registers the ops
    import torch._dynamo.testing
    from torch.func import functional_call, grad, vjp, vmap
except ImportError:
    torch = None


def operands(batch=1, heads=2, key_heads=1, length=9, size=3, dtype="float64",
             level=True, seed=0):
    """q, k, v, field and level, or None, with no two minima alike."""
    torch.manual_seed(seed)
    dtype = getattr(torch, dtype)
    q = torch.randn(batch, heads, length, size, dtype=dtype)
    k, v = torch.randn(2, batch, key_heads, length, size, dtype=dtype)
    field = torch.randn(batch, key_heads, length, dtype=dtype).cumsum(-1)
    return q, k, v, field, field + torch.randn_like(field) if level else None


def loss(*arguments, **options):
    """A scalar that depends on every element of both results."""
    o, lse = fpa.attention(*arguments, return_lse=True, **options)
    weight = torch.linspace(-1, 1, o.numel(), dtype=o.dtype).view(o.shape)
    return (o * weight).sum() + (lse * weight[..., 0]).sum()


NEEDS_TORCH = unittest.skipIf(torch is None, "PyTorch is not installed")


@NEEDS_TORCH
class Gradients(unittest.TestCase):

    def check(self, *tensors, **options):
        tensors = [None if x is None else x.requires_grad_() for x in tensors]
        self.assertTrue(torch.autograd.gradcheck(
            lambda *x: fpa.attention(*x, return_lse=True, **options), tensors))

    def test_gradcheck(self):
        self.check(*operands())
        self.check(*operands(level=False))
        self.check(*operands(2, 4, 2), window=4, scale=0.9)
        self.check(*operands(), smooth=2.0)
        self.check(*operands(), cu_seqlens=[0, 4, 4, 9])
        self.check(*operands()[:3], None)

    def test_any_subset_of_operands(self):
        """What is asked for is as if all were; the rest gets nothing."""
        given = operands()
        everything = torch.autograd.grad(
            loss(*[x.requires_grad_() for x in given]), given)
        for wanted in itertools.product((False, True), repeat=5):
            with self.subTest(wanted=wanted):
                some = [x.detach().requires_grad_(want)
                        for x, want in zip(given, wanted)]
                result = loss(*some)
                self.assertEqual(result.requires_grad, any(wanted))
                if any(wanted):
                    result.backward()
                for x, want, expected in zip(some, wanted, everything):
                    if want:
                        torch.testing.assert_close(x.grad, expected)
                    else:
                        self.assertIsNone(x.grad)

    def test_one_result_alone(self):
        q, k, v, field, level = (x.requires_grad_() for x in operands())
        o, lse = fpa.attention(q, k, v, field, level, return_lse=True)
        both = torch.autograd.grad(o.sum() + lse.sum(), q, retain_graph=True)[0]
        one = torch.autograd.grad(o.sum(), q, retain_graph=True)[0]
        other, = torch.autograd.grad(lse.sum(), q)
        torch.testing.assert_close(one + other, both)

    def test_second_gradients_are_refused(self):
        given = [x.requires_grad_() for x in operands()]
        first, = torch.autograd.grad(loss(*given), given[0], create_graph=True)
        q, *rest = (x.detach() for x in given)
        for call in (
                lambda: first.sum().backward(),
                lambda: torch.func.jacrev(grad(lambda q: loss(q, *rest)))(q)):
            with self.assertRaisesRegex(
                    NotImplementedError, "^fpa::attention_backward has no "
                    "gradient: second derivatives of fpa::attention are not"):
                call()

    def test_forward_mode_is_refused(self):
        """Dual tensors, which need not require gradients, lost their tangents."""
        q, *rest = operands()
        calls = {
            "attention": lambda q: fpa.attention(q, *rest),
            "attention_dropped": lambda q: fpa.attention(
                q, *rest, return_dropped=True)[0],
            "prefix_min": fpa.prefix_min, "prefix_sum": fpa.prefix_sum}
        for name, call in calls.items():
            def dual(x):
                with torch.autograd.forward_ad.dual_level():
                    return call(torch.autograd.forward_ad.make_dual(x, x))

            for derive in (dual, torch.no_grad()(dual),
                           lambda x: dual(x.clone().requires_grad_()),
                           lambda x: torch.func.jvp(call, (x,), (x,)),
                           torch.func.hessian(lambda x: call(x).square().sum())):
                with self.subTest(name), self.assertRaisesRegex(
                        NotImplementedError, f"^fpa::{name} has no "
                        "derivatives in forward mode$"):
                    derive(q)
            # A level without tangents is none of its business.
            with torch.autograd.forward_ad.dual_level():
                self.assertEqual(call(q).shape, q.shape)

    def test_numbers_have_no_gradients(self):
        given = operands()
        for name in ("scale", "smooth"):
            def f(x):
                return loss(*given, **{name: x})
            f(torch.tensor(2.0))
            for call in (f, grad(f)):
                with self.assertRaisesRegex(
                        ValueError, f"^expected {name} to need no gradient, got "
                        "a tensor that requires one$"):
                    call(torch.tensor(2.0, requires_grad=True))
            with self.assertRaisesRegex(TypeError, f"^expected {name} to be a "
                                        "number, got Tensor$"):
                vmap(f)(torch.ones(2))

    def test_ops_take_no_tensors_for_numbers(self):
        """They would lose the gradient."""
        q, k, v, field, level = operands(dtype="float32")
        o, lse = torch.ops.fpa.attention(q, k, v, field)
        for op, given in (
                (torch.ops.fpa.attention, (q, k, v, field)),
                (torch.ops.fpa.attention_dropped, (q, k, v, field)),
                (torch.ops.fpa.attention_backward,
                 (q, k, v, field, None, o, lse, o))):
            for name in ("scale", "smooth", "prune_eps"):
                op(*given, **{name: 0.5})
                with self.assertRaisesRegex(RuntimeError, name):
                    op(*given, **{name: torch.tensor(0.5, requires_grad=True)})

    def test_opcheck(self):
        given = operands(dtype="float32")
        needed = [x.clone().requires_grad_() for x in given]
        bounds = torch.tensor([0, 4, 9])
        for arguments in (
                given, needed, needed[:4], needed[:3],
                [*needed, bounds, bounds, 0.5, 3, 2.0],
                [*needed, None, None, None, None, None, "cpu", 1e-3],
                [needed[0], *given[1:]]):
            torch.library.opcheck(torch.ops.fpa.attention.default,
                                  tuple(arguments))
        for arguments in (
                given, needed,
                [*needed, None, None, None, None, None, "cpu", 1e-3, True]):
            torch.library.opcheck(torch.ops.fpa.attention_dropped.default,
                                  tuple(arguments))
        o, lse = torch.ops.fpa.attention(*given)
        torch.library.opcheck(
            torch.ops.fpa.attention_backward.default,
            (*given, o, lse, torch.ones_like(o), torch.ones_like(lse)))
        torch.library.opcheck(
            torch.ops.fpa.attention_backward.default,
            (*given[:3], None, None, *torch.ops.fpa.attention(*given[:3]),
             torch.ones_like(o)))
        for op in (torch.ops.fpa.prefix_min, torch.ops.fpa.prefix_sum):
            torch.library.opcheck(op.default, (needed[3], 2, True))


@NEEDS_TORCH
class Transforms(unittest.TestCase):

    def test_grad(self):
        given = operands()
        for number in range(5):
            got = grad(loss, argnums=number)(*given)
            some = [x.clone().requires_grad_() for x in given]
            expected = torch.autograd.grad(loss(*some), some[number])[0]
            torch.testing.assert_close(got, expected)
        _, pull = vjp(lambda *x: fpa.attention(*x), *given)
        self.assertEqual(len(pull(torch.ones(1, 2, 9, 3, dtype=torch.float64))),
                         5)

    def test_vmap(self):
        """Over any operands, along any of their dimensions."""
        many = [torch.stack([x, 2 * x, x + 1]) for x in operands(2, 4, 2)]
        for over in ((True,) * 5, (True, False, False, False, False),
                     (False, True, True, False, False),
                     (False, False, False, True, True)):
            for dim in (0, 2):
                with self.subTest(over=over, dim=dim):
                    given = [x.movedim(0, dim) if each else x[0]
                             for x, each in zip(many, over)]
                    got = vmap(
                        lambda *x: fpa.attention(*x, return_lse=True),
                        in_dims=tuple(dim if each else None for each in over),
                    )(*given)
                    for n in range(3):
                        one = [x[n] if each else x[0]
                               for x, each in zip(many, over)]
                        for x, y in zip(got, fpa.attention(*one,
                                                           return_lse=True)):
                            torch.testing.assert_close(x[n], y)

    def test_vmap_of_packed(self):
        q, k, v, field, level = operands(heads=4, key_heads=2)
        many = [torch.stack([x, 2 * x]) for x in (q, k, v, field, level)]
        got = vmap(lambda *x: fpa.attention(*x, cu_seqlens=[0, 4, 9]))(*many)
        for n in range(2):
            torch.testing.assert_close(got[n], fpa.attention(
                *[x[n] for x in many], cu_seqlens=[0, 4, 9]))
        with self.assertRaisesRegex(ValueError, "expected one cu_seqlens for "
                                    "all"):
            vmap(lambda x: fpa.attention(q, k, v, field, cu_seqlens=x))(
                torch.tensor([[0, 9], [0, 9]]))

    def test_gradients_of_each_sample(self):
        many = [torch.stack([x, 2 * x, x - 1]) for x in operands()]
        got = vmap(grad(loss, argnums=(0, 1, 2, 3, 4)))(*many)
        for n in range(3):
            expected = grad(loss, argnums=(0, 1, 2, 3, 4))(
                *[x[n] for x in many])
            for x, y in zip(got, expected):
                torch.testing.assert_close(x[n], y)

    def test_autocast(self):
        q, k, v, field, level = operands(dtype="float32", length=40, size=16)
        field, level = field + 1000.25, level + 1000.25
        for dtype in (torch.bfloat16, torch.float16):
            some = [x.clone().requires_grad_()
                    for x in (q, k, v, field, level)]
            with torch.autocast("cpu", dtype=dtype):
                o, lse = fpa.attention(*some, return_lse=True)
            self.assertEqual(o.dtype, dtype)
            self.assertEqual(lse.dtype, torch.float32)
            expected = fpa.attention(*[x.to(dtype) for x in (q, k, v)], field,
                                     level)
            self.assertTrue(torch.equal(o, expected))
            o.float().sum().backward()
            for x in some:
                self.assertEqual(x.grad.dtype, torch.float32)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            o = fpa.attention(*operands())
        self.assertEqual(o.dtype, torch.float64)


@NEEDS_TORCH
class Compiled(unittest.TestCase):
    """torch.compile, with no graph break; without a C++ compiler the graph runs
    op by op."""

    def setUp(self):
        torch._dynamo.reset()

    def same(self, function, *given, backend="aot_eager", **options):
        plain = [None if x is None else x.clone().requires_grad_()
                 for x in given]
        other = [None if x is None else x.clone().requires_grad_()
                 for x in given]
        want = function(*plain)
        got = torch.compile(function, fullgraph=True, backend=backend,
                            **options)(*other)
        torch.testing.assert_close(got, want)
        want.sum().backward()
        got.sum().backward()
        for x, y in zip(plain, other):
            if x is not None:
                torch.testing.assert_close(x.grad, y.grad)

    def test_options(self):
        for options in ({}, {"window": 4, "scale": 0.3}, {"smooth": 2.0},
                        {"cu_seqlens": [0, 4, 9]}):
            with self.subTest(**options):
                torch._dynamo.reset()
                self.same(lambda *x: 2 * loss(*x, **options), *operands())
        self.same(lambda q, k, v: fpa.attention(q, k, v, None),
                  *operands()[:3])

    def test_without_warnings(self):
        """That something in a call is not followed as it stands."""
        getattr(torch._dynamo.utils, "warn_once_cache", set()).clear()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            torch.compile(lambda *x: fpa.attention(*x), fullgraph=True,
                          backend="aot_eager")(*operands())
        self.assertEqual([str(w.message) for w in caught
                          if "Dynamo" in str(w.message)], [])

    def test_growing_lengths(self):
        """One graph for all lengths."""
        torch._dynamo.reset()
        count = torch._dynamo.testing.CompileCounter()
        function = torch.compile(lambda *x: fpa.attention(*x), fullgraph=True,
                                 backend=count, dynamic=True)
        for length in (9, 17, 33, 50):
            given = operands(length=length)
            torch.testing.assert_close(function(*given),
                                       fpa.attention(*given))
        self.assertLessEqual(count.frame_count, 2)

    def test_a_smooth_penalty_that_changes(self):
        """One kernel serves all of its values."""
        function = torch.compile(
            lambda beta, *x: fpa.attention(*x, smooth=beta), fullgraph=True,
            backend="eager")
        given = operands()
        for beta in (1.0, 2.0, 4.0):
            torch.testing.assert_close(function(beta, *given),
                                       fpa.attention(*given, smooth=beta))

    def test_autocast(self):
        def function(*x):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                return fpa.attention(*x).float()
        self.same(function, *operands(dtype="float32"))

    def test_scans(self):
        self.same(lambda x: fpa.prefix_min(x, exclusive=True).clamp(max=5)
                  + fpa.prefix_sum(x, 1), operands()[3])

    def test_inductor(self):
        try:
            torch.compile(lambda x: x + 1)(torch.ones(3))
        except Exception as error:  # whatever its search for a compiler raises
            self.skipTest(f"torch.compile does not work here: "
                          f"{type(error).__name__}")
        self.same(lambda *x: loss(x[0].transpose(-1, -2).sin().transpose(-1, -2),
                                  *x[1:]), *operands(), backend="inductor")


if __name__ == "__main__":
    unittest.main()
