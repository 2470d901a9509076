# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.compile: any module, its messages, and what it keeps."""

import gc
import threading
import unittest

import numpy as np

import fpa

ADD = """
func.func @main(%a: tensor<?x3xf32>, %b: tensor<?x3xf32>) -> tensor<?x3xf32> {
  %c = arith.addf %a, %b : tensor<?x3xf32>
  return %c : tensor<?x3xf32>
}
"""


# Its beta is the sum of two numbers.
BETA = """
func.func @main(%q: tensor<1x1x?x4xf32>, %f: tensor<1x1x?xf32>, %x: tensor<2xf32>)
    -> tensor<1x1x?x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %a = tensor.extract_slice %x[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %b = tensor.extract_slice %x[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %beta = arith.addf %a, %b : tensor<f32>
  %n = tensor.dim %q, %c2 : tensor<1x1x?x4xf32>
  %e = tensor.empty(%n) : tensor<1x1x?x4xf32>
  %o = fpa.attention
    ins(%q, %q, %q : tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>, tensor<1x1x?x4xf32>)
    field(%f : tensor<1x1x?xf32>) smooth(%beta : tensor<f32>)
    outs(%e : tensor<1x1x?x4xf32>) -> tensor<1x1x?x4xf32>
  return %o : tensor<1x1x?x4xf32>
}
"""


