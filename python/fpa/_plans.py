# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that were checked before need no second check: what a function of the
package decides from types, shapes and options is kept by them."""

import numpy as np

# Options whose values stay what they are. A tensor's hash, say, is that of the
# object, whatever number it has come to hold.
_VALUES = (bool, int, float, str, type(None), np.generic)


class Plans:
    """Values by the types and shapes of operands and by options.

    Past `limit` keys it starts anew: a loop over growing lengths must not fill
    the memory, and what is lost takes microseconds to decide again.
    """

    def __init__(self, limit=1024):
        self._plans = {}
        self._limit = limit

    @staticmethod
    def key(operands, options, *others):
        """What a plan may depend on: of operands (arrays, or None) type, element
        type and shape; of options type and value, since 1 == True; and others
        with a hash. None where an operand is no array, which is then for the
        checks to judge."""
        try:
            return (options, *map(type, options),
                    *[x if x is None else (type(x), x.dtype, x.shape)
                      for x in operands], *others)
        except AttributeError:
            return None

    def get(self, key):
        """The plan of this key, or None, as of one that is not kept."""
        try:
            return self._plans.get(key)
        except TypeError:  # an option without a hash
            return None

    def add(self, key, plan):
        """Keeps a plan where its key, whose first part are options, can be kept;
        returns it."""
        if key is None or not all(isinstance(x, _VALUES) for x in key[0]):
            return plan
        if len(self._plans) >= self._limit:
            self._plans.clear()
        self._plans[key] = plan
        return plan
