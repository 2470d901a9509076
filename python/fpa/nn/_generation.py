# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a layer remembers while tokens are generated."""

import torch

from .. import KVCache


class LayerCache:
    """The keys and values of one layer, in an fpa.KVCache that drops those that
    have died, and where its field stands. FirstPassageAttention.make_cache makes
    one; pass it as `cache` to each call of the layer, with new tokens only.

    - keys: the fpa.KVCache; its `live`, `nbytes` and `error_bound` say how many
      keys are left, what they take, and what the dropped ones may have changed.
    """

    def __init__(self, batch, kv_heads, head_dim, v_head_dim, dtype, scale,
                 capacity, evict_above, target):
        self.keys = KVCache(batch, kv_heads, head_dim, v_head_dim,
                            capacity=capacity, evict_above=evict_above,
                            dtype=dtype, scale=scale, target=target)
        self.kv_heads, self.head_dim = kv_heads, head_dim
        self.v_head_dim, self.scale, self.dtype = v_head_dim, scale, dtype
        # What the field's head carries from call to call.
        self.past = {}
        self._started = False

    def clear(self):
        """Forgets everything: another prompt may come."""
        self.keys.clear()
        self.past.clear()
        self._started = False

    def attend(self, q, k, v, field, level):
        """The output of new tokens over all before and themselves, in q's type,
        which may be narrower than the cache's, as autocast makes it."""
        if torch.promote_types(q.dtype, self.dtype) != self.dtype:
            raise TypeError(f"expected a layer of {self.dtype}, as its cache, got "
                            f"one of {q.dtype}")
        if field is None:  # a flat one takes nothing off
            field = q.new_zeros(k.shape[:3], dtype=torch.promote_types(
                q.dtype, torch.float32))
        operands = [*[x.to(self.dtype) for x in (q, k, v)], field, level]
        # The layer may have moved since the cache was made.
        if not self.keys.target.startswith("cuda"):
            operands = [x if x is None else x.cpu() for x in operands]
        call = self.keys.step if self._started else self.keys.prefill
        out = call(*operands)
        self._started = True
        return out.to(q.device, q.dtype)