class Compile(unittest.TestCase):

    def test_runs_with_any_length(self):
        add = fpa.compile(ADD)
        for length in (0, 1, 5, 1000):
            a = np.arange(3.0 * length, dtype="f4").reshape(length, 3)
            np.testing.assert_array_equal(add(a, a[::-1]), a + a[::-1])

    def test_signature(self):
        add = fpa.compile(ADD)
        self.assertEqual(add.inputs, [("f32", (None, 3))] * 2)
        self.assertEqual(add.results, [("f32", (None, 3))])
        self.assertIn("main(tensor<?x3xf32>, tensor<?x3xf32>)", repr(add))

    def test_entry_rank_0_and_several_results(self):
        program = fpa.compile("""
          func.func @other() { return }
          func.func @scaled(%x: tensor<4xf64>, %by: tensor<f64>)
              -> (tensor<4xf64>, tensor<4xf64>) {
            %s = tensor.extract %by[] : tensor<f64>
            %t = tensor.splat %s : tensor<4xf64>
            %y = arith.mulf %x, %t : tensor<4xf64>
            return %y, %t : tensor<4xf64>, tensor<4xf64>
          }""", entry="scaled")
        y, t = program(np.arange(4.0), np.array(2.5))
        np.testing.assert_array_equal(y, [0, 2.5, 5, 7.5])
        np.testing.assert_array_equal(t, [2.5] * 4)

    def test_sizes_of_memrefs(self):
        copy = fpa.compile("""
          func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {
            fpa.prefix_min axis(0) ins(%x : memref<?xf32>) outs(%y : memref<?xf32>)
            return
          }""")
        x, y = np.array([3, 1, 2], "f4"), np.zeros(3, "f4")
        copy(x, y)
        np.testing.assert_array_equal(y, [3, 1, 1])
        with self.assertRaisesRegex(ValueError, "output dimension 0 to be 1000 .*, got 3"):
            copy(np.zeros(1000, "f4"), y)

    def test_memrefs_that_are_only_read(self):
        program = fpa.compile("""
          func.func @main(%x: memref<?xf32>, %y: memref<?x2xf32>) -> tensor<?xf32> {
            %t = bufferization.to_tensor %x restrict : memref<?xf32> to tensor<?xf32>
            %c0 = arith.constant 0 : index
            %v = memref.subview %y[0, 1] [1, 1] [1, 1]
              : memref<?x2xf32> to memref<f32, strided<[], offset: 1>>
            %z = memref.load %v[] : memref<f32, strided<[], offset: 1>>
            %n = tensor.dim %t, %c0 : tensor<?xf32>
            %e = tensor.splat %z[%n] : tensor<?xf32>
            %r = arith.addf %t, %e : tensor<?xf32>
            return %r : tensor<?xf32>
          }""")
        x, y = np.arange(6, dtype="f4"), np.full((1, 2), 10, "f4")
        x.setflags(write=False)
        y.setflags(write=False)
        np.testing.assert_array_equal(program(x, y), x + 10)
        np.testing.assert_array_equal(program(x[::2], y), x[::2] + 10)
        np.testing.assert_array_equal(program(y[0], y), [20, 20])

    def test_memrefs_that_are_written(self):
        for text in ("memref.store %f, %x[%c0] : memref<?xf32>", """
            %t = bufferization.to_tensor %x restrict writable
              : memref<?xf32> to tensor<?xf32>
            %s = tensor.insert %f into %t[%c0] : tensor<?xf32>
            bufferization.materialize_in_destination %s in restrict writable %x
              : (tensor<?xf32>, memref<?xf32>) -> ()""", """
            %v = memref.subview %x[0] [1] [1] : memref<?xf32> to memref<1xf32>
            memref.store %f, %v[%c0] : memref<1xf32>"""):
            program = fpa.compile(f"""
              func.func @main(%x: memref<?xf32>, %y: memref<?xf32>) {{
                %c0 = arith.constant 0 : index
                %f = memref.load %y[%c0] : memref<?xf32>
                {text}
                return
              }}""")
            x, y = np.zeros(6, "f4"), np.full(6, 5, "f4")
            program(x, y)
            np.testing.assert_array_equal(x, [5, 0, 0, 0, 0, 0])
            for a, b in ((x, x), (x[:4], x[3:]), (x[3:], x[:4])):
                with self.assertRaisesRegex(
                        ValueError, "^expected input 0, which the program may "
                        "write to, in memory of its own, got some that is also "
                        "of input 1$"):
                    program(a, b)
            program(x[:3], x[3:])
            y.setflags(write=False)
            program(x, y)
            x.setflags(write=False)
            with self.assertRaisesRegex(ValueError, "argument 0, which the "
                                        "program may write to, to be writeable"):
                program(x, y)

    def test_a_beta_that_is_computed(self):
        # A GPU's program gives beta to the host, which judges it.
        for target in ("cpu", "emulator"):
            self.check_beta(fpa.compile(BETA, target=target))

    def check_beta(self, program):
        q, field = np.ones((1, 1, 3, 4), "f4"), np.zeros((1, 1, 3), "f4")
        np.testing.assert_allclose(
            program(q, field, np.array([1, 2], "f4")),
            fpa.attention(q, q, q, field, smooth=3.0), rtol=1e-6)
        for numbers, message in (
                ([1, -1], "be positive and finite, got 0"),
                ([1, -3], "be positive and finite, got -2"),
                ([np.nan, 1], "be positive and finite, got nan"),
                ([np.inf, 1], "be positive and finite, got inf"),
                ([1e38, 1], r"lie between 2\^-100 and 2\^100 for logits of "
                            r"'f32', got 1e\+38")):
            with self.assertRaisesRegex(
                    ValueError, f"^fpa.attention: expected smooth to {message}$"):
                program(q, field, np.array(numbers, "f4"))

    def test_sizes_that_a_loop_changes(self):
        shrink = fpa.compile("""
          func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
            %c0 = arith.constant 0 : index
            %c1 = arith.constant 1 : index
            %c3 = arith.constant 3 : index
            %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
              %b = fpa.prefix_min axis(0) ins(%a : tensor<?xf32>) outs(%y : tensor<?xf32>)
                -> tensor<?xf32>
              %s = tensor.extract_slice %b[0] [2] [1] : tensor<?xf32> to tensor<2xf32>
              %d = tensor.cast %s : tensor<2xf32> to tensor<?xf32>
              scf.yield %d : tensor<?xf32>
            }
            return %r : tensor<?xf32>
          }""")
        np.testing.assert_array_equal(shrink(np.array([2, 1], "f4"), np.zeros(2, "f4")), [2, 1])
        for _ in range(3):  # the first turn fits, the second does not
            with self.assertRaisesRegex(ValueError, "output dimension 0 to be 2 .*, got 5"):
                shrink(np.zeros(5, "f4"), np.zeros(5, "f4"))

    def test_deep_nesting_is_refused(self):
        for depth in (6000, 100000):
            text = f"func.func private @main({'tuple<' * depth}i32{'>' * depth})"
            with self.assertRaisesRegex(Exception, "expected at most 1024 brackets"):
                fpa.compile(text)
        text = (f"func.func private @main({'tuple<' * 1000}i32{'>' * 1000})")
        errors = []

        def compile_():  # on a thread of little stack
            try:
                fpa.compile(text)
            except Exception as error:
                errors.append(str(error))

        before = threading.stack_size(256 << 10)
        try:
            thread = threading.Thread(target=compile_)
            thread.start()
            thread.join()
        finally:
            threading.stack_size(before)
        self.assertIn("expected a", errors[0])
        self.assertLess(len(errors[0]), 1000)

    def test_argument_as_result(self):
        program = fpa.compile("""
          func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
            return %x : tensor<?xf32>
          }""")
        x = np.ones(3, np.float32)
        y = program(x)
        y[:] = 2
        np.testing.assert_array_equal(x, [1, 1, 1])

    def test_constant_as_result(self):
        program = fpa.compile("""
          func.func @main() -> tensor<3xf32> {
            %c = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
            return %c : tensor<3xf32>
          }""")
        program()[:] = 0
        np.testing.assert_array_equal(program(), [1, 2, 3])

    def test_never_writes_to_arguments(self):
        program = fpa.compile("""
          func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
            %one = arith.constant 1.0 : f32
            %c0 = arith.constant 0 : index
            %y = tensor.insert %one into %x[%c0] : tensor<?xf32>
            return %y : tensor<?xf32>
          }""")
        x = np.zeros(3, np.float32)
        np.testing.assert_array_equal(program(x), [1, 0, 0])
        np.testing.assert_array_equal(x, [0, 0, 0])

    def test_is_compiled_once(self):
        self.assertIs(fpa.compile(ADD), fpa.compile(ADD))

    def test_results_are_freed(self):
        add = fpa.compile(ADD)
        a = np.zeros((1 << 16, 3), np.float32)
        add(a, a)
        gc.collect()
        fpa.memory_reset()
        for _ in range(20):
            add(a, a)
        self.assertLess(fpa.memory_peak(), 4 * a.nbytes)

    def test_from_several_threads(self):
        add = fpa.compile(ADD)
        wrong = []

        def work(seed):
            a = np.full((4000, 3), seed, np.float32)
            for _ in range(10):
                if not (add(a, a) == 2 * seed).all():
                    wrong.append(seed)

        threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])

    def test_thread_count(self):
        self.assertGreaterEqual(fpa.get_threads(), 1)
        fpa.set_threads(1)
        self.assertEqual(fpa.get_threads(), 1)
        fpa.set_threads(0)


