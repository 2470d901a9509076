# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Element types, and checks of arguments that name what is wrong."""

import math
import operator
import sys

import numpy as np

# MLIR's name of an element type -> the name of NumPy's.
_NUMPY_NAMES = {
    "f16": "float16", "bf16": "bfloat16", "f32": "float32", "f64": "float64",
    "i1": "bool", "i32": "int32", "i64": "int64", "index": "int64",
}
_FLOATS = {"float16": "f16", "bfloat16": "bf16", "void16": "bf16",
           "float32": "f32", "float64": "f64"}


def numpy_name(element):
    """NumPy's name of MLIR's element type, for example float32 for f32."""
    return _NUMPY_NAMES[element]


def numpy_dtype(element):
    """NumPy's type for MLIR's. That of bf16 is the one of the package ml_dtypes,
    and without it two bytes of no type, "V2", as in a .npy file."""
    if element != "bf16":
        return np.dtype(_NUMPY_NAMES[element])
    try:
        import ml_dtypes
    except ImportError:
        return np.dtype("V2")
    return np.dtype(ml_dtypes.bfloat16)


def is_element(dtype, element):
    """True when a NumPy type holds MLIR's element type."""
    return (dtype.name == _NUMPY_NAMES[element]
            or (element == "bf16" and dtype.name == "void16"))


def is_tensor(x):
    """True for PyTorch's tensors, without importing PyTorch."""
    if type(x) is np.ndarray:  # in no time
        return False
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(x, torch.Tensor)


def is_array(x):
    """True for NumPy's arrays, but for those that mask elements: compiled code
    would take what is masked for numbers."""
    return type(x) is np.ndarray or (
        isinstance(x, np.ndarray) and not isinstance(x, np.ma.MaskedArray))


def host_array(name, x):
    """x as NumPy's array on the same memory where it is another library's with
    __dlpack__, but for PyTorch's, which has functions of its own; else x."""
    if isinstance(x, np.ndarray) or not hasattr(x, "__dlpack__") or is_tensor(x):
        return x
    kind, _ = x.__dlpack_device__()
    if kind != 1:
        raise ValueError(f"expected {name} in the CPU's memory, got an array on "
                         f"DLPack's device {int(kind)}")
    try:
        return np.from_dlpack(x)
    # NumPy has no bfloat16, and before 1.23 no such function.
    except (AttributeError, BufferError, RuntimeError, TypeError) as error:
        raise TypeError(f"expected {name} to be an array that NumPy can take, "
                        f"got {describe(x)}: {error}") from None


def host_arrays(**arrays):
    """The same of several by name, in order."""
    return [host_array(name, x) for name, x in arrays.items()]


def float_name(dtype):
    """MLIR's name of a NumPy type of floats, or None."""
    return _FLOATS.get(dtype.name)


def describe(x):
    """What an argument is, for an error message."""
    if isinstance(x, np.ma.MaskedArray):
        return "a masked array"
    if isinstance(x, np.ndarray) or hasattr(x, "address"):
        return f"{x.dtype.name} of shape {list(x.shape)}"
    if isinstance(x, np.generic):
        return f"a scalar of type {type(x).__name__}"
    return type(x).__name__


def float_array(name, x, types=("f16", "bf16", "f32", "f64"), *,
                on_device=False):
    """Refuses x unless it is an array of one of these types, in NumPy or, where
    that is allowed, on a device; returns its element type."""
    is_known = is_array(x) or (on_device and hasattr(x, "address"))
    element = float_name(x.dtype) if is_known else None
    if element not in types:
        wanted = ", ".join(numpy_name(t) for t in types)
        raise TypeError(f"expected {name} to be a NumPy array of {wanted}, "
                        f"got {describe(x)}")
    return element


def widened(x, element):
    """The same values in a wider float type."""
    if x.dtype.name == "void16":  # bf16 is the upper half of an f32.
        bits = np.ascontiguousarray(x).view(np.uint16).astype(np.uint32) << 16
        x = bits.view(np.float32)
    return x.astype(numpy_dtype(element), copy=False)


def has_rank(name, x, dims):
    """Refuses x unless it has one dimension for each word of `dims`."""
    if x.ndim != len(dims.split()):
        raise ValueError(f"expected {name} of shape [{', '.join(dims.split())}]"
                         f", got shape {list(x.shape)}")


def number_of(name, value):
    """A Python float out of a number, which may be infinite or NaN."""
    if isinstance(value, (bool, str, bytes)):
        raise TypeError(f"expected {name} to be a number, got {value!r}")
    # It would not get one: PyTorch warns at most.
    if not isinstance(value, (int, float)) and \
            getattr(value, "requires_grad", False):
        raise ValueError(f"expected {name} to need no gradient, got a tensor that "
                         f"requires one")
    try:
        return float(value)
    except (TypeError, ValueError, RuntimeError):
        raise TypeError(f"expected {name} to be a number, "
                        f"got {describe(value)}") from None
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def real(name, value, positive=False):
    """A finite Python float out of a number, or None."""
    return None if value is None else finite(name, value, positive)


def finite(name, value, positive=False):
    """A finite Python float out of a number."""
    number = number_of(name, value)
    # torch.compile follows comparisons of numbers it keeps open, not isfinite.
    if not -math.inf < number < math.inf or (positive and number <= 0):
        kind = "positive and finite" if positive else "finite"
        raise ValueError(f"expected {name} to be {kind}, got {number}")
    return number


def integer(name, value, low, high):
    """A Python int out of an integer in [low, high]."""
    try:
        if isinstance(value, (bool, np.bool_)):
            raise TypeError
        number = operator.index(value)
    except TypeError:
        raise TypeError(
            f"expected {name} to be an integer, got {describe(value)}") from None
    if not low <= number <= high:
        # Python does not print numbers of thousands of digits.
        got = number if number.bit_length() <= 128 else (
            f"a number of {number.bit_length()} bits")
        raise ValueError(
            f"expected {name} to be in [{low}, {high}], got {got}")
    return number


def flag(name, value):
    """A Python bool out of what has one truth value."""
    try:
        return bool(value)
    except (TypeError, ValueError, RuntimeError):  # of arrays, of tensors
        raise TypeError(f"expected {name} to be true or false, "
                        f"got {describe(value)}") from None
