# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on disk: found again, made again when damaged, shared, bounded."""

import contextlib
import errno
import io
import os
import subprocess
import sys
import tempfile
import time
import unittest
from unittest import mock

import numpy as np

import fpa
from fpa import _program

TEXT = """
func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> {{
  %c = arith.{op} %a, %a : tensor<?xf32>
  return %c : tensor<?xf32>
}}"""


def run(op="addf", **options):
    """Doubles, or squares, 3: compiled, loaded or from memory."""
    result = fpa.compile(TEXT.format(op=op), **options)(np.float32([3]))
    return result.tolist()


def forget():
    """As another process would start."""
    _program.cached.cache_clear()


class Cache(unittest.TestCase):

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.path = os.path.join(self.folder.name, "kernels")
        self.environment(FPA_CACHE_DIR=self.path)
        forget()

    def environment(self, **variables):
        patch = mock.patch.dict(os.environ, variables)
        patch.start()
        self.addCleanup(patch.stop)

    def compilations(self):
        """A context that counts them."""
        return mock.patch.object(_program, "_compile",
                                 side_effect=_program._compile)

    def files(self):
        return sorted(os.listdir(self.path))

    def test_found_again(self):
        with self.compilations() as count:
            self.assertEqual(run(), [6])
            forget()
            self.assertEqual(run(), [6])
        self.assertEqual(count.call_count, 1)
        self.assertEqual(fpa.cache.path(), self.path)
        self.assertEqual(fpa.cache.size(), os.path.getsize(
            os.path.join(self.path, *self.files())))
        self.assertEqual(os.stat(self.path).st_mode & 0o777, 0o700)

    def test_what_is_no_file_is_not_read(self):
        run()
        file = os.path.join(self.path, *self.files())
        for make in (os.mkfifo, lambda at: os.symlink("/dev/zero", at)):
            os.unlink(file)
            make(file)
            forget()
            self.assertEqual(run(), [6])  # and in finite time and memory
            # It was put in its place.
            self.assertTrue(os.path.isfile(file) and not os.path.islink(file))

    def test_attention_from_disk(self):
        rng = np.random.default_rng(0)
        q, k, v = rng.normal(size=(3, 1, 1, 40, 8)).astype("f4")
        field = rng.normal(size=(1, 1, 40)).astype("f4")
        want = fpa.attention(q, k, v, field)
        forget()
        with self.compilations() as count:
            np.testing.assert_array_equal(fpa.attention(q, k, v, field), want)
            with self.assertRaisesRegex(ValueError, "expected field of shape"):
                fpa.attention(q, k, v, field[..., 1:])
        self.assertEqual(count.call_count, 0)

    def test_what_tells_kernels_apart(self):
        with self.compilations() as count:
            self.assertEqual(run("addf"), [6])
            self.assertEqual(run("mulf"), [9])
            self.assertEqual(run("addf", options="key-tile=128"), [6])
            forget()
            self.assertEqual(run("mulf"), [9])
            self.assertEqual(count.call_count, 3)
            forget()
            with mock.patch.object(fpa.cache, "_compiler",
                                   return_value=b"another"):
                self.assertEqual(run("addf"), [6])
            self.assertEqual(count.call_count, 4)
        self.assertEqual(len(self.files()), 4)

    def test_damage(self):
        run()
        file, = (os.path.join(self.path, name) for name in self.files())
        with open(file, "rb") as stream:
            good = stream.read()
        middle = len(good) // 2
        for bad in (b"", good[:-1], good[:20],
                    good[:middle] + bytes([good[middle] ^ 1])
                    + good[middle + 1:]):
            with open(file, "wb") as stream:
                stream.write(bad)
            forget()
            with self.compilations() as count:
                self.assertEqual(run(), [6])
            self.assertEqual(count.call_count, 1)
            with open(file, "rb") as stream:
                self.assertEqual(stream.read(), good)

    def test_code_that_does_not_link(self):
        """Sound as a file, and not code: compiled instead."""
        run()
        forget()
        with mock.patch.object(fpa.cache, "find", return_value=b"not code"):
            self.assertEqual(run(), [6])

    def test_clear(self):
        run()
        other = os.path.join(self.path, "notes.txt")
        open(other, "w").close()
        fpa.cache.clear()
        self.assertEqual(self.files(), ["notes.txt"])
        with self.compilations() as count:
            run()
        self.assertEqual(count.call_count, 1)

    def test_clear_what_cannot_be_removed(self):
        run()
        error = OSError(errno.EROFS, "read-only")
        with mock.patch.object(os, "unlink", side_effect=error):
            with self.assertRaises(OSError):
                fpa.cache.clear()

    def test_off(self):
        self.environment(FPA_CACHE_DIR="")
        self.assertIsNone(fpa.cache.path())
        self.assertEqual(run(), [6])
        self.assertEqual(fpa.cache.size(), 0)
        fpa.cache.clear()
        self.assertFalse(os.path.exists(self.path))

    def test_default_folder(self):
        with mock.patch.dict(os.environ, XDG_CACHE_HOME="/x", HOME="/h"):
            del os.environ["FPA_CACHE_DIR"]
            self.assertEqual(fpa.cache.path(), "/x/fpa")
            del os.environ["XDG_CACHE_HOME"]
            self.assertEqual(fpa.cache.path(), "/h/.cache/fpa")
            os.environ["HOME"] = ""  # not a folder of the root
            self.assertIsNone(fpa.cache.path())

    def test_bounded(self):
        run("addf")
        run("mulf")
        one = fpa.cache.size() // 2
        old, = (f for f in self.files()
                if f != os.path.basename(fpa.cache._file(
                    (TEXT.format(op="addf"), "main", ""))))
        past = time.time() - 100
        os.utime(os.path.join(self.path, old), (past, past))
        self.environment(FPA_CACHE_BYTES=str(one * 5 // 2))
        run("subf")
        self.assertEqual(len(self.files()), 2)
        self.assertNotIn(old, self.files())

    def test_a_folder_of_others_is_not_used(self):
        os.mkdir(self.path)
        os.chmod(self.path, 0o777)
        self.assertEqual(run(), [6])
        self.assertEqual(self.files(), [])

    def test_a_folder_that_cannot_be(self):
        file = os.path.join(self.folder.name, "file")
        open(file, "w").close()
        self.environment(FPA_CACHE_DIR=os.path.join(file, "below"))
        self.assertEqual(run(), [6])

    def test_several_processes(self):
        code = ("import fpa, numpy as np; x = np.float32([1, 3, 2]);"
                "print(fpa.prefix_min(x).tolist(), fpa.prefix_sum(x).tolist())")
        folder = os.path.dirname(os.path.dirname(fpa.__file__))
        processes = [subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": folder}) for _ in range(4)]
        for process in processes:
            self.assertEqual(process.communicate()[0].decode(),
                             "[1.0, 1.0, 1.0] [1.0, 4.0, 6.0]\n")
            self.assertEqual(process.returncode, 0)
        self.assertEqual(len(self.files()), 2)

    def test_progress(self):
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors), \
                mock.patch.object(_program._Progress, "SECONDS", 0):
            run()
        self.assertRegex(errors.getvalue(),
                         r"\Afpa: compiling 'main' on tensor<\?xf32> for target "
                         r"cpu; .*\n\Z")
        errors = io.StringIO()
        with contextlib.redirect_stderr(errors):
            run("mulf")
        self.assertEqual(errors.getvalue(), "")

    def test_progress_says_which_kernel(self):
        x, row = np.ones((1, 1, 3, 8), "f4"), np.ones((1, 1, 3), "f4")
        for call, what in (
                (lambda: fpa.attention(x, x, x, row), "fpa.attention"),
                (lambda: fpa.attention_backward(x, x, x, row, None, x, row, x),
                 "fpa.attention_backward")):
            errors = io.StringIO()
            with contextlib.redirect_stderr(errors), \
                    mock.patch.object(_program._Progress, "SECONDS", 0):
                _program.cached.cache_clear()
                call()
            self.assertRegex(
                errors.getvalue(), rf"\Afpa: compiling {what} on "
                r"tensor<\?x\?x\?x8xf32> for target cpu; .*\n\Z")
        names = "fpa.a fpa.b fpa.a fpa.c fpa.d"
        self.assertEqual(
            _program._kernel_text(f"func.func @f(\n  %q.1: memref<?xf16, 1>) {names}",
                                  "f"),
            "fpa.a, fpa.b, fpa.c and others in 'f' on memref<?xf16, 1>")
        self.assertEqual(_program._kernel_text("func.func @f()", "f"), "'f'")


if __name__ == "__main__":
    unittest.main()
