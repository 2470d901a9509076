# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.show."""

from . import _arrays, _attention, _attention_backward
from ._attention_call import check_options
from ._library import last_error, lib
from ._program import CompileError

_TYPES = {"float16": "f16", "bfloat16": "bf16", "float32": "f32",
          "float64": "f64"}


def show(stage="graph", of="attention", *, target="cpu", head_dim=64,
         v_head_dim=None, dtype="float32", field=True, level=False,
         packed=False, return_lse=False, scale=None, window=None, smooth=None,
         options=""):
    """What becomes of a call on its way to machine code, as text.

        print(fpa.show("streaming"))
        print(fpa.show("ptx", target="sm_90", dtype="float16", window=512))
        print(fpa.show("machine", open("layer.mlir").read()))

    - stage: "graph", ops on tensors; "streaming", loops over tiles; "tiles", the
      same on block vectors; "buffers", on memory; "machine", loops over
      registers or kernels; then "llvm-dialect" and "llvm" on the CPU, "nvvm",
      "llvm" and "ptx" on a GPU.
    - of: "attention", "attention_backward", or MLIR text with a function @main.
    - target: "cpu", this machine's, or a GPU as "sm_90".
    - head_dim, v_head_dim, dtype ("float32" ...), whether there are a field, a
      level of its own, packed sequences and an lse (for the backward: a
      gradient of it), and scale, window, smooth: the call's kind.
    - options: those of the target's pipeline, as "key-tile=128".

    Returns the text. Raises ValueError for a stage or a target that is not
    there, and CompileError with the compiler's message.
    """
    for name, x in (("stage", stage), ("of", of), ("target", target),
                    ("options", options)):
        if not isinstance(x, str):
            raise TypeError(
                f"expected {name} to be a string, got {_arrays.describe(x)}")
        if "\0" in x:
            raise ValueError(f"expected {name} without null characters, "
                             f"got {x!r}")
    if of in ("attention", "attention_backward"):
        if dtype not in _TYPES:
            raise ValueError(f"expected dtype to be one of "
                             f"{', '.join(_TYPES)}, got {dtype!r}")
        element = _TYPES[dtype]
        wide = "f64" if element == "f64" else "f32"
        size = _arrays.integer("head_dim", head_dim, 1, 2**31)
        v_size = size if v_head_dim is None else _arrays.integer(
            "v_head_dim", v_head_dim, 1, 2**31)
        if level and not field:
            raise ValueError("expected a field to go with level, got none")
        module = {"attention": _attention,
                  "attention_backward": _attention_backward}[of]
        of = module.module_text(
            element, wide, size, v_size, bool(field), bool(level),
            bool(packed), bool(return_lse),
            **check_options(scale, window, smooth, wide))
    data = of.encode()
    text = lib.fpaShow(data, len(data), b"main", target.encode(),
                       stage.encode(), options.encode())
    if text is None:
        raise CompileError(last_error())
    return text.decode()
