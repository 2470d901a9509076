# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.attention and its gradients on PyTorch's tensors against the reference, and
their messages. Skipped where PyTorch is absent."""

import unittest

import numpy as np

import fpa
from fpa import reference
from operands import Comparisons, inputs

try:
    import torch
    from torch._subclasses.fake_tensor import FakeTensorMode
except ImportError:
    torch = None


def tensor(x):
    """An array's values as a tensor of its type; ml_dtypes' bfloat16 too."""
    if x is None:
        return None
    if x.dtype.name == "bfloat16":
        return torch.from_numpy(x.astype(np.float32)).to(torch.bfloat16)
    return torch.from_numpy(x)


def array(x):
    """A tensor as float64."""
    return None if x is None else x.detach().double().numpy()


def limit(x):
    """How far from the truth a result of this type may be, values near 1."""
    return {"torch.float64": 1e-12, "torch.float32": 2e-5,
            "torch.float16": 4e-3, "torch.bfloat16": 3e-2}[str(x.dtype)]


def close(test, got, want):
    test.assertEqual(tuple(got.shape), want.shape)
    error, scale = limit(got), max(1.0, np.abs(want[np.isfinite(want)]).max(
        initial=0))
    np.testing.assert_allclose(array(got), want, rtol=error, atol=error * scale)


NEEDS_TORCH = unittest.skipIf(torch is None, "PyTorch is not installed")


@NEEDS_TORCH
class Results(Comparisons, unittest.TestCase):
    """Output, lse, and all gradients of a loss of both, by autograd."""

    LENGTHS = ((1, 1), (2, 3), (65, 65), (40, 30), (1, 130), (0, 5), (5, 0))

    def compare(self, q, k, v, field, level=None, **options):
        tensors = [None if x is None else tensor(x).requires_grad_()
                   for x in (q, k, v, field, level)]
        out, lse = fpa.attention(*tensors, return_lse=True, **options)
        self.assertEqual(out.dtype, tensors[0].dtype)
        want, want_lse = reference.attention(q, k, v, field, level, **options)
        close(self, out, want)
        close(self, lse, want_lse)

        rng = np.random.default_rng(7)
        do = tensor(rng.normal(size=want.shape)).to(out.dtype)
        dlse = tensor(rng.normal(size=want_lse.shape)).to(lse.dtype)
        # Rows without keys have an infinite lse.
        seen = torch.isfinite(lse)
        dlse = dlse * seen
        torch.autograd.backward((out, lse), (do, dlse))
        expected = reference.attention_backward(
            q, k, v, field, level, array(out), array(lse), array(do),
            dlse=array(dlse), **options)
        for x, gradient in zip(tensors, expected):
            if x is not None:
                self.assertEqual(x.grad.dtype, x.dtype)
                close(self, x.grad, gradient)

    def test_strides(self):
        """Transposed, sliced, expanded and broadcast operands."""
        q, k, v, field = (tensor(x) for x in inputs(2, 4, 2, size=8))
        plain = fpa.attention(q, k, v, field)
        packed = torch.stack([q, q + 1], dim=-1)[..., 0]
        turned = [x.transpose(1, 2).contiguous().transpose(1, 2)
                  for x in (k, v)]
        wide = torch.zeros(2, 2, 70)
        wide[..., ::2][..., :33] = field
        self.assertTrue(torch.equal(
            fpa.attention(packed, *turned, wide[..., ::2][..., :33]), plain))
        one = [x[:1].expand(2, -1, -1, -1) for x in (q, k, v)]
        self.assertTrue(torch.equal(
            fpa.attention(*one, field[:1].expand(2, -1, -1))[1],
            plain[0]))

    def test_any_address(self):
        """Of an element's size, or less, which no loads are made for."""
        for dtype in ("float16", "bfloat16", "float32"):
            given = [tensor(x).to(getattr(torch, dtype)) for x in inputs()]
            want = fpa.attention(*given)
            for shift in (1, 2, 4, 6):
                moved = []
                for x in given:
                    memory = torch.zeros(x.nbytes + 8, dtype=torch.uint8)
                    memory[shift:shift + x.nbytes] = x.view(-1).view(torch.uint8)
                    moved.append(torch.frombuffer(
                        memory.numpy(), dtype=x.dtype, offset=shift,
                        count=x.numel()).view(x.shape))
                self.assertTrue(torch.equal(fpa.attention(*moved), want))

    def test_no_copies(self):
        q, k, v, field = (tensor(x) for x in inputs())
        out = fpa.attention(q, k, v, field)
        before = out.clone()
        for _ in range(5):
            fpa.attention(2 * q, k, v, field)
        self.assertTrue(torch.equal(out, before))
        out += 1  # writable

    def test_a_narrow_field_is_widened(self):
        q, k, v, field = (tensor(x) for x in inputs())
        narrow = field.to(torch.bfloat16).requires_grad_()
        out = fpa.attention(q, k, v, narrow)
        self.assertTrue(torch.equal(
            out, fpa.attention(q, k, v, narrow.detach().float())))
        out.sum().backward()
        self.assertEqual(narrow.grad.dtype, torch.bfloat16)

    def test_numbers_in_tensors_that_change(self):
        """What is kept of a call knows options by their values."""
        tensors = [tensor(x) for x in inputs()]
        arrays = [x.numpy() for x in tensors]
        for name in ("scale", "smooth"):
            number = torch.tensor(0.5)
            for value in (0.5, 2.0):
                number.fill_(value)
                for given in (tensors, arrays):
                    self.assertTrue(np.array_equal(
                        fpa.attention(*given, **{name: number}),
                        fpa.attention(*given, **{name: value})))
        axis = torch.tensor(1)
        for value in (1, 2):
            axis.fill_(value)
            for x in (tensors[3], arrays[3]):
                self.assertTrue(np.array_equal(fpa.prefix_min(x, axis),
                                               fpa.prefix_min(x, value)))

    def test_explicit_backward(self):
        q, k, v, field = (tensor(x) for x in inputs())
        o, lse = fpa.attention(q, k, v, field, field - 1, return_lse=True)
        arrays = [x.numpy() for x in (q, k, v, field, field - 1, o, lse, o - 1)]
        got = fpa.attention_backward(*[torch.from_numpy(x) for x in arrays])
        for x, y in zip(got, fpa.attention_backward(*arrays)):
            np.testing.assert_array_equal(x.numpy(), y)
        got = fpa.attention_backward(q, k, v, None, None, o, lse, o - 1)
        self.assertEqual(len(got), 5)
        self.assertIsNone(got[3])
        self.assertIsNone(got[4])

    def test_packed_by_a_tensor(self):
        q, k, v, field = (tensor(x) for x in inputs())
        bounds = torch.tensor([0, 10, 33], dtype=torch.int32)
        want = fpa.attention(q, k, v, field, cu_seqlens=[0, 10, 33])
        for cu_seqlens in (bounds, (bounds, bounds.long()),
                           [bounds, [0, 10, 33]]):
            self.assertTrue(torch.equal(
                fpa.attention(q, k, v, field, cu_seqlens=cu_seqlens), want))


