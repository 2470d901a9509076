# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""docs/Training.md runs as it stands, and its model learns. Skipped where PyTorch
is absent."""

import os
import re
import unittest

try:
    import torch
except ImportError:
    torch = None

PAGE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                    "docs", "Training.md")


@unittest.skipIf(torch is None, "PyTorch is not installed")
class TrainingPage(unittest.TestCase):

    def test_runs(self):
        with open(PAGE) as page:
            blocks = re.findall(r"^```python\n(.*?)^```", page.read(),
                                re.M | re.S)
        names = {}
        for block in blocks:
            exec(block, names)
        losses = names["losses"]
        self.assertLess(sum(losses[-5:]), 0.85 * sum(losses[:5]))
        torch.testing.assert_close(names["packed"][:, 5:], names["alone"])
        self.assertTrue((names["field"].grad != 0).any())
        self.assertEqual(names["per_sample"].shape, (1, 1, 4, 100))
        self.assertEqual(names["logits"].dtype, torch.bfloat16)
        self.assertEqual(names["token"].shape, (1, 1, 32))
        self.assertEqual(names["kept"].shape, (1, 2))


if __name__ == "__main__":
    unittest.main()
