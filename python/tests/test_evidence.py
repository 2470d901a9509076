# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/Evidence.md is what the experiments' results make of it, and its charts show
what they are given. Skipped where PyTorch is absent, whose version results name."""

import os
import subprocess
import sys
import unittest
import xml.dom.minidom

import fpa

try:
    import torch
except ImportError:
    torch = None

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                      "experiments")
if torch is not None:
    sys.path.insert(0, FOLDER)
    import charts
    import code_picture
    import evidence


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Report(unittest.TestCase):

    def parts(self, svg, tag):
        return xml.dom.minidom.parseString(svg).getElementsByTagName(tag)

    def test_dots(self):
        circles = self.parts(charts.dots(
            "a < b", ["x", "y"], {"1x": [[0, 1, 1], [0.5]],
                                  "8x": [[0], [0.25]]}, "exact"), "circle")
        self.assertEqual(len(circles), 6 + 2)  # and those of the legend
        height = [float(c.getAttribute("cy")) for c in circles[:3]]
        self.assertGreater(height[0], height[1])
        self.assertEqual(height[1], height[2])

    def test_lines(self):
        svg = charts.lines("t", {"a": [(256, 1.0), (512, 10.0), (1024, 100.0)],
                                 "b": [(256, 2.0)]}, "length", "s")
        circles = self.parts(svg, "circle")
        self.assertEqual(len(circles), 4 + 2)
        # Even steps on logarithmic axes, up and to the right.
        for name, sign in (("cx", 1), ("cy", -1)):
            a, b, c = (float(x.getAttribute(name)) for x in circles[:3])
            self.assertAlmostEqual(b - a, c - b, delta=0.2)
            self.assertGreater(sign * (b - a), 50)
        self.assertEqual(len(self.parts(svg, "polyline")), 2)

    def test_code(self):
        svg = code_picture.code_picture("t", "ab(\n\n c<d", "110000010",
                                        "000001111")
        marks = [(r.getAttribute("y"), float(r.getAttribute("width")))
                 for r in self.parts(svg, "rect")[1:]]
        # "ab"; "<", and under the whole last line.
        one = marks[1][1]
        self.assertEqual(marks, [("29", 2 * one), ("59", one),
                                 ("72", 4 * one)])
        texts = [t.firstChild.data for t in self.parts(svg, "text")]
        self.assertEqual(texts, ["t", "ab(", " c<d"])

    def test_words(self):
        self.assertEqual(evidence.spread([1.0, 1.0]), "1.000")
        self.assertEqual(evidence.spread([0.5, 0.25], 2), "0.25 to 0.50")
        self.assertEqual(evidence.table(["a", "b"], [[1, "c"]]),
                         "| a | b |\n| --- | --- |\n| 1 | c |")

    def test_the_page_is_current(self):
        done = subprocess.run(
            [sys.executable, os.path.join(FOLDER, "report.py"), "--check"],
            capture_output=True, text=True, env={**os.environ, "FPA_PYTHON_DIR": os.path.dirname(
                os.path.dirname(fpa.__file__))})
        self.assertEqual((done.stdout, done.returncode), ("", 0), done.stderr)


if __name__ == "__main__":
    unittest.main()
