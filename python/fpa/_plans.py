# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calls that were checked before need no second check: what a function of the
package decides from types, shapes and options is kept by them."""


class Plans:
    """Values by the types and shapes of operands and by options.

    Past `limit` keys it starts anew: a loop over growing lengths must not fill
    the memory, and what is lost takes microseconds to decide again.
    """

    def __init__(self, limit=1024):
        self._plans = {}
        self._limit = limit

    @staticmethod
    def key(operands, options):
        """What a plan may depend on: of operands (arrays, or None) type, element
        type and shape; of options type and value, since 1 == True. None where
        one of them cannot be kept, which is then for the checks to judge."""
        try:
            key = (options, *map(type, options),
                   *[x if x is None else (type(x), x.dtype, x.shape)
                     for x in operands])
            hash(key)
        except (AttributeError, TypeError):
            return None
        return key

    def get(self, key):
        """The plan of this key, or None."""
        return self._plans.get(key)

    def add(self, key, plan):
        """Keeps a plan; returns it."""
        if key is not None:
            if len(self._plans) >= self._limit:
                self._plans.clear()
            self._plans[key] = plan
        return plan
