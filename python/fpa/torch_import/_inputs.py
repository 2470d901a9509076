# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Inputs of a module: the examples it is exported with, and those that the compiled
one is called with, which have to be what the export took for granted."""

import sympy
import torch
from torch.utils import _pytree as pytree

from .. import _arrays
from ..torch._tensors import describe
from ._emit import linear_in


def check_examples(args, kwargs):
    """Example inputs as torch.export wants them. It takes one tensor given for two
    inputs for one input, so that each becomes a tensor of its own."""
    if not isinstance(args, (tuple, list)):
        raise TypeError(f"expected args to be a tuple of example inputs, got "
                        f"{describe(args)}")
    if kwargs is not None and not isinstance(kwargs, dict):
        raise TypeError(f"expected kwargs to be a dictionary of example inputs, "
                        f"got {describe(kwargs)}")
    seen = set()

    def own(x):
        if isinstance(x, torch.Tensor):
            if id(x) in seen:
                return x.clone()
            seen.add(id(x))
        return x

    return pytree.tree_map(own, tuple(args)), pytree.tree_map(own, kwargs)


class Inputs:
    """What a compiled module is called with.

    - placeholders: name and value of each input in the graph, of tensors with the
      sizes they may have, else the one value they do.
    - types: element type and shape of each tensor as the program takes it.
    """

    def __init__(self, program, placeholders, types):
        self._spec = program.call_spec.in_spec
        self._placeholders = placeholders
        self._types = types
        # PyTorch, too, takes 0 and 1 where a size is to be 2 or more.
        self._ranges = {s: (r.lower if r.lower > 2 else 0, r.upper)
                        for s, r in program.range_constraints.items()}

    def arrays(self, args, kwargs):
        """The arrays that the program is called with, without its parameters."""
        flat, spec = pytree.tree_flatten((args, kwargs))
        if spec != self._spec:
            wanted, got = (" ".join(str(s).split()) for s in (self._spec, spec))
            raise TypeError(f"expected inputs like those of the export, {wanted}"
                            f", got {got}")
        arrays, sizes, types = [], [], iter(self._types)
        for (name, value), x in zip(self._placeholders, flat):
            if isinstance(value, torch.Tensor):
                arrays.append(self._array(name, value, *next(types), x))
                sizes += [(want.node.expr, got, name, dim) for dim, (want, got)
                          in enumerate(zip(value.shape, x.shape))
                          if isinstance(want, torch.SymInt)]
            elif type(x) is not type(value) or x != value:
                raise ValueError(f"expected {name} to be {value!r}, as in the "
                                 f"export, got {x!r}")
        self._check_sizes(sizes)
        return arrays

    def _array(self, name, value, element, shape, x):
        if not isinstance(x, torch.Tensor) or x.dtype != value.dtype:
            raise TypeError(f"expected {name} to be a tensor of "
                            f"{_arrays.numpy_name(element)}, got {describe(x)}")
        if x.layout is not torch.strided or x.is_meta:
            raise TypeError(f"expected {name} to be a dense tensor in memory, got "
                            f"one of layout {x.layout} on {x.device}")
        if x.dim() != len(shape) or any(
                want not in (None, got) for want, got in zip(shape, x.shape)):
            wanted = ", ".join("?" if n is None else str(n) for n in shape)
            raise ValueError(f"expected {name} of shape [{wanted}], got shape "
                             f"{list(x.shape)}")
        return to_numpy(x)

    def _check_sizes(self, sizes):
        """Refuses sizes out of the export's ranges, and those that differ where
        it has one for several, or a sum or multiple of one."""
        known = {}
        # What is a size by itself says so first.
        for want, got, name, dim in sorted(
                sizes, key=lambda s: not isinstance(s[0], sympy.Symbol)):
            symbol, factor, rest = linear_in(want) or (None, 1, 0)
            if symbol is None or symbol in known:
                continue
            low, high = self._ranges.get(symbol, (0, sympy.oo))
            value, left = divmod(got - rest, factor)
            if left:
                raise ValueError(f"expected {name} of a size in dimension {dim} "
                                 f"that is {rest} more than a multiple of "
                                 f"{factor}, got {got}")
            if not low <= value <= high:
                low, high = (factor * x + rest for x in (low, high))
                raise ValueError(f"expected {name} of size {low} to {high} in "
                                 f"dimension {dim}, as in the export, got "
                                 f"{got}")
            known[symbol] = value
        for want, got, name, dim in sizes:
            value = want.subs(known)
            if value.is_Integer and value != got:
                raise ValueError(f"expected {name} of size {value} in dimension "
                                 f"{dim} beside the other inputs, got {got}")


def to_numpy(t):
    """The tensor's memory as an array; bfloat16 as its bits."""
    t = t.detach().cpu().contiguous()
    if t.dtype == torch.bfloat16:
        return t.view(torch.int16).numpy().view("V2")
    return t.numpy()
