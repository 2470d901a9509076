# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a layer refuses, in words of its own arguments: those of the op know of q
and k, which the caller of a layer has never seen."""

import torch

from ..torch._autocast import is_on
from ..torch._tensors import describe, element_of, float_tensor
from ._generation import LayerCache

_FLOATS = ("f16", "bf16", "f32", "f64")


def factory(device, dtype):
    """The arguments of modules that make parameters."""
    if dtype is not None and (not isinstance(dtype, torch.dtype)
                              or element_of(dtype) is None):
        raise TypeError(f"expected dtype to be torch.float16, bfloat16, float32 "
                        f"or float64, got {dtype!r}")
    if device is not None:
        try:
            device = torch.device(device)
        except (RuntimeError, TypeError, ValueError):
            raise ValueError(f"expected device to be one of this machine's in "
                             f"PyTorch's words, got {device!r}") from None
    return {"device": device, "dtype": dtype}


def check_input(layer, x, cu_seqlens):
    """Refuses x unless it is [B, L, d_model] of the weights' type, or of one that
    autocast brings to theirs."""
    if not isinstance(x, torch.Tensor):
        raise TypeError(f"expected x to be a tensor, got {describe(x)}")
    if x.is_nested or x.dim() != 3 or x.shape[2] != layer.d_model:
        raise ValueError(f"expected x of shape [B, L, d_model = "
                         f"{layer.d_model}], got "
                         + ("a nested tensor" if x.is_nested else
                            f"shape {list(x.shape)}"))
    # Modules that stand in for nn.Linear may hold weights of other kinds.
    weight = element_of(getattr(layer.q_proj.weight, "dtype", None))
    if weight is None:
        float_tensor("x", x)
    elif weight != "f64" and is_on(x.device.type):
        float_tensor("x", x, _FLOATS[:3], " under autocast")
    else:
        float_tensor("x", x, (weight,), ", as the layer's weights")
    if cu_seqlens is not None and x.shape[0] != 1:
        raise ValueError(f"expected x of batch size 1 with cu_seqlens, got "
                         f"{x.shape[0]}")


def check_cached(layer, x, cu_seqlens, cache):
    """Refuses a call with a cache that could not go on where it stands."""
    if not isinstance(cache, LayerCache):
        raise TypeError(f"expected cache to be a LayerCache, of make_cache, got "
                        f"{describe(cache)}")
    if torch.is_grad_enabled() and (x.requires_grad or any(
            p.requires_grad for p in layer.parameters())):
        raise ValueError("expected no gradients with a cache, got an x or "
                         "parameters that require them: call under "
                         "torch.no_grad()")
    if cu_seqlens is not None:
        raise ValueError("expected no cu_seqlens with a cache, got some")
    for name, what in (("smooth", "the exact penalty"),
                       ("window", "no window")):
        value = getattr(layer, name)
        if value is not None:
            raise ValueError(f"expected {what} with a cache, got {name} {value}")
    for name in ("kv_heads", "head_dim", "v_head_dim", "scale"):
        theirs, ours = getattr(cache, name), getattr(layer, name)
        if theirs != ours:
            raise ValueError(f"expected cache to be one of this layer, of {name} "
                             f"{ours}, got one of {theirs}")
    if x.shape[0] != cache.keys.batch:
        raise ValueError(f"expected x of batch size {cache.keys.batch}, the "
                         f"cache's, got {x.shape[0]}")
    if x.shape[1] == 0:
        raise ValueError("expected x of at least 1 new token with a cache, got "
                         "0")
    if x.is_meta:
        raise ValueError("expected x to have elements with a cache, got a tensor "
                         "on meta")