@NEEDS_TORCH
class Scans(unittest.TestCase):

    def test_values(self):
        x = np.random.default_rng(0).normal(size=(3, 50, 4)).astype("f4")
        for axis in (0, 1, -1):
            for words in ({}, {"reverse": True}, {"exclusive": True}):
                with self.subTest(axis=axis, **words):
                    got = fpa.prefix_min(torch.from_numpy(x), axis,
                                         return_index=True, **words)
                    want = reference.prefix_min(x, axis, **words)
                    for a, b in zip(got, want):
                        np.testing.assert_array_equal(a.numpy(), b)
                    close(self, fpa.prefix_sum(torch.from_numpy(x), axis,
                                               **words),
                          reference.prefix_sum(x, axis, **words))

    def test_gradients(self):
        x = torch.randn(2, 9, 3, dtype=torch.float64, requires_grad=True)
        for words in ({}, {"reverse": True}, {"exclusive": True}):
            with self.subTest(**words):
                self.assertTrue(torch.autograd.gradcheck(
                    lambda x: fpa.prefix_min(x, 1, **words).clamp(max=9), x))
                self.assertTrue(torch.autograd.gradcheck(
                    lambda x: fpa.prefix_sum(x, 1, **words), x))

    def test_vmap(self):
        x = torch.randn(4, 5, 6)
        got = torch.vmap(lambda x: fpa.prefix_min(x, 0), in_dims=1)(x)
        self.assertTrue(torch.equal(
            got, fpa.prefix_min(x, 0).movedim(1, 0)))
        got = torch.vmap(lambda x: fpa.prefix_sum(x, -1), in_dims=1)(x)
        torch.testing.assert_close(got, x.movedim(1, 0).cumsum(-1))

    def test_messages(self):
        with self.assertRaisesRegex(ValueError, r"expected axis to be in \[-1"):
            fpa.prefix_min(torch.ones(3), 1)
        with self.assertRaisesRegex(TypeError, "expected x to be a tensor of "
                                    r".*, got int64 of shape \[3\]"):
            fpa.prefix_min(torch.ones(3, dtype=torch.int64))


