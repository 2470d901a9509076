# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.KVCache on PyTorch's tensors and on arrays in a device's memory: as on NumPy
arrays, and returned as they came."""

import unittest
from unittest import mock

import numpy as np

import fpa
from fpa._device import Device
from operands import bits, inputs

try:
    import torch
except ImportError:
    torch = None


def operands(length=12, **options):
    """q, k, v, field and a level, float32."""
    arrays = inputs(batch=2, heads=4, key_heads=2, q_length=length,
                    k_length=length, **options)
    return [*arrays, arrays[3] + np.float32(0.5)]


def run(arrays, wrap, *, dtype="float32", target="cpu", **options):
    """Results of a prompt, of several tokens and of one, and the cache."""
    cache = fpa.KVCache(2, 2, 16, dtype=dtype, evict_above=1.0, target=target)
    results = []
    for call, start, stop in ((cache.prefill, 0, 8), (cache.step, 8, 11),
                              (cache.step, 11, 12)):
        few = {name: x.clip(max=stop - start) for name, x in options.items()}
        results += call(*[wrap(x[:, :, start:stop]) for x in arrays],
                        return_lse=True, **few)
    return results, cache


class Kinds(unittest.TestCase):

    def same(self, got, want, give):
        (results, cache), (expected, other) = got, want
        for x, y in zip(results, expected):
            np.testing.assert_array_equal(give(x), y)
        np.testing.assert_array_equal(cache.live, other.live)
        for name in ("error_bound", "dropped_mass"):
            np.testing.assert_allclose(getattr(cache, name),
                                       getattr(other, name))


class OnDevice(Kinds):

    def test_stay_there(self):
        arrays = operands()
        for options in ({}, {"lengths": np.array([7, 2])}):
            want = run(arrays, np.asarray, target="emulator", **options)
            with mock.patch.object(Device, "copy_in", autospec=True,
                                   side_effect=Device.copy_in) as copies:
                got = run(arrays, lambda x: fpa.to_device(x, "emulator"),
                          target="emulator", **options)
            for x in got[0]:
                self.assertEqual(x.target, "emulator")
            self.same(got, want, lambda x: x.numpy())
            if not options:
                # The operands of three calls, and what an empty cache holds.
                self.assertEqual(copies.call_count, 3 * len(arrays) + 2)

    def test_beside_arrays_of_the_host(self):
        q, k, v, field, _ = operands()
        caches = [fpa.KVCache(2, 2, 16, target="emulator") for _ in range(2)]
        got = caches[0].step(fpa.to_device(q, "emulator"), k, v,
                             field.astype("f2"))
        np.testing.assert_array_equal(
            got.numpy(), caches[1].step(q, k, v, field.astype("f2")))

    def test_messages(self):
        q, k, v, field, _ = (fpa.to_device(x, "emulator") for x in operands())
        narrow = fpa.to_device(field.numpy().astype("f2"), "emulator")
        for target, given, error, message in (
                ("cpu", (q, k, v, field), TypeError,
                 "^expected q to be a NumPy array of float32, got float32 of "
                 "shape"),
                ("emulator", (q, k, v, narrow), TypeError,
                 r"^expected field and level of float32 on a device, got float16 "
                 r"of shape \[2, 2, 12\]$"),
                ("emulator", (q, v, k.numpy()[..., 1:], field), ValueError,
                 "^expected v of shape"),
                ("emulator", (q.numpy(), k, v, field), TypeError,
                 "^expected k to be a NumPy array of float32, got")):
            cache = fpa.KVCache(2, 2, 16, target=target)
            for call in (cache.step, cache.prefill):
                with self.assertRaisesRegex(error, message):
                    call(*given)
            self.assertFalse(cache.live.any())


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Tensors(Kinds):

    def test_results(self):
        arrays = operands()
        for target in ("cpu", "emulator"):
            want = run(arrays, np.asarray, target=target)
            got = run(arrays, torch.from_numpy, target=target)
            for x in got[0]:
                self.assertIs(type(x), torch.Tensor)
            self.same(got, want, lambda x: x.numpy())
            got = run(arrays, torch.from_numpy, target=target,
                      lengths=torch.tensor([7, 2]))
            want = run(arrays, np.asarray, target=target,
                       lengths=np.array([7, 2]))
            self.same(got, want, lambda x: x.numpy())

    def test_element_types(self):
        arrays = operands()
        half = [x.astype(np.float16) for x in arrays[:3]] + arrays[3:]
        short = [*map(bits, arrays[:3]), *arrays[3:]]

        def wrap(x):
            if x.dtype.itemsize == 4:
                return torch.from_numpy(x)
            return torch.from_numpy(x.view(np.int16)).view(dtype)

        def unwrap(x):
            return x.view(torch.int16).numpy() if x.dtype == dtype else x.numpy()

        for dtype, given in ((torch.float16, half), (torch.bfloat16, short)):
            for target in ("cpu", "emulator"):
                want, cache = run(given, np.asarray, target=target,
                                  dtype=str(dtype).removeprefix("torch."))
                got = run(given, wrap, dtype=dtype, target=target)
                self.assertEqual([x.dtype for x in got[0][:2]],
                                 [dtype, torch.float32])
                want = [x if x.dtype == "f4" else x.view(np.int16) for x in want]
                self.same(got, (want, cache), unwrap)

    def test_narrow_fields(self):
        q, k, v, field, _ = map(torch.from_numpy, operands())
        narrow = field.to(torch.bfloat16)
        caches = [fpa.KVCache(2, 2, 16) for _ in range(2)]
        self.assertTrue(torch.equal(caches[0].step(q, k, v, narrow),
                                    caches[1].step(q, k, v, narrow.float())))

    def test_memory_is_theirs(self):
        from fpa._cache_operands import kind_of
        for dtype in (torch.float32, torch.bfloat16):
            x = torch.zeros(2, 4, 3, 16, dtype=dtype).transpose(1, 2)
            taken = kind_of(x, "cpu").taken(x)
            self.assertEqual(taken.ctypes.data, x.data_ptr())
            self.assertEqual(taken.shape, x.shape)
        cache = fpa.KVCache(2, 2, 16)
        given = [torch.from_numpy(x) for x in operands()]
        first = cache.step(*given)
        before = first.clone()
        cache.step(*given)
        self.assertTrue(torch.equal(first, before))

    def test_strides_and_negations(self):
        q, k, v, field, level = map(torch.from_numpy, operands())
        negated = torch._neg_view(-v)
        turned = q.transpose(1, 2).contiguous().transpose(1, 2)
        caches = [fpa.KVCache(2, 2, 16) for _ in range(2)]
        self.assertTrue(torch.equal(
            caches[0].step(turned, k, negated, field, level),
            caches[1].step(q, k, v, field, level)))

    def test_messages(self):
        q, k, v, field, _ = map(torch.from_numpy, operands())
        wanting = k.clone().requires_grad_()
        cache = fpa.KVCache(2, 2, 16)
        for given, error, message in (
                ((q.half(), k, v, field), TypeError,
                 r"^expected q to be a tensor of float32, got float16 of shape "
                 r"\[2, 4, 12, 16\]$"),
                ((q, k.numpy(), v, field), TypeError,
                 "^expected k to be a tensor of float32, got ndarray of shape"),
                ((q.numpy(), k, v, field), TypeError,
                 "^expected k to be a NumPy array of float32, got Tensor$"),
                ((q, k, v[:, :, 1:], field), ValueError,
                 r"^expected v of shape \[B = 2, HK = 2, T = 12, Dv = 16\], got "
                 r"shape \[2, 2, 11, 16\]$"),
                ((q, k, v, field.double()), TypeError,
                 "^expected field to be a tensor of float16, bfloat16, float32, "
                 "got float64 of shape"),
                ((q, k, v.to_sparse(), field), TypeError,
                 "^expected v to be a dense tensor, got one of layout"),
                ((q, k, v, field.to("meta")), ValueError,
                 "^expected field in the CPU's memory, got a tensor on meta$"),
                ((q, wanting, v, field), ValueError,
                 "^expected k to need no gradient, which a cache has none of, "
                 "got a tensor that requires one$")):
            for call in (cache.step, cache.prefill):
                with self.assertRaisesRegex(error, message):
                    call(*given)
        self.assertFalse(cache.live.any())
        with torch.no_grad():
            self.assertFalse(cache.step(q, wanting, v, field).requires_grad)


if __name__ == "__main__":
    unittest.main()
