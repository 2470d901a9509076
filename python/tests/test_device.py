# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays that stay in a device's memory, here the emulated GPU's."""

import copy
import gc
import pickle
import unittest

import numpy as np

import fpa
from fpa._device import device
from operands import inputs
from test_compile import BETA


def put(*arrays):
    return [fpa.to_device(x, "emulator") for x in arrays]


class Arrays(unittest.TestCase):

    def test_there_and_back(self):
        for x in (np.arange(6.0).reshape(2, 3), np.ones((), "f4"),
                  np.zeros((0, 4), "i8"), np.arange(8, dtype="f2")[::2]):
            y = fpa.to_device(x, "emulator")
            self.assertEqual((y.shape, y.dtype, y.ndim, y.nbytes),
                             (x.shape, x.dtype, x.ndim, x.nbytes))
            np.testing.assert_array_equal(y.numpy(), x)
            y.set(np.asarray(x + 1, x.dtype))
            np.testing.assert_array_equal(y.numpy(), x + 1)
        self.assertIn("float16 of shape [4] on emulator at 0x", repr(y))
        # Nobody may take it for memory of a GPU.
        self.assertFalse(hasattr(y, "__cuda_array_interface__"))
        with self.assertRaisesRegex(ValueError, r"expected float16 of shape \[4\]"
                                    r", got float32 of shape \[4\]"):
            y.set(np.zeros(4, "f4"))

    def test_copies_have_memory_of_their_own(self):
        x = fpa.to_device(np.arange(8, dtype="f4"), "emulator")
        for make in copy.copy, copy.deepcopy:
            y = make(x)
            self.assertNotEqual(y.address, x.address)
            y.set(np.zeros(8, "f4"))
            del y
            np.testing.assert_array_equal(x.numpy(), np.arange(8))

    def test_what_is_not_copied(self):
        program = fpa.compile("func.func @main(%x: tensor<4xf32>) -> "
                              "tensor<4xf32> { return %x : tensor<4xf32> }")
        cache = fpa.KVCache(1, 1, 4)
        x = fpa.to_device(np.ones(4, "f4"), "emulator")
        on_device = fpa.KVCache(1, 1, 4, target="emulator")
        for call, owners in (
                (pickle.dumps, (program, cache, on_device, x)),
                (copy.copy, (program, cache, on_device)),
                (copy.deepcopy, (program, cache, on_device))):
            for owner in owners:
                with self.assertRaisesRegex(
                        TypeError, "^expected no copy and no pickle of a "
                        + type(owner).__name__ + ", [^\n]*$"):
                    call(owner)

    def test_memory_is_released(self):
        x = fpa.to_device(np.ones(4, "f4"), "emulator")
        address = x.address
        del x
        gc.collect()
        with self.assertRaisesRegex(ValueError, "within one allocation"):
            device("emulator").copy_out(np.empty(4, "f4"), address)

    def test_what_nobody_wrote_is_named(self):
        x = fpa.DeviceArray.empty("emulator", (2, 3), "f4")
        with self.assertRaisesRegex(
                ValueError, r"^float32 of shape \[2, 3\]: copy from the device: "
                r"expected 24 bytes that were written, got none at byte 0$"):
            x.numpy()

    def test_messages(self):
        with self.assertRaisesRegex(TypeError, "expected x to be a NumPy array, "
                                    "got list"):
            fpa.to_device([1.0], "emulator")
        with self.assertRaisesRegex(ValueError, "expected target to be 'cuda' or "
                                    "'emulator', got 'cpu'"):
            fpa.to_device(np.ones(1), "cpu")
        with self.assertRaisesRegex(ValueError, "expected device 'emulator', "
                                    "'cuda' or one as 'cuda:1', got 'cuda:x'"):
            fpa.to_device(np.ones(1), "cuda:x")
        with self.assertRaisesRegex(ValueError, "^expected target to be 'cpu', "
                                    "'emulator' or 'cuda', got 'cuda:'$"):
            fpa.compile(BETA, target="cuda:")


class Attention(unittest.TestCase):

    def test_forward_and_backward(self):
        arrays = inputs(heads=2, q_length=20, k_length=20)
        for options in ({}, {"smooth": 2.0}, {"cu_seqlens": [0, 7, 20]}):
            with self.subTest(**options):
                o, lse = fpa.attention(*put(*arrays), return_lse=True, **options)
                self.assertIsInstance(o, fpa.DeviceArray)
                want = fpa.attention(*arrays, return_lse=True, **options)
                for x, y in zip((o, lse), want):
                    np.testing.assert_allclose(x.numpy(), y, rtol=1e-5,
                                               atol=1e-5)
                got = fpa.attention_backward(*put(*arrays), None, o, lse,
                                             *put(want[0]), **options)
                want = fpa.attention_backward(*arrays, None, *want, want[0],
                                              **options)
                self.assertIsNone(got[4])
                for x, y in zip(got[:4], want[:4]):
                    np.testing.assert_allclose(x.numpy(), y, rtol=2e-4,
                                               atol=2e-4)

    def test_messages(self):
        arrays = inputs(q_length=4, k_length=4)
        q, k, v, field = put(*arrays)
        for error, message, call in (
                (TypeError, "expected field, level and dlse of float32 on a "
                 "device, got float16", lambda: fpa.attention(
                     q, k, v, *put(arrays[3].astype("f2")))),
                (ValueError, "expected argument 0 on target cuda, got one on "
                 "emulator|no GPU", lambda: fpa.attention(
                     q, k, v, field, target="cuda")),
                (ValueError, "got one for 'cpu'", lambda: fpa.attention(
                    q, k, v, field, target="cpu")),
                (TypeError, "expected q to be a NumPy array of float32, got",
                 lambda: fpa.KVCache(1, 1, 16).step(q, k, v, field)),
                (ValueError, "expected k of shape .* D = 16",
                 lambda: fpa.attention(q, *put(arrays[1][..., :8].copy()), v,
                                       field))):
            with self.assertRaisesRegex(error, message) as caught:
                call()
            self.assertNotIn("\n", str(caught.exception))


