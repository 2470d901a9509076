# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lib/Reference by itself, compiled here, against the package's reference: the
gradients of the smaller cases. Neither meets the compiler.

reference_backward.py SOURCE_ROOT
"""

import ctypes
import glob
import os
import subprocess
import sys
import tempfile

import numpy as np
from fpa import reference
from numeric import backward_cases, compare, suite

BY_NAME = """
#include "fpa/Reference/Reference.h"
#include <cstring>
extern "C" void *findSymbol(const char *name) {
  for (const auto &symbol : mlir::fpa::reference::getSymbols())
    if (!std::strcmp(symbol.name, name))
      return symbol.address;
  return nullptr;
}
"""

# Bits of `present` in Reference.h.
FIELD, LEVEL, CU_SEQLENS, WINDOW, SMOOTH = 1, 2, 4, 16, 32
LSE_GRADIENT, FIELD_GRADIENT, LEVEL_GRADIENT = 1024, 2048, 4096


def build(root):
    """attentionBackward as compiled code calls it."""
    with tempfile.TemporaryDirectory() as folder:
        library = os.path.join(folder, "reference.so")
        subprocess.run(
            ["clang++", "-std=c++17", "-O1", "-shared", "-fPIC",
             f"-I{root}/include", "-o", library, "-x", "c++", "-",
             *glob.glob(f"{root}/lib/Reference/*.cpp")],
            input=BY_NAME.encode(), check=True)
        loaded = ctypes.CDLL(library)
    loaded.findSymbol.restype = ctypes.c_void_p
    address = loaded.findSymbol(b"_mlir_ciface_fpa_reference_attention_backward")
    pointers, number = ctypes.c_void_p, ctypes.c_int64
    return ctypes.CFUNCTYPE(None, *[pointers] * 16, number, ctypes.c_double,
                            number, ctypes.c_double)(address), loaded


class Unranked(ctypes.Structure):
    """An unranked memref; strides in elements."""
    _fields_ = [("rank", ctypes.c_int64), ("descriptor", ctypes.c_void_p)]

    def __init__(self, array):
        if array is None:
            array = np.empty(0)
        self.words = np.array(
            [array.ctypes.data, array.ctypes.data, 0, *array.shape,
             *(s // array.itemsize for s in array.strides)], np.int64)
        self.array = array
        super().__init__(array.ndim, self.words.ctypes.data)


def gradients(function, values, cumulative, case):
    field, level = values.get("field"), values.get("level")
    outs = [np.full(values[n].shape, np.nan) for n in ("query", "key", "value")]
    outs += [None if x is None else np.full(x.shape, np.nan)
             for x in (field, level)]
    dlse = values.get("lse_gradient")
    present = sum(bit for bit, given in (
        (FIELD | FIELD_GRADIENT, field is not None),
        (LEVEL | LEVEL_GRADIENT, level is not None),
        (CU_SEQLENS, cumulative is not None),
        (LSE_GRADIENT, dlse is not None),
        (WINDOW, case.window is not None),
        (SMOOTH, case.smooth is not None)) if given)
    memrefs = [Unranked(x) for x in (
        values["query"], values["key"], values["value"], field, level,
        *(cumulative or (None, None)), values["output"], values["lse"],
        values["output_gradient"], dlse, *outs)]
    function(*map(ctypes.addressof, memrefs), present,
             case.d ** -0.5 if case.scale is None else case.scale,
             case.window or 0, case.smooth or 0.0)
    return outs


def main(root):
    function, _library = build(root)
    checked = 0
    for case in backward_cases.all_cases():
        if case.lq * case.lk > 160 ** 2 or case.chain:
            continue
        checked += 1
        values, cumulative = case.decode(case.operands())
        first = gradients(function, values, cumulative, case)
        second = reference.attention_backward(
            *(values.get(n) for n in ("query", "key", "value", "field", "level",
                                      "output", "lse", "output_gradient")),
            dlse=values.get("lse_gradient"), scale=case.scale,
            window=case.window, smooth=case.smooth, cu_seqlens=cumulative)
        sizes = suite.gradients(case, case.operands()).sizes
        for name, got, want in zip(("dq", "dk", "dv", "dfield", "dlevel"),
                                   first, second):
            if want is None:
                continue
            size = sizes.get(name, np.ones(want.shape))
            with np.errstate(invalid="ignore"):
                problem = compare.mismatch(got, want, 1e-12 * (1 + size))
            if problem:
                sys.exit(f"{case.name}: {name}: {problem}")
    print(f"gradients: {checked} cases agree")


if __name__ == "__main__":
    main(sys.argv[1])
