#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the package's tests against build/python.

With COUNTS=FILE in the environment, writes `PASSED FAILED SKIPPED` there.
"""

import os
import sys
import unittest


def main():
    here = os.path.dirname(os.path.abspath(__file__))
    built = os.path.join(here, "..", "..", "build", "python")
    built = os.path.abspath(os.environ.get("FPA_PYTHON_DIR", built))
    sys.path.insert(0, built)
    # Beside the build, not in the user's home.
    os.environ.setdefault("FPA_CACHE_DIR",
                          os.path.join(built, "..", "test", "kernel-cache"))
    suite = unittest.TestLoader().discover(here, pattern="test_*.py")
    result = unittest.TextTestRunner(verbosity=1).run(suite)

    skipped = len(result.skipped) + len(result.expectedFailures)
    failed = (len(result.failures) + len(result.errors)
              + len(result.unexpectedSuccesses))
    passed = max(0, result.testsRun - skipped - failed)
    if os.environ.get("COUNTS"):
        with open(os.environ["COUNTS"], "w") as file:
            print(passed, failed, skipped, file=file)
    return 0 if failed == 0 and passed > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
