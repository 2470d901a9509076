# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiled functions on NumPy arrays."""

import ctypes
import functools
import json
import re
import sys
import threading

import numpy as np

from . import _arrays, cache
from ._device import (DeviceArray, as_device_array, is_on_device, to_device,
                      wait_for)
from ._frames import Frames
from ._library import NotCopied, last_error, lib


class CompileError(ValueError):
    """MLIR text that does not parse, verify or compile."""


class Program(NotCopied):
    """A compiled function: call it with one NumPy array per argument.

    `inputs` and `results` list (element type, shape) of each, as in MLIR; the
    shape has None for a dimension of any size.
    """

    def __init__(self, text, entry, target, options):
        for name, given in (("entry", entry), ("options", options)):
            if "\0" in given:  # where it would end in C
                raise ValueError(f"expected {name} without null characters, "
                                 f"got {given!r}")
        self._handle = _load(text, entry, target, options) or _compile(
            text, entry, target, options)
        self.entry, self.target = entry, target
        signature = json.loads(lib.fpaProgramSignature(self._handle))
        self.inputs, self.results = (
            [(t["element"], tuple(None if n < 0 else n for n in t["shape"]))
             for t in signature[side]]
            for side in ("inputs", "results"))
        self._parameters = [
            _Parameter(*t, side.get("writable", False))
            for t, side in zip(self.inputs, signature["inputs"])]
        self._dtypes = [_arrays.numpy_dtype(element)
                        for element, _ in self.results]
        self._frames = Frames(*([len(shape) for _, shape in side]
                                for side in (self.inputs, self.results)))

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

        Of a GPU's program (target "cuda" or "emulator") any argument may be an
        fpa.DeviceArray, or for "cuda" another library's array on the GPU with
        __cuda_array_interface__. It is taken as it is, also where the program
        writes to it, NumPy arrays beside it are copied over, and the results are
        DeviceArrays: see `launch`.

        Raises TypeError for a wrong number of arguments or a wrong element
        type, ValueError for a wrong shape, MemoryError where there is not
        enough memory for the run.
        """
        if len(arrays) != len(self.inputs):
            raise TypeError(f"expected {len(self.inputs)} arguments of "
                            f"{self.entry}, got {len(arrays)}")
        try:
            held = [x if type(x) is np.ndarray and fits(x)
                    else fits.argument(i, x)
                    for i, (fits, x) in enumerate(zip(self._parameters, arrays))]
        except TypeError:
            if not any(is_on_device(x) for x in arrays):
                raise
            return self.launch(*arrays)
        return self._values(self.run([_address(x) for x in held],
                                     sizes_of(held)))

    def call_again(self, arrays, sizes):
        """The same for arrays of types and shapes that it was called with
        before; `sizes` are what sizes_of says of them."""
        addresses = []
        try:
            for x in arrays:
                # Row-major, aligned and writeable: from_buffer wants that.
                if not x.flags.carray:
                    return self(*arrays)
                addresses.append(_addressof(_from_buffer(x)))
        except (BufferError, TypeError, ValueError):
            return self(*arrays)
        return self._values(self.run(addresses, sizes))

    def launch(self, *arrays, stream=0):
        """Starts the function on arrays in a device's memory, in the order of a
        CUDA stream, and does not wait for it (but where it has numbers of its own
        to judge, for the elements of cu_seqlens and the like, which are checked
        first, and for arguments that come to be there on another stream). Returns its results as DeviceArrays of that stream."""
        if self.target == "cpu":
            raise ValueError(f"expected a program for target 'cuda' or "
                             f"'emulator' to run on arrays in a device's memory,"
                             f" got one for 'cpu'")
        held = [fits.on_device(i, x, self.target, stream)
                for i, (fits, x) in enumerate(zip(self._parameters, arrays))]
        results = []

        def allocate(shapes):
            results.extend(DeviceArray.empty(self.target, shape, dtype, stream)
                           for shape, dtype in zip(shapes, self._dtypes))
            return [x.address for x in results]

        self.start([x.address for x in held], sizes_of(held), allocate, stream)
        return results[0] if len(results) == 1 else (tuple(results) or None)

    def start(self, addresses, sizes, allocate, stream, check=True):
        """The same of addresses, of elements as `run` wants them;
        allocate(shapes) gives those of memory for the results. Without `check`
        the caller vouches for elements that rules are about."""
        if not self._frames.launch(self._handle, addresses, sizes, allocate,
                                   stream, check):
            raise ValueError(last_error())

    def run(self, addresses, sizes):
        """Runs the function on row-major elements at these addresses, of sizes
        that fit `inputs`, in one list; returns the Results."""
        results = self._frames.call(self._handle, addresses, sizes)
        if results is None:
            error = MemoryError if lib.fpaLastErrorIsMemory() else ValueError
            raise error(last_error())
        return results

    def _values(self, results):
        """What the call returns."""
        values = [_result(results, place, dtype)
                  for place, dtype in zip(results.places, self._dtypes)]
        return values[0] if len(values) == 1 else (tuple(values) or None)


def _load(text, entry, target, options):
    """The program that a process left on disk, or None."""
    code = cache.find(text, entry, options) if target == "cpu" else None
    if code is None:
        return None
    data = text.encode()
    return lib.fpaProgramLoad(data, len(data), entry.encode(),
                              options.encode(), code, len(code))


def _compile(text, entry, target, options):
    """Compiles; says so if it takes long, and leaves the result on disk."""
    data = text.encode()
    with _Progress(text, entry, target):
        handle = lib.fpaCompile(data, len(data), entry.encode(),
                                target.encode(), options.encode())
    if not handle:
        raise CompileError(last_error())
    if target == "cpu":
        cache.store(handle, text, entry, options)
    return handle


class _Progress:
    """A line for who waits for the compiler, after two seconds."""

    SECONDS = 2.0

    def __init__(self, *kernel):
        self._kernel = kernel
        self._timer = threading.Timer(self.SECONDS, self._say)
        self._timer.daemon = True

    def __enter__(self):
        self._timer.start()

    def __exit__(self, *_):
        self._timer.cancel()

    def _say(self):
        text, entry, target = self._kernel
        print(f"fpa: compiling {_kernel_text(text, entry)} for target {target}; "
              f"once it is done, calls of this kind start at once",
              file=sys.stderr, flush=True)


def _kernel_text(text, entry):
    """What a module computes, for who waits for it: its ops of fpa and the type
    of the function's first argument. All functions of the package are named
    main."""
    ops = list(dict.fromkeys(re.findall(r"\bfpa\.[a-z]\w*", text)))
    name = "'" + entry + "'"
    if ops:
        name = ", ".join(ops[:3]) + " and others" * (len(ops) > 3) + (
            "" if entry == "main" else f" in {name}")
    first = re.search(rf"@{re.escape(entry)}\(\s*%[^:]*:\s*"
                      rf"((?:tensor|memref)<[^>]*>)", text)
    return name + (f" on {first[1]}" if first else "")


@functools.lru_cache(maxsize=128)
def cached(text, entry="main", target="cpu", options=""):
    """The program for this text, compiled once."""
    return Program(text, entry, target, options)


def compile(mlir_text, entry="main", target=None, options=""):
    """Compiles the function `entry` of a module in MLIR's text form.

    Its arguments and results are ranked tensors (arguments memrefs, too) of f16,
    bf16, f32, f64, i1, i32, i64 or index. The same text is compiled once. target: "cpu"
    (default), "emulator" or "cuda", the first GPU ("cuda:1" is the second).
    options: those of fpa-cpu-pipeline, as "key-tile=128 edge-tile=32".
    Returns a Program, which is called with NumPy arrays. It writes only to
    those whose argument is a memref that the text writes to, or takes as a
    writable tensor; such an array is taken as it is (on another target than the
    CPU copied there and back, if it is not on the device already), and refused where some of its memory is that of
    another argument. Raises CompileError, a ValueError, with the
    compiler's own message.
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
    if target not in ("cpu", "emulator", "cuda") and \
            not re.fullmatch(r"cuda:[0-9]{1,3}", target):
        raise ValueError("expected target to be 'cpu', 'emulator' or 'cuda', "
                         f"got {target!r}")
    return target


