# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""python3 -m numeric.write_case NAME FOLDER: a case as case.mlir and .npy."""

import os
import sys

import numpy as np

from . import backward_cases, cases, modules


def main(name, folder):
    every = cases.all_cases() + backward_cases.all_cases()
    case = next((c for c in every if c.name == name), None)
    if not case:
        sys.exit(f"expected a case named {name}, got none")
    with open(os.path.join(folder, "case.mlir"), "w") as out:
        out.write(modules.program(case, case.operands()))
    for operand, array in case.inputs().items():
        if array.dtype == np.uint16:
            array = array.view("V2")
        np.save(os.path.join(folder, operand + ".npy"), array)


if __name__ == "__main__":
    main(*sys.argv[1:])
