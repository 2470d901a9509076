# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The attention layer without our kernels."""

import layers
from torch.nn.functional import scaled_dot_product_attention

import fpa


class StockAttention(fpa.nn.FirstPassageAttention):
    """The same layer, with the same parameters, as one writes it in PyTorch: what
    is taken off the logits is a mask, [B, H, L, L]."""

    def forward(self, x):
        q, k, v, field, level = layers.operands(self, x)
        mask = None
        if field is not None:
            mask = -self._taken(field, level)
        o = scaled_dot_product_attention(q, k, v, attn_mask=mask,
                                         is_causal=mask is None)
        return self.o_proj(o.transpose(1, 2).flatten(2))

    def _taken(self, field, level):
        if isinstance(self.field_head, fpa.nn.FIELDS["fox"]):
            return layers.difference(field)
        return layers.penalty(field, level, self.smooth)
