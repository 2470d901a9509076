# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arrays of other libraries in the CPU's memory, which say by DLPack where they
are."""

import unittest

import numpy as np

import fpa
from operands import inputs


class Other:
    """Stands for another library's array: little else than DLPack."""

    def __init__(self, x, device=1):
        self._array, self._device = x, device
        self.shape, self.dtype = x.shape, x.dtype

    def __dlpack__(self, **options):
        return self._array.__dlpack__(**options)

    def __dlpack_device__(self):
        return self._device, 0


class OtherArrays(unittest.TestCase):

    def same(self, got, want):
        for a, b in zip(got, want):
            if b is not None:
                self.assertIs(type(a), np.ndarray)
                np.testing.assert_array_equal(a, b)

    def test_results(self):
        given = inputs(heads=2, key_heads=2)
        others = [Other(x) for x in given]
        want = fpa.attention(*given, return_lse=True)
        self.same(fpa.attention(*others, return_lse=True), want)
        # Beside NumPy's, and of any strides.
        turned = Other(given[0].swapaxes(1, 2).copy().swapaxes(1, 2))
        self.same(fpa.attention(turned, *given[1:], return_lse=True), want)
        rows = (*want, want[0])
        self.same(
            fpa.attention_backward(*others, None, *[Other(x) for x in rows]),
            fpa.attention_backward(*given, None, *rows))
        self.same([fpa.prefix_min(others[3])], [fpa.prefix_min(given[3])])
        self.same([fpa.prefix_sum(others[3])], [fpa.prefix_sum(given[3])])
        caches = [fpa.KVCache(1, 2, 16) for _ in range(2)]
        self.same([caches[0].prefill(*others)], [caches[1].prefill(*given)])
        token = [x[:, :, :1] for x in given]
        self.same([caches[0].step(*map(Other, token))],
                  [caches[1].step(*token)])

    def test_memory_is_theirs(self):
        program = fpa.compile("""
          func.func @main(%x: memref<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
            %c0 = arith.constant 0 : index
            %f = arith.constant 7.0 : f32
            memref.store %f, %x[%c0] : memref<?xf32>
            return %y : tensor<?xf32>
          }""")
        x, y = np.zeros(3, "f4"), np.ones(3, "f4")
        self.same([program(x.copy(), Other(y))], [y])
        if np.from_dlpack(x).flags.writeable:
            program(Other(x), y)
            self.assertEqual(x[0], 7)
            return
        # Older NumPy takes all of them for constant.
        with self.assertRaisesRegex(ValueError, "expected argument 0, which the "
                                    "program may write to, to be writeable"):
            program(Other(x), y)

    def test_read_only_arrays(self):
        """Taken, or refused in one line: an older NumPy does not say by DLPack
        that memory is constant, and then shows none that is."""
        given = [x.copy() for x in inputs()]
        want = fpa.attention(*given)
        for x in given:
            x.flags.writeable = False
        self.same([fpa.attention(*given)], [want])
        others = list(map(Other, given))
        try:
            np.from_dlpack(others[0])
        except (BufferError, RuntimeError, TypeError):
            with self.assertRaisesRegex(TypeError, "^expected q to be an array "
                                        "that NumPy can take, got Other: .*$"):
                fpa.attention(*others)
            return
        self.same([fpa.attention(*others)], [want])

    def test_messages(self):
        q, k, v, field = inputs()
        for error, message, x in (
                (ValueError, "expected q in the CPU's memory, got an array on "
                 "DLPack's device 8$", Other(q, 8)),
                (TypeError, "expected q to be an array that NumPy can take, got "
                 "Other: ", Other(np.array([object()]))),
                (TypeError, "expected q to be a NumPy array of float16, .*, got "
                 "int64", Other(q.astype("i8")))):
            with self.assertRaisesRegex(error, message):
                fpa.attention(x, k, v, field)


if __name__ == "__main__":
    unittest.main()
