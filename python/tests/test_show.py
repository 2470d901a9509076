# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.show and fpa.plot."""

import os
import struct
import tempfile
import unittest
import zlib

import numpy as np

import fpa
from fpa import reference


class Stages(unittest.TestCase):

    def test_every_stage(self):
        for stage, has, has_not in (
                ("graph", "fpa.attention ", "scf.for"),
                ("streaming", "fpa.online_attention", "fpa.attention "),
                ("tiles", "vector.contract", "fpa.online_attention"),
                ("buffers", "memref.alloc", "tensor.empty"),
                ("machine", "fpa.parallel_call", "vector.contract"),
                ("llvm-dialect", "llvm.func", "scf.for"),
                ("llvm", "define ", "llvm.func")):
            with self.subTest(stage=stage):
                text = fpa.show(stage)
                self.assertIn(has, text)
                self.assertNotIn(has_not, text)

    def test_gpu(self):
        for stage, has in (("streaming", "fpa.online_attention"),
                           ("machine", "gpu.func"), ("nvvm", "nvvm."),
                           ("llvm", "define "), ("ptx", ".target sm_90")):
            with self.subTest(stage=stage):
                self.assertIn(has, fpa.show(stage, target="sm_90",
                                            dtype="float16"))

    def test_kinds(self):
        text = fpa.show(head_dim=32, v_head_dim=16, dtype="bfloat16",
                        level=True, packed=True, return_lse=True, window=7,
                        smooth=2, scale=0.25)
        for part in ("x32xbf16", "x16xbf16", "level", "cu_seqlens",
                     "window = 7", "smooth(%", "scale = 2.5"):
            self.assertIn(part, text)
        self.assertIn("fpa.backward_tile",
                      fpa.show("streaming", "attention_backward"))
        self.assertIn("arith.addf", fpa.show("graph", """
            func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
              %b = arith.addf %a, %a : tensor<4xf32>
              return %b : tensor<4xf32>
            }"""))
        self.assertIn("x96x", fpa.show("tiles", options="query-tile=96"))

    def refuse(self, error, message, *arguments, **options):
        with self.assertRaisesRegex(error, message) as caught:
            fpa.show(*arguments, **options)
        self.assertNotIn("\n", str(caught.exception))

    def test_messages(self):
        self.refuse(ValueError, "expected stage for target 'cpu' to be graph, "
                    ".*, llvm-dialect or llvm, got 'ptx'", "ptx")
        self.refuse(ValueError, "expected stage for target 'sm_80' to be .*, "
                    "nvvm, llvm or ptx, got 'x'", "x", target="sm_80")
        self.refuse(ValueError, "sm_12", target="sm_12")
        self.refuse(ValueError, "expected dtype to be one of .*, got 'f32'",
                    dtype="f32")
        self.refuse(TypeError, "expected stage to be a string, got int", 3)
        self.refuse(ValueError, "pipeline options: ", options="tile=3")
        self.refuse(ValueError, "module:1:1: .*'what' is unknown", "graph",
                    "what")
        self.refuse(ValueError, "expected a field to go with level",
                    field=False, level=True)


class Pictures(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.path = os.path.join(folder.name, "picture.png")

    def pixels(self):
        """The picture's palette indices, read back."""
        with open(self.path, "rb") as file:
            data = file.read()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        at, body = 8, b""
        while at < len(data):
            size, kind = struct.unpack(">I4s", data[at:at + 8])
            chunk = data[at + 8:at + 8 + size]
            check, = struct.unpack(">I", data[at + 8 + size:at + 12 + size])
            self.assertEqual(check, zlib.crc32(kind + chunk))
            if kind == b"IHDR":
                width, height = struct.unpack(">II", chunk[:8])
            if kind == b"IDAT":
                body += chunk
            at += 12 + size
        lines = np.frombuffer(zlib.decompress(body), np.uint8)
        return lines.reshape(height, width + 1)[:, 1:]

    def test_penalty(self):
        field = np.float32([3, 2, 5, 1, 4])
        image = fpa.plot.penalty(self.path, field)
        np.testing.assert_array_equal(self.pixels(), image)
        np.testing.assert_array_equal(image, [
            [0, 9, 9, 9, 9], [1, 0, 9, 9, 9], [1, 0, 0, 9, 9],
            [2, 1, 4, 0, 9], [2, 1, 4, 0, 0]])
        self.assertEqual(fpa.plot.penalty(self.path, field, step=2)[4, 2], 2)
        self.assertEqual(fpa.plot.penalty(self.path, field, field + 9)[4, 0], 8)

    def test_live(self):
        rng = np.random.default_rng(0)
        field, level = rng.normal(size=(2, 20))
        image = fpa.plot.live(self.path, field, level)
        np.testing.assert_array_equal(self.pixels(), image)
        for i in range(20):
            gone = reference.penalty(field, level, i) > 0
            np.testing.assert_array_equal(image[i, :i + 1], gone)
            self.assertTrue((image[i, i + 1:] == 2).all())
        self.assertFalse((fpa.plot.live(self.path, field, level, above=99)
                          == 1).any())

    def test_tiles(self):
        """Every pair that attention sees is visited, and those of unmasked
        tiles are all seen."""
        for q_length, k_length, options in (
                (100, 100, {}), (300, 700, {}), (70, 40, {}),
                (500, 500, {"window": 130}),
                (300, 300, {"cu_seqlens": [0, 30, 30, 200, 300]})):
            with self.subTest(q_length=q_length, **options):
                image = fpa.plot.tiles(self.path, q_length, k_length,
                                       key_tile=32, edge_tile=16, **options)
                np.testing.assert_array_equal(self.pixels(), image)
                q, k = (np.zeros((1, 1, n, 1)) for n in (q_length, k_length))
                i = np.arange(q_length)[:, None] + k_length - q_length
                j = np.arange(k_length)
                seen = (j <= i) & (j > i - options.get("window", 10**6))
                if "cu_seqlens" in options:
                    bounds = np.array(options["cu_seqlens"])
                    of = np.searchsorted(bounds, np.arange(300), "right")
                    seen = seen & (of[:, None] == of)
                self.assertTrue((image[seen] > 0).all())
                self.assertTrue(seen[image == 2].all())
                self.assertTrue((image == 2).any() or q_length == 70)
        visited = fpa.plot.tiles(self.path, 2000, window=100) > 0
        self.assertLess(visited.mean(), 0.1)

    def test_messages(self):
        for message, call in (
                (r"expected field of shape \[L\], L at least 1, got shape "
                 r"\[1, 3\]", lambda: fpa.plot.penalty("x", np.ones((1, 3)))),
                (r"expected level of field's shape \[3\], got shape \[2\]",
                 lambda: fpa.plot.live("x", np.ones(3), np.ones(2))),
                ("expected key_tile to be a multiple of edge_tile",
                 lambda: fpa.plot.tiles("x", 9, edge_tile=48)),
                ("expected q_length to be in", lambda: fpa.plot.tiles("x", 0)),
                ("expected cu_seqlens for q to rise from 0 to 9",
                 lambda: fpa.plot.tiles("x", 9, cu_seqlens=[0, 8]))):
            with self.assertRaisesRegex(ValueError, message):
                call()
        with self.assertRaisesRegex(TypeError, "expected above to be a number"):
            fpa.plot.live("x", np.ones(3), above=None)


if __name__ == "__main__":
    unittest.main()
