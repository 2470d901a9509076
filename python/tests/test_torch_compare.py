# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""benchmarks/torch_compare.py on small cases, with its numbers compared. Skipped
where PyTorch is absent."""

import json
import os
import subprocess
import sys
import unittest

import fpa

try:
    import torch
except ImportError:
    torch = None

SCRIPT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                      "benchmarks", "torch_compare.py")


class TorchCompare(unittest.TestCase):

    @unittest.skipIf(torch is None, "PyTorch is not installed")
    def test_small_cases(self):
        folder = os.path.dirname(os.path.dirname(fpa.__file__))
        lines = subprocess.run(
            [sys.executable, SCRIPT, "--tiny"], check=True,
            capture_output=True, text=True,
            env={**os.environ, "FPA_PYTHON_DIR": folder}).stdout.splitlines()
        records = {r["name"]: r for r in map(json.loads, lines)}
        self.assertEqual(set(records), {
            "forward-d64", "forward-d128", "forward-backward-d64",
            "forward-backward-d128", "memory", "call"})
        for name, record in records.items():
            for key, value in record.items():
                if key != "name":
                    self.assertGreater(value, 0, (name, key))


if __name__ == "__main__":
    unittest.main()