def _type_text(element, shape):
    return "tensor<" + "".join(
        "?x" if n is None else f"{n}x" for n in shape) + element + ">"


class _Parameter:
    """What a program takes as one argument."""

    def __init__(self, element, shape, writable=False):
        self._element, self._shape = element, shape
        self._writable = writable
        self._dtype, self._rank = _arrays.numpy_dtype(element), len(shape)
        self._static = [(d, n) for d, n in enumerate(shape) if n is not None]

    def __call__(self, x):
        """True for an ndarray that the program takes as it is."""
        if x.dtype != self._dtype or x.ndim != self._rank:
            return False
        flags = x.flags
        if not flags.c_contiguous or not flags.aligned:
            return False
        if self._writable and not flags.writeable:
            return False
        shape = x.shape
        for d, n in self._static:
            if shape[d] != n:
                return False
        return True

    def on_device(self, number, x, target, stream):
        """x as a DeviceArray of this target; copied there if it is none."""
        name = f"argument {number}"
        if not is_on_device(x):
            if self._writable:
                raise TypeError(f"expected {name}, which the program may write "
                                f"to, on target {target} as others are, got "
                                f"{_arrays.describe(x)}")
            return to_device(self.argument(number, x), target, stream)
        x = as_device_array(name, x, target)
        if x.target != target:
            raise ValueError(f"expected {name} on target {target}, "
                             f"got one on {x.target}")
        if not _arrays.is_element(x.dtype, self._element):
            raise TypeError(f"expected {name} of type "
                            f"{_arrays.numpy_name(self._element)}, got "
                            f"{_arrays.describe(x)}")
        self._check_shape(name, x)
        wait_for(x, stream)
        return x

    def _check_shape(self, name, x):
        if x.ndim != self._rank or any(
                want not in (None, got)
                for want, got in zip(self._shape, x.shape)):
            raise ValueError(f"expected {name} of type "
                             f"{_type_text(self._element, self._shape)}, got "
                             f"shape {list(x.shape)}")

    def argument(self, number, x):
        """x in the type the function takes, contiguous; refuses what it is
        not, and what would have to be copied where the function writes to it."""
        name, element = f"argument {number}", self._element
        x = _arrays.host_array(name, x)
        if not _arrays.is_array(x) or \
                not _arrays.is_element(x.dtype, element):
            raise TypeError(f"expected {name} to be a NumPy array of type "
                            f"{_arrays.numpy_name(element)}, got "
                            f"{_arrays.describe(x)}")
        self._check_shape(name, x)
        if self._writable:
            if not (x.flags.c_contiguous and x.flags.aligned
                    and x.flags.writeable and x.dtype.isnative):
                raise ValueError(
                    f"expected {name}, which the program may write to, to be "
                    f"writeable, aligned and contiguous, in this machine's byte "
                    f"order")
            return x
        if not x.dtype.isnative:
            x = x.astype(x.dtype.newbyteorder("="))
        return np.require(x, requirements=["C", "A"]).reshape(x.shape)


def sizes_of(arrays):
    """The sizes of arrays, one after the other."""
    return [n for x in arrays for n in x.shape]


def _address(x):
    """Where the elements of a contiguous array are."""
    try:
        return _addressof(_from_buffer(x))
    except (BufferError, TypeError, ValueError):
        # Read-only, without elements, or of a type that buffers do not know;
        # this works too, for three times as long.
        return x.__array_interface__["data"][0]


_addressof, _from_buffer = ctypes.addressof, ctypes.c_char.from_buffer


def _result(results, place, dtype):
    """A result as an array that shows it."""
    address, shape = place
    size = dtype.itemsize
    for n in shape:
        size *= n
    if size == 0:
        return np.empty(shape, dtype)
    return np.ndarray(shape, dtype, results.memory(address, size))