PACKED = """
func.func @main(%q: tensor<1x1x?x4xf32>, %n: tensor<?xi64>) -> tensor<1x1x?x4xf32> {
  %c2 = arith.constant 2 : index
  %l = tensor.dim %q, %c2 : tensor<1x1x?x4xf32>
  %e = tensor.empty(%l) : tensor<1x1x?x4xf32>
  %o = fpa.attention
    ins(%q, %q, %q : tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>)
    cu_seqlens(%n, %n : tensor<?xi64>, tensor<?xi64>)
    outs(%e : tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}
"""

SCALE = """
func.func @main(%m: memref<?xf32>, %s: tensor<f32>) {
  %x = bufferization.to_tensor %m restrict writable : memref<?xf32> to tensor<?xf32>
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?xf32>
  %y = linalg.generic {
      indexing_maps = [affine_map<(i) -> ()>, affine_map<(i) -> (i)>],
      iterator_types = ["parallel"]}
    ins(%s : tensor<f32>) outs(%x : tensor<?xf32>) {
    ^bb0(%a: f32, %b: f32):
      %c = arith.mulf %a, %b : f32
      linalg.yield %c : f32
    } -> tensor<?xf32>
  bufferization.materialize_in_destination %y in restrict writable %m
    : (tensor<?xf32>, memref<?xf32>) -> ()
  return
}
"""


class Programs(unittest.TestCase):

    def test_written_in_place(self):
        scale = fpa.compile(SCALE, target="emulator")
        x, two = np.arange(5, dtype="f4"), np.array(2, "f4")
        y, = put(x)
        for _ in range(3):
            self.assertIsNone(scale(y, two))
        np.testing.assert_array_equal(y.numpy(), 8 * x)
        with self.assertRaisesRegex(TypeError, "expected argument 0, which the "
                                    "program may write to, on target emulator "
                                    "as others are, got float32"):
            scale(x, *put(two))
        inside = fpa.DeviceArray("emulator", y.address, (), "f4")
        with self.assertRaisesRegex(ValueError, "expected input 0, which the "
                                    "program may write to, in memory of its own"):
            scale(y, inside)

    def test_results_in_the_callers_memory(self):
        program = fpa.compile(PACKED, target="emulator")
        q, = put(np.ones((1, 1, 3, 4), "f4"))
        n, = put(np.array([0, 3]))
        out = fpa.DeviceArray.empty("emulator", q.shape, q.dtype)

        def start(address):
            program.start([q.address, n.address], [*q.shape, *n.shape],
                          lambda shapes: [address], 0)

        start(out.address)
        np.testing.assert_array_equal(out.numpy(), np.ones(q.shape))
        for address, message in (
                (q.address, "expected result 0 in memory of its own, got some "
                            "that is also of input 0"),
                (q.address + 32, "expected result 0 in memory of its own"),
                (out.address + 4, "expected result 0 at a multiple of 16 bytes"),
                (1 << 40, "kernel .*: llvm.store of .* outside of every "
                          "allocation")):
            with self.assertRaisesRegex(ValueError, message):
                start(address)

    def test_elements_are_judged(self):
        program = fpa.compile(PACKED, target="emulator")
        q, = put(np.ones((1, 1, 3, 4), "f4"))
        for bounds, message in (
                ([0, 4], "expected the last element to be at most 3, got 4"),
                ([1, 3], "expected element 0 to be 0, got 1")):
            with self.assertRaisesRegex(ValueError, message):
                program(q, *put(np.array(bounds)))
        beta = fpa.compile(BETA, target="emulator")
        field, numbers = put(np.zeros((1, 1, 3), "f4"), np.array([1, -1], "f4"))
        with self.assertRaisesRegex(ValueError, "^fpa.attention: expected smooth "
                                    "to be positive and finite, got 0$"):
            beta(q, field, numbers)
        numbers.set(np.array([1, 1], "f4"))
        np.testing.assert_allclose(beta(q, field, numbers).numpy(),
                                   np.ones(q.shape), rtol=1e-6)


if __name__ == "__main__":
    unittest.main()
