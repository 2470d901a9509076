# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a graph computes from nothing but its own constants: evaluated when it is
imported, so that a condition which always holds does not hide a mask."""

import torch

from ._affine import affine
from ._creation import emit_band, find_band
from ._elementwise import arith, element_of, result_of
from ._emit import Tensor, size

_MOST = 1 << 22  # elements of a tensor that is evaluated
_ANDS = ("aten.bitwise_and.Tensor", "aten.logical_and.default",
         "aten.__and__.Tensor")


class Known:
    """Tensors by the node that makes them."""

    def __init__(self):
        self._tensors = {}
        # Of sizes that are not known.
        self._affine = {}

    def add(self, node, tensor):
        self._tensors[node] = tensor

    def evaluate(self, node):
        """Notes the tensor of a call, if all that it depends on is known."""
        value = node.meta.get("val")
        places = affine(node, self._affine)
        if places is not None:
            self._affine[node] = places
        if not isinstance(value, torch.Tensor) or \
                not all(isinstance(n, int) for n in value.shape) or \
                value.numel() > _MOST or \
                any(n not in self._tensors for n in node.all_input_nodes):
            return
        arguments = torch.fx.node.map_arg(
            (node.args, node.kwargs), self._tensors.__getitem__)
        try:
            with torch.no_grad():
                self._tensors[node] = node.target(*arguments[0], **arguments[1])
        except RuntimeError:
            pass  # then it is left to when the program runs

    def number(self, node):
        """The number that all elements of a node's tensor are, or None."""
        if not isinstance(node, torch.fx.Node):
            return None
        places, t = self._affine.get(node), self._tensors.get(node)
        if places is not None and places.is_number:
            is_truth = node.meta["val"].dtype == torch.bool
            return bool(places.constant) if is_truth else places.constant
        if t is None or t.numel() == 0 or not bool((t == t.flatten()[0]).all()):
            return None
        return t.flatten()[0].item()

    def is_within(self, node, first, end):
        """Whether first <= x < end is known of all integers of a node's tensor;
        the bounds are sizes."""
        places, t = self._affine.get(node), self._tensors.get(node)
        if t is not None and isinstance(end, int):
            return bool(((t >= first) & (t < end)).all())
        if places is None:
            return False
        least = most = places.constant
        for n, slope in zip(node.meta["val"].shape, places.slopes):
            last = slope * (size(n) - 1)
            if slope < 0:
                least = least + last
            else:
                most = most + last
        return _is_known(least - first) and _is_known(end - most - 1)

    def simplify(self, emitter, node, values):
        """The value of a node that needs no operator: one number, a band of
        diagonals as masks are, what a condition that holds leaves. Or None."""
        if not node.all_input_nodes:
            return None
        t, number = self._tensors.get(node), self.number(node)
        if number is not None:
            return emitter.fill(*result_of(node), number)
        band = None if t is None else find_band(t)
        if band is not None:
            return emit_band(emitter, tuple(t.shape), element_of(t.dtype), *band)
        if str(node.target) in _ANDS:
            for this, other in (node.args, node.args[::-1]):
                same = values.get(other) if self.number(this) is True else None
                if isinstance(same, Tensor) and \
                        (tuple(same.shape), same.element) == result_of(node):
                    return same
        places = self._affine.get(node)
        return None if places is None else emit_places(
            emitter, *result_of(node), places)


def _is_known(value):
    """Whether a size is known to be at least 0."""
    value = size(value)
    return value >= 0 if isinstance(value, int) else bool(value.is_nonnegative)


def emit_places(e, shape, element, places):
    """constant + sum of slope * index."""
    def body():
        i = e.constant(places.constant, "i64")
        for dim, slope in enumerate(places.slopes):
            if slope:
                part = arith(e, "mul", "i64", e.loop(dim),
                             e.constant(slope, "i64"))
                i = arith(e, "add", "i64", i, part)
        return e.convert(i, "i64", element)
    return e.elementwise(shape, element, [], body)