def held():
    """Bytes that compiled code holds now."""
    fpa.memory_reset()
    return fpa.memory_peak()


class Memory(unittest.TestCase):

    def refuse(self, call):
        before = held()
        for _ in range(3):
            with self.assertRaisesRegex(MemoryError, "out of memory, could not "
                                        "get [0-9]+ bytes"):
                call()
        self.assertEqual(held(), before)

    def test_of_a_call(self):
        # Nothing to compute, but numbers per row of a batch.
        q = np.empty((0, 1, 2**45, 8), "f4")
        self.refuse(lambda: fpa.attention(q, q, q, None))
        self.assertEqual(fpa.attention(*[np.ones((1, 1, 2, 8), "f4")] * 3,
                                       None).shape, (1, 1, 2, 8))
        x = np.empty((0, 1, 2**40, 8), "f4")
        self.assertEqual(fpa.prefix_min(x, 2).shape, x.shape)

    def test_thread_counts_that_are_none(self):
        self.addCleanup(fpa.set_threads, 0)
        for count in (1.5, None, "2", [], True, np.float64(2)):
            with self.assertRaisesRegex(
                    TypeError, "expected count to be an integer, got "):
                fpa.set_threads(count)
        for count in (-1, 1025, 2**32 + 1, 2**64 + 5):
            with self.assertRaisesRegex(
                    ValueError, r"expected count to be in \[0, 1024\], got "):
                fpa.set_threads(count)
        fpa.set_threads(np.int64(3))
        self.assertEqual(fpa.get_threads(), 3)

    def test_of_an_index_of_a_parallel_loop(self):
        program = fpa.compile("""
          func.func @main(%x: tensor<?x?xf32>, %at: tensor<40xindex>) -> tensor<40xf32> {
            %c1 = arith.constant 1 : index
            %one = arith.constant 1.0 : f32
            %n = tensor.dim %x, %c1 : tensor<?x?xf32>
            %init = tensor.empty() : tensor<40xf32>
            %r = scf.forall (%t) in (40) shared_outs(%o = %init) -> tensor<40xf32> {
              %size = arith.muli %t, %n : index
              %e = tensor.empty(%size) : tensor<?xf32>
              %ones = linalg.fill ins(%one : f32) outs(%e : tensor<?xf32>) -> tensor<?xf32>
              %z = tensor.empty(%size) : tensor<?xf32>
              %sums = fpa.prefix_sum axis(0) ins(%ones : tensor<?xf32>)
                outs(%z : tensor<?xf32>) -> tensor<?xf32>
              %i = tensor.extract %at[%t] : tensor<40xindex>
              %has = arith.cmpi slt, %i, %size : index
              %v = scf.if %has -> f32 {
                %w = tensor.extract %sums[%i] : tensor<?xf32>
                scf.yield %w : f32
              } else {
                scf.yield %one : f32
              }
              %row = tensor.empty() : tensor<1xf32>
              %f = linalg.fill ins(%v : f32) outs(%row : tensor<1xf32>) -> tensor<1xf32>
              scf.forall.in_parallel {
                tensor.parallel_insert_slice %f into %o[%t] [1] [1]
                  : tensor<1xf32> into tensor<40xf32>
              }
            }
            return %r : tensor<40xf32>
          }""")
        at = np.arange(40)
        self.addCleanup(fpa.set_threads, 0)
        for threads in (1, 3):
            fpa.set_threads(threads)
            self.refuse(lambda: program(np.empty((0, 2**47), "f4"), at))
            np.testing.assert_array_equal(
                program(np.empty((0, 5), "f4"), at)[1:], np.arange(2, 41))


