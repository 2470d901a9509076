# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The layer."""

import math

from torch import nn

from .. import _arrays
from ..torch import attention
from ..torch._tensors import target_for
from ._checks import check_cached, check_input, factory
from ._fields import FIELDS
from ._generation import LayerCache


class FirstPassageAttention(nn.Module):
    """Causal self-attention over x [B, L, d_model] in which a key is penalised by
    the deepest dip of a learned field below its level since; returns
    [B, L, d_model].

    - d_model, n_heads: width of x and number of query heads.
    - kv_heads: heads of keys and values, each shared by n_heads / kv_heads query
      heads (n_heads by default). Each has a field of its own, in logits.
    - head_dim, v_head_dim: width of a head's queries and keys, d_model / n_heads
      by default, and of its values, head_dim by default.
    - field: how field and level come from x: "walk", "free", "mix", "fox",
      "alibi" or "none" (fpa.nn.FIELDS says what each is). Float32 whatever x
      and the weights are and autocast says (float64 with a float64 x).
    - window: only the last `window` tokens up to a query's own are seen.
    - scale: of the products, 1 / sqrt(head_dim) by default.
    - bias: of the four projections.
    - gain: standard deviation of the field's (or its steps') heads at first, in
      logits where x has 1. Far from 1 it does not train, and 0 never does: where
      no key is penalised the field has no gradient.
    - gate_bias: first bias of the gates of "fox".
    - smooth: beta of the smooth penalty, in 1 / logits; None is the exact one.
      An attribute that may be set at any time; fpa.nn.SmoothSchedule does.
    """

    _version = 1

    def __init__(self, d_model, n_heads, *, kv_heads=None, head_dim=None,
                 v_head_dim=None, field="walk", window=None, scale=None,
                 bias=False, gain=1.0, gate_bias=3.0, smooth=None, device=None,
                 dtype=None):
        super().__init__()
        largest = 2**31
        d_model, n_heads = (_arrays.integer(name, n, 1, largest) for name, n in
                            (("d_model", d_model), ("n_heads", n_heads)))
        kv_heads = n_heads if kv_heads is None else _arrays.integer(
            "kv_heads", kv_heads, 1, n_heads)
        if n_heads % kv_heads:
            raise ValueError(f"expected n_heads to be a multiple of kv_heads, "
                             f"got {n_heads} and {kv_heads}")
        if head_dim is None:
            if d_model % n_heads:
                raise ValueError(
                    f"expected d_model to be a multiple of n_heads without a "
                    f"head_dim, got {d_model} and {n_heads}")
            head_dim = d_model // n_heads
        head_dim = _arrays.integer("head_dim", head_dim, 1, largest)
        v_head_dim = head_dim if v_head_dim is None else _arrays.integer(
            "v_head_dim", v_head_dim, 1, largest)
        if not isinstance(field, str) or field not in FIELDS:
            raise ValueError(f"expected field to be one of "
                             f"{', '.join(map(repr, FIELDS))}, got {field!r}")
        self.d_model, self.n_heads, self.kv_heads = d_model, n_heads, kv_heads
        self.head_dim, self.v_head_dim = head_dim, v_head_dim
        self.window = None if window is None else _arrays.integer(
            "window", window, 1, 2**63 - 1)
        self.scale = _arrays.real("scale", scale)
        self.smooth = _arrays.real("smooth", smooth, positive=True)
        bias = _arrays.flag("bias", bias)
        made = factory(device, dtype)
        for name, inside, outside in (
                ("q_proj", d_model, n_heads * head_dim),
                ("k_proj", d_model, kv_heads * head_dim),
                ("v_proj", d_model, kv_heads * v_head_dim),
                ("o_proj", n_heads * v_head_dim, d_model)):
            setattr(self, name, nn.Linear(inside, outside, bias=bias,
                                          **made))
        self.field = field
        self.field_head = FIELDS[field](
            d_model, kv_heads, _arrays.finite("gain", gain, positive=True),
            _arrays.finite("gate_bias", gate_bias), **made)

    def make_cache(self, batch, *, capacity=65536, evict_above=math.inf,
                   target=None):
        """A LayerCache for `batch` sequences of up to `capacity` keys in a head.
        Keys whose penalty is above evict_above, in logits, are dropped for
        good; infinity drops none. It lies where the layer does, or where target
        says: as fpa.KVCache's."""
        if self.window is not None:
            raise ValueError(f"expected a layer without a window for a cache, "
                             f"got one of {self.window}")
        weight = self.q_proj.weight
        return LayerCache(batch, self.kv_heads, self.head_dim, self.v_head_dim,
                          weight.dtype, self.scale, capacity, evict_above,
                          target_for("the layer's weights", weight, target))

    def forward(self, x, *, cu_seqlens=None, cache=None):
        """x [B, L, d_model] to [B, L, d_model].

        - cu_seqlens: integers [N + 1] from 0 to L that pack N sequences along L,
          with B = 1; nothing is seen across their boundaries.
        - cache: a LayerCache of make_cache; x is then what comes after the tokens
          of earlier calls. Without gradients: under torch.no_grad(). Where a
          call fails, the cache is what it was.
        """
        check_input(self, x, cu_seqlens)
        if cache is not None:
            check_cached(self, x, cu_seqlens, cache)
        q, k, v = (self._split(*each) for each in (
            (self.q_proj(x), self.n_heads, self.head_dim),
            (self.k_proj(x), self.kv_heads, self.head_dim),
            (self.v_proj(x), self.kv_heads, self.v_head_dim)))
        if cache is not None:
            past = dict(cache.past)
            o = cache.attend(q, k, v, *self.field_head(x, past))
            cache.past = past
            return self.o_proj(o.transpose(1, 2).flatten(2))
        field, level = self.field_head(x)
        o = attention(q, k, v, field, level, scale=self.scale,
                      window=self.window, cu_seqlens=cu_seqlens,
                      smooth=None if field is None else self.smooth)
        return self.o_proj(o.transpose(1, 2).flatten(2))

    @staticmethod
    def _split(x, heads, size):
        return x.unflatten(-1, (heads, size)).transpose(1, 2)

    def extra_repr(self):
        words = (f"{self.d_model}, {self.n_heads}, kv_heads={self.kv_heads}, "
                 f"head_dim={self.head_dim}, v_head_dim={self.v_head_dim}, "
                 f"field={self.field!r}")
        for name in ("window", "scale", "smooth"):
            if getattr(self, name) is not None:
                words += f", {name}={getattr(self, name)}"
        return words

    def _load_from_state_dict(self, state, prefix, metadata, strict, missing,
                              unexpected, errors):
        """States name the version of their format. A file without versions (not
        every format keeps them) is taken for this one."""
        version = metadata.get("version")
        if version is not None and version > self._version:
            errors.append(f"expected a state of FirstPassageAttention of version "
                          f"{self._version} at most, got {version}: it was "
                          f"saved by a newer fpa")
            return
        super()._load_from_state_dict(state, prefix, metadata, strict, missing,
                                      unexpected, errors)