@NEEDS_TORCH
class Messages(unittest.TestCase):

    def refuse(self, error, message, change=lambda *a: a, **options):
        operands = [tensor(x) for x in inputs()]
        with self.assertRaisesRegex(error, message) as caught:
            fpa.attention(*change(*operands), **options)
        self.assertNotIn("\n", str(caught.exception))

    def test_types(self):
        self.refuse(TypeError, "expected k to be a tensor of .*, got ndarray of "
                    r"shape \[1, 1, 33, 16\]",
                    lambda q, k, v, f: (q, k.numpy(), v, f))
        self.refuse(TypeError, "expected k to be a tensor of float32, got "
                    r"float64 of shape \[1, 1, 33, 16\]",
                    lambda q, k, v, f: (q, k.double(), v, f))
        self.refuse(TypeError, "expected q to be a tensor of .*, got int64",
                    lambda q, k, v, f: (q.long(), k, v, f))
        self.refuse(TypeError, "expected v to be a tensor of .*, got complex64",
                    lambda q, k, v, f: (q, k, v + 1j, f))
        self.refuse(TypeError, "expected field to be a tensor of float16, "
                    "bfloat16, float32, got float64",
                    lambda q, k, v, f: (q, k, v, f.double()))
        self.refuse(TypeError, "expected field .*, got list",
                    lambda q, k, v, f: (q, k, v, f.tolist()))
        self.refuse(TypeError, "expected q to be a dense tensor, got one of "
                    "layout torch.sparse_coo",
                    lambda q, k, v, f: (q.to_sparse(), k, v, f))
        self.refuse(TypeError, "expected k to be a dense tensor, got a nested one",
                    lambda q, k, v, f: (q, torch.nested.nested_tensor(
                        list(k), layout=torch.jagged), v, f))
        self.refuse(TypeError, "expected return_lse to be true or false, got "
                    "Tensor", return_lse=torch.ones(2))
        self.refuse(TypeError, "expected scale to be a number", scale="big")
        self.refuse(TypeError, "expected window to be an integer", window=1.5)
        for bounds in ([0.0, 33.0], torch.tensor([0.0, 33.0]), "ab",
                       [0, None]):
            self.refuse(TypeError, "expected cu_seqlens to be integers",
                        cu_seqlens=bounds)

    def test_types_that_are_taken(self):
        """A message lists these and no others."""
        q, k, v, field = (tensor(x) for x in inputs())
        o, lse = fpa.attention(q, k, v, field, return_lse=True)
        given = dict(k=k, v=v, field=field, level=field, o=o, lse=lse, do=o,
                     dlse=lse)
        for name, x in given.items():
            types = ["float32"]
            if name in ("field", "level", "dlse"):
                types = ["float16", "bfloat16", "float32"]
            for dtype in types:
                fpa.attention_backward(
                    q, **{**given, name: x.to(getattr(torch, dtype))})
            for bad in (x.long(), x.double(), x.numpy(), [1.0]):
                with self.assertRaisesRegex(
                        TypeError, f"^expected {name} to be a tensor of "
                        f"{', '.join(types)}, got "):
                    fpa.attention_backward(q, **{**given, name: bad})

    def test_types_of_targets(self):
        """GPUs compute no float64; the op and its shapes alone say so, too."""
        q, k, v, field = (tensor(x) for x in inputs(dtype=np.float64))
        o, lse = fpa.attention(q, k, v, field, return_lse=True)
        message = (r"^expected q of float16, bfloat16 or float32 on target %s, "
                   r"got float64 of shape \[1, 2, 33, 16\]$")
        for device in ("cpu", "meta"):
            far = [x.to(device) for x in (q, k, v, field)]
            for call in (
                    lambda: fpa.attention(*far, target="emulator"),
                    lambda: fpa.attention(*far, return_dropped=True,
                                          target="emulator"),
                    lambda: torch.ops.fpa.attention(*far, target="emulator"),
                    lambda: fpa.attention_backward(
                        *far, None, *[x.to(device) for x in (o, lse, o)],
                        target="emulator")):
                with self.assertRaisesRegex(TypeError, message % "emulator"):
                    call()
        with FakeTensorMode(), self.assertRaisesRegex(TypeError,
                                                      message % "cuda:0"):
            fpa.attention(*[torch.empty(x.shape, dtype=x.dtype, device="cuda")
                            for x in (q, k, v, field)])

    def test_after_a_call_that_was_fine(self):
        """What was checked for others is not taken for granted."""
        given = [tensor(x) for x in inputs()]
        options = dict(scale=1, window=1, prune_eps=0.0, return_lse=1)
        for _ in range(2):
            fpa.attention(*given, **options)
        q, k, v, field = given
        for error, bad in (
                (TypeError, dict(k=k.numpy())), (TypeError, dict(k=k.to_sparse())),
                (TypeError, dict(v=v.half())), (TypeError, dict(field=[1.0])),
                (TypeError, dict(field=field.double())),
                (ValueError, dict(k=k.to("meta"))),
                (ValueError, dict(level=field[..., 1:])),
                (TypeError, dict(scale=True)), (TypeError, dict(window=1.0)),
                (ValueError, dict(prune_eps=1)), (ValueError, dict(target="tpu")),
                (TypeError, dict(return_lse=torch.ones(2)))):
            named = dict(zip(("q", "k", "v", "field"), given), **options)
            with self.assertRaisesRegex(error, f"^expected {next(iter(bad))} "):
                fpa.attention(**{**named, **bad})
        with torch.autocast("cpu", torch.bfloat16):
            self.assertEqual(fpa.attention(*given).dtype, torch.bfloat16)
        self.assertEqual(fpa.attention(*given).dtype, torch.float32)

    def test_shapes(self):
        self.refuse(ValueError, r"expected q of shape \[B, HQ, Lq, D\], got "
                    r"shape \[2, 33, 16\]", lambda q, k, v, f: (q[0], k, v, f))
        self.refuse(ValueError, r"expected k of shape .* D = 16",
                    lambda q, k, v, f: (q, k[..., :8], v, f))
        self.refuse(ValueError, r"expected v of shape .* Lk = 33",
                    lambda q, k, v, f: (q, k, v[:, :, 1:], f))
        self.refuse(ValueError, r"expected field of shape .* Lk = 33",
                    lambda q, k, v, f: (q, k, v, f[..., 1:]))
        self.refuse(ValueError, "expected a field to go with level",
                    lambda q, k, v, f: (q, k, v, None, f))

    def test_values(self):
        self.refuse(ValueError, "expected window to be in", window=0)
        self.refuse(ValueError, "expected smooth to lie between", smooth=1e38)
        self.refuse(ValueError, "expected scale to be finite", scale=np.nan)
        self.refuse(ValueError, "expected target to be 'cpu'", target="tpu")
        self.refuse(ValueError, "expected cu_seqlens for q to rise from 0 to 33",
                    cu_seqlens=[0, 40])
        self.refuse(ValueError, r"expected cu_seqlens of shape \[N \+ 1\]",
                    cu_seqlens=torch.zeros(0, dtype=torch.int64))
        self.refuse(ValueError, r"expected cu_seqlens of shape \[N \+ 1\], N at "
                    r"least 1, got shape \[1, 2\]",
                    cu_seqlens=torch.tensor([[0, 33]]))
        self.refuse(ValueError, "expected cu_seqlens on q's device cpu, got meta",
                    cu_seqlens=torch.tensor([0, 33], device="meta"))

    def test_ops_check_too(self):
        fpa.torch  # registers them
        q, k, v, f = (tensor(x) for x in inputs())
        with self.assertRaisesRegex(ValueError, "expected k of shape"):
            torch.ops.fpa.attention(q, k[..., 1:], v, f)
        with self.assertRaisesRegex(TypeError, "expected field to be a tensor "
                                    "of float32, got bfloat16"):
            torch.ops.fpa.attention(q, k, v, f.bfloat16())
        with self.assertRaisesRegex(ValueError, "expected cu_q and cu_k"):
            torch.ops.fpa.attention(q, k, v, f, None, torch.tensor([0, 33]))
        o, lse = torch.ops.fpa.attention(q, k, v, f)
        with self.assertRaisesRegex(ValueError, r"expected lse of shape \[B = 1"
                                    r", HQ = 2, Lq = 33\], got shape "
                                    r"\[1, 2, 32\]"):
            torch.ops.fpa.attention_backward(q, k, v, f, None, o, lse[..., 1:],
                                             o)

    def test_other_devices(self):
        q, k, v, f = (tensor(x) for x in inputs())
        with self.assertRaisesRegex(ValueError, "expected k on q's device cpu, "
                                    "got meta"):
            fpa.attention(q, k.to("meta"), v, f)
        # Shapes alone are enough where there is no data.
        self.assertEqual(fpa.attention(*[x.to("meta") for x in (q, k, v, f)])
                         .shape, q.shape)
        # Stands for a GPU that need not be there.
        with FakeTensorMode(allow_non_fake_inputs=True):
            far, xpu = ([torch.empty(x.shape, device=device)
                         for x in (q, k, v, f)] for device in ("cuda", "xpu"))
            out = fpa.attention(*far)
            self.assertEqual((out.shape, out.device.type), (q.shape, "cuda"))
            self.assertEqual(fpa.prefix_min(far[3]).device.type, "cuda")
            for target in ("cpu", "emulator", "cuda:1"):
                with self.assertRaisesRegex(
                        ValueError, "expected target to be 'cuda:0' for q on "
                        f"cuda:0, got '{target}'"):
                    fpa.attention(*far, target=target)
            out, lse = fpa.attention(*far, return_lse=True, prune_eps=0.1)
            dq = fpa.attention_backward(*far, None, out, lse, out,
                                        prune_eps=0.1)[0]
            self.assertEqual((dq.shape, dq.device.type), (q.shape, "cuda"))
            for call in (lambda: fpa.attention(*xpu),
                         lambda: fpa.prefix_min(xpu[3])):
                with self.assertRaisesRegex(
                        ValueError, "expected [qx] in the CPU's memory or a CUDA "
                        "device's, got a tensor on xpu:0"):
                    call()
        if not torch.cuda.is_available():
            with self.assertRaisesRegex(ValueError, "^no GPU on this machine: "):
                fpa.attention(q, k, v, f, target="cuda")