class Messages(unittest.TestCase):

    def refuse(self, error, message, call):
        with self.assertRaisesRegex(error, message) as caught:
            call()
        self.assertNotIn("\n", str(caught.exception))

    def test_text(self):
        for text, message in (
                ("func.func @main(", "expected"),
                ("func.func @main() { fpa.nothing }", "fpa.nothing"),
                ("func.func @other() { return }", "main"),
                ("", "main")):
            self.refuse(fpa.CompileError, message, lambda: fpa.compile(text))
        self.refuse(TypeError, "expected mlir_text to be a string, got bytes",
                    lambda: fpa.compile(b""))
        self.refuse(TypeError, "expected entry to be a string",
                    lambda: fpa.compile(ADD, entry=3))
        self.refuse(ValueError, "expected entry without null characters, got "
                    r"'main.x00x'", lambda: fpa.compile(ADD, entry="main\0x"))
        self.refuse(ValueError, "expected options without null characters",
                    lambda: fpa.compile(ADD, options="\0"))
        self.refuse(ValueError, "expected target to be 'cpu', 'emulator' or "
                    "'cuda', got 'tpu'",
                    lambda: fpa.compile(ADD, target="tpu"))

    def test_types_that_cannot_be_passed(self):
        self.refuse(
            fpa.CompileError, "main",
            lambda: fpa.compile("func.func @main(%x: tensor<*xf32>) { return }"))

    def test_sizes_that_must_be_equal(self):
        add = fpa.compile(ADD)
        self.refuse(ValueError, "expected .* 2.* 4", lambda: add(
            np.zeros((2, 3), "f4"), np.zeros((4, 3), "f4")))

    def test_arguments(self):
        add = fpa.compile(ADD)
        a = np.zeros((2, 3), np.float32)
        self.refuse(TypeError, "expected 2 arguments of main, got 1",
                    lambda: add(a))
        self.refuse(TypeError, "expected argument 1 to be a NumPy array of type "
                    "float32, got float64", lambda: add(a, a.astype("f8")))
        self.refuse(TypeError, "got list", lambda: add(a.tolist(), a))
        self.refuse(ValueError, r"expected argument 0 of type tensor<\?x3xf32>, "
                    r"got shape \[2, 4\]",
                    lambda: add(np.zeros((2, 4), np.float32), a))


if __name__ == "__main__":
    unittest.main()
