# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes on MLIR text."""

from ._library import lib, last_error
from ._program import CompileError


def transform(mlir_text, pipeline):
    """Runs a pass pipeline, written as fpa-opt's --pass-pipeline takes it.

    Returns the module's new text and a list of the remarks of the passes. Raises
    CompileError, a ValueError, for text or pipelines that do not parse and for
    passes that fail.

        transform(text, "builtin.module(fpa-raise-attention,canonicalize)")
    """
    for name, given in (("mlir_text", mlir_text), ("pipeline", pipeline)):
        if not isinstance(given, str):
            raise TypeError(f"expected {name} to be a string, "
                            f"got {type(given).__name__}")
    if "\0" in pipeline:
        raise ValueError("expected pipeline without null characters, "
                         f"got {pipeline!r}")
    data = mlir_text.encode()
    handle = lib.fpaTransform(data, len(data), pipeline.encode())
    if not handle:
        raise CompileError(last_error())
    try:
        remarks = lib.fpaTextRemarks(handle).decode()
        return lib.fpaTextGet(handle).decode(), remarks.splitlines()
    finally:
        lib.fpaTextDestroy(handle)
