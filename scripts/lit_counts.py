#!/usr/bin/env python3
"""Prints `PASSED FAILED SKIPPED` from a JSON file that `lit --output` wrote.

Expected failures and unsupported tests count as skipped: they show nothing.
"""

import json
import sys

PASSED = {"PASS", "FLAKYPASS"}
SKIPPED = {"XFAIL", "UNSUPPORTED", "SKIPPED", "EXCLUDED"}


def main(path):
    with open(path) as file:
        codes = [test["code"] for test in json.load(file)["tests"]]
    passed = sum(code in PASSED for code in codes)
    skipped = sum(code in SKIPPED for code in codes)
    print(passed, len(codes) - passed - skipped, skipped)


if __name__ == "__main__":
    main(sys.argv[1])
