# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where things lie; importing it makes fpa importable, from FPA_PYTHON_DIR or
build/python."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
SETTINGS = os.path.join(HERE, "settings")
RESULTS = os.path.join(HERE, "results")
# What is not committed: runs that are not over, and small ones.
SCRATCH = os.path.join(ROOT, "build", "experiments")

sys.path.insert(0, os.environ.get(
    "FPA_PYTHON_DIR", os.path.join(ROOT, "build", "python")))
sys.path.append(os.path.join(ROOT, "benchmarks"))  # machine.py
