# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled functions on NumPy arrays."""

import ctypes
import functools
import json

import numpy as np

from . import _arrays
from ._library import Array, last_error, lib


class CompileError(ValueError):
    """MLIR text that does not parse, verify or compile."""


class Program:
    """A compiled function: call it with one NumPy array per argument.

    `inputs` and `results` list (element type, shape) of each, as in MLIR; the
    shape has None for a dimension of any size.
    """

    def __init__(self, text, entry, target, options):
        for name, given in (("entry", entry), ("options", options)):
            if "\0" in given:  # where it would end in C
                raise ValueError(f"expected {name} without null characters, "
                                 f"got {given!r}")
        data = text.encode()
        self._handle = lib.fpaCompile(data, len(data), entry.encode(),
                                      target.encode(), options.encode())
        if not self._handle:
            raise CompileError(last_error())
        self.entry = entry
        signature = json.loads(lib.fpaProgramSignature(self._handle))
        self.inputs, self.results = (
            [(t["element"], tuple(None if n < 0 else n for n in t["shape"]))
             for t in signature[side]]
            for side in ("inputs", "results"))

    def __del__(self):
        # At the end of the interpreter the library's name may be gone already.
        if getattr(self, "_handle", None) and lib:
            lib.fpaProgramDestroy(self._handle)

    def __repr__(self):
        inputs, results = (", ".join(_type_text(*t) for t in side)
                           for side in (self.inputs, self.results))
        return f"<fpa.Program {self.entry}({inputs}) -> ({results})>"

    def __call__(self, *arrays):
        """Runs the function. Returns its result, a tuple of several, or None.

        Raises TypeError for a wrong number of arguments or a wrong element
        type, ValueError for a wrong shape, MemoryError where there is not
        enough memory for the run.
        """
        if len(arrays) != len(self.inputs):
            raise TypeError(f"expected {len(self.inputs)} arguments of "
                            f"{self.entry}, got {len(arrays)}")
        held = [_argument(f"argument {i}", x, *t)
                for i, (x, t) in enumerate(zip(arrays, self.inputs))]
        views = (Array * len(held))(*(_view(x) for x in held))
        handle = lib.fpaProgramRun(self._handle, views, len(held))
        if not handle:
            error = MemoryError if lib.fpaLastErrorIsMemory() else ValueError
            raise error(last_error())
        owner = _Results(handle)
        values = tuple(owner.array(i, element)
                       for i, (element, _) in enumerate(self.results))
        return values[0] if len(values) == 1 else (values or None)


@functools.lru_cache(maxsize=128)
def cached(text, entry="main", target="cpu", options=""):
    """The program for this text, compiled once."""
    return Program(text, entry, target, options)


def compile(mlir_text, entry="main", target=None, options=""):
    """Compiles the function `entry` of a module in MLIR's text form.

    Its arguments and results are ranked tensors of f16, bf16, f32, f64, i1,
    i32, i64 or index. The same text is compiled once. target: "cpu"
    (default), "emulator" or "cuda".
    options: those of fpa-cpu-pipeline, as "key-tile=128 edge-tile=32".
    Returns a Program, which is called with NumPy arrays and never writes to
    them. Raises CompileError, a ValueError, with the compiler's own message.
    A call of a program that finds no memory raises MemoryError; the compiler
    itself, which is LLVM, ends the process then.

        add = fpa.compile('''
          func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
            %c = arith.addf %a, %b : tensor<?xf32>
            return %c : tensor<?xf32>
          }''')
        add(numpy.ones(3, "f4"), numpy.ones(3, "f4"))
    """
    if not isinstance(mlir_text, str):
        raise TypeError(f"expected mlir_text to be a string, "
                        f"got {type(mlir_text).__name__}")
    if not isinstance(entry, str):
        raise TypeError(
            f"expected entry to be a string, got {type(entry).__name__}")
    if not isinstance(options, str):
        raise TypeError(
            f"expected options to be a string, got {type(options).__name__}")
    return cached(mlir_text, entry, check_target(target), options)


def check_target(target):
    """The name of the target; None is the CPU."""
    if target is None:
        return "cpu"
    if not isinstance(target, str):
        raise TypeError("expected target to be a string, "
                        f"got {_arrays.describe(target)}")
    if target not in ("cpu", "emulator", "cuda"):
        raise ValueError("expected target to be 'cpu', 'emulator' or 'cuda', "
                         f"got {target!r}")
    return target


class _Results:
    """Owns what a run returned, as long as any array shows it."""

    def __init__(self, handle):
        self._handle = handle

    def __del__(self):
        if lib:
            lib.fpaResultsDestroy(self._handle)

    def array(self, index, element):
        view = lib.fpaResultsGet(self._handle, index)
        dtype = _arrays.numpy_dtype(element)
        sizes = tuple(view.shape[:view.rank])
        size = dtype.itemsize
        for n in sizes:
            size *= n
        if size == 0:
            return np.empty(sizes, dtype)
        memory = (ctypes.c_char * size).from_address(view.data)
        memory.owner = self
        return np.frombuffer(memory, dtype).reshape(sizes)


def _type_text(element, shape):
    return "tensor<" + "".join(
        "?x" if n is None else f"{n}x" for n in shape) + element + ">"


def _argument(name, x, element, shape):
    """x in the type the function takes, contiguous."""
    if not isinstance(x, np.ndarray) or \
            not _arrays.is_element(x.dtype, element):
        raise TypeError(f"expected {name} to be a NumPy array of type "
                        f"{_arrays.numpy_name(element)}, got "
                        f"{_arrays.describe(x)}")
    if x.ndim != len(shape) or any(
            want not in (None, got) for want, got in zip(shape, x.shape)):
        raise ValueError(f"expected {name} of type {_type_text(element, shape)}"
                         f", got shape {list(x.shape)}")
    if not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    return np.require(x, requirements=["C", "A"]).reshape(x.shape)


def _view(x):
    sizes = (ctypes.c_int64 * x.ndim)(*x.shape)
    return Array(x.ctypes.data, sizes, x.ndim)