@NEEDS_TORCH
class Pruning(unittest.TestCase):
    """Tensors leave out what arrays do."""

    EPS = 0.3

    def test_meta_tensors_beside_others(self):
        """Whatever one lies nowhere, no result comes from memory unwritten."""
        q, k, v, do = (torch.randn(1, 2, 9, 8) for _ in range(4))
        field = torch.randn(1, 2, 9)
        o, lse = fpa.attention(q, k, v, field, return_lse=True)
        rows = dict(o=o, lse=lse, do=do, dlse=torch.randn(1, 2, 9))
        for name in rows:
            moved = {**rows, name: rows[name].to("meta")}
            dlse = moved.pop("dlse")
            with self.assertRaisesRegex(
                    ValueError, f"expected {name} on q's device cpu, got meta"):
                fpa.attention_backward(q, k, v, field, None, *moved.values(),
                                       dlse=dlse)
        bounds = torch.tensor([0, 4, 9])
        for name in ("cu_q", "cu_k"):
            both = {"cu_q": bounds, "cu_k": bounds, name: bounds.to("meta")}
            with self.assertRaisesRegex(
                    ValueError, f"expected {name} on q's device cpu, got meta"):
                torch.ops.fpa.attention(q, k, v, field, None, **both)

    def setUp(self):
        """Logits of little else than penalties, of which bounds know all."""
        rng = np.random.default_rng(0)
        q, k, v = rng.normal(size=(3, 1, 2, 700, 16)).astype("f4")
        field = np.tile(np.linspace(0, -14, 700, dtype="f4"), (1, 2, 1))
        self.given = q / 100, k, v, field

    def test_as_arrays(self):
        tensors = [tensor(x).requires_grad_() for x in self.given]
        o, lse = fpa.attention(*tensors, return_lse=True, prune_eps=self.EPS)
        arrays = fpa.attention(*self.given, return_lse=True, prune_eps=self.EPS)
        exact = fpa.attention(*self.given)
        self.assertGreater(np.abs(arrays[0] - exact).max(), 1e-4)
        for got, want in zip((o, lse), arrays):
            np.testing.assert_array_equal(got.detach().numpy(), want)
        do = np.ones_like(exact)
        got = torch.autograd.grad(o, tensors, tensor(do))
        want = fpa.attention_backward(*self.given, None, *arrays, do,
                                      prune_eps=self.EPS)
        whole = fpa.attention_backward(*self.given, None, *arrays, do)
        self.assertTrue(any(np.abs(a - b).max() > 1e-6
                            for a, b in zip(want[:4], whole)))
        for a, b in zip(got, want):
            np.testing.assert_array_equal(a.numpy(), b)
        direct = fpa.attention_backward(
            *map(tensor, self.given), None, *map(tensor, arrays), tensor(do),
            prune_eps=self.EPS)
        for a, b in zip(direct[:4], want):
            np.testing.assert_array_equal(a.numpy(), b)

    def test_what_was_left_out(self):
        for wanted in (("lse", "dropped", "counts"), ("dropped",), ("counts",)):
            flags = {f"return_{name}": True for name in wanted}
            with self.subTest(wanted=wanted):
                want = fpa.attention(*self.given, prune_eps=self.EPS, **flags)
                tensors = [tensor(x).requires_grad_() for x in self.given]
                got = fpa.attention(*tensors, prune_eps=self.EPS, **flags)
                self.assertIsInstance(got, tuple)
                for a, b in zip(got, want, strict=True):
                    np.testing.assert_array_equal(a.detach().numpy(), b)
        self.assertGreater(int(got[1].max()), 0)
        # Output and lse keep their gradients, what was left out has none.
        self.assertEqual([x.requires_grad for x in got], [True, False, False])
        plain = fpa.attention(*tensors, prune_eps=self.EPS)
        for a, b in zip(*[torch.autograd.grad(o.sum(), tensors)
                          for o in (got[0], plain)]):
            self.assertTrue(torch.equal(a, b))
        # Nothing is left out where nothing may be; on GPUs, too.
        for target in ("cpu", "emulator"):
            short = [tensor(x[:, :, :9]) for x in self.given]
            _, *rest = fpa.attention(*short, return_dropped=True,
                                     return_counts=True, target=target)
            self.assertEqual([int(x.count_nonzero()) for x in rest], [0] * 3)

    def test_what_was_left_out_of_mapped_and_compiled(self):
        def f(*x):
            return fpa.attention(*x, prune_eps=self.EPS, return_dropped=True,
                                 return_counts=True)
        tensors = [tensor(x) for x in self.given]
        want = f(*tensors)
        compiled = torch.compile(f, fullgraph=True, backend="aot_eager")
        mapped = torch.vmap(f)(*[torch.stack((x, x)) for x in tensors])
        for a, b, c in zip(compiled(*tensors), mapped, want):
            torch.testing.assert_close(a, c)
            torch.testing.assert_close(b[1], c)
        q, *rest = tensors
        torch.testing.assert_close(
            torch.func.grad(lambda q: f(q, *rest)[0].sum())(q),
            torch.func.grad(lambda q: fpa.attention(
                q, *rest, prune_eps=self.EPS).sum())(q))
        with torch.autocast("cpu", torch.bfloat16):
            o, lost, *_ = f(*tensors)
        self.assertEqual((o.dtype, lost.dtype), (torch.bfloat16, torch.float32))

    def test_compiled_and_mapped(self):
        def f(*x):
            return fpa.attention(*x, prune_eps=self.EPS)
        tensors = [tensor(x) for x in self.given]
        want = f(*tensors)
        torch.testing.assert_close(
            torch.compile(f, fullgraph=True, backend="aot_eager")(*tensors),
            want)
        mapped = torch.vmap(f)(*[torch.stack((x, x)) for x in tensors])
        torch.testing.assert_close(mapped[1], want)

    def test_refused(self):
        tensors = [tensor(x) for x in self.given]
        for eps in (-1e-3, 1.0, float("nan")):
            with self.assertRaisesRegex(ValueError, "^expected prune_eps to be"):
                fpa.attention(*tensors, prune_eps=eps)

    def test_kernels(self):
        tensors = [tensor(x[:, :, :90]).requires_grad_() for x in self.given]
        got, want = (torch.autograd.grad(
            fpa.attention(*tensors, prune_eps=1e-6, target=target).sum(),
            tensors) for target in ("emulator", "cpu"))
        for a, b in zip(got, want):
            torch.testing.assert_close(a, b, rtol=1e-4, atol=1e-4)


if __name__ == "__main__":
    unittest.main()
