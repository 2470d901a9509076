# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whether PyTorch's dispatcher has nothing to do for an op of ours but to call its
function for CPUs, as it does where nobody differentiates, maps, traces, casts or
profiles. Asking it takes longer than a small kernel.

What watches calls without a mode or the profiler, as an ExecutionTraceObserver by
itself does, sees torch.ops.fpa.attention only where that is called."""

import torch
from torch.autograd import forward_ad

_C = torch._C
_Key = _C.DispatchKey


def _key_set(*keys):
    found = _C.DispatchKeySet(keys[0])
    for key in keys[1:]:
        found = found.add(key)
    return found.raw_repr()


# What a thread asks for by itself, and in inference mode: modes, transforms and
# tracers add keys of theirs.
_THREADS = frozenset((
    _key_set(_Key.BackendSelect),
    _key_set(_Key.BackendSelect, _Key.ADInplaceOrView)))
# Tensors of the CPU's own, and those made in inference mode. Fake ones, wrapped
# ones and those with a pending negation have more keys.
_TENSORS = frozenset((
    _key_set(_Key.CPU, _Key.AutocastCPU),
    _key_set(_Key.CPU, _Key.AutocastCPU, _Key.AutogradCPU,
             _Key.ADInplaceOrView)))
# Others may have a __torch_function__.
_TYPES = frozenset((torch.Tensor, torch.nn.Parameter))


def is_direct(tensors):
    """Whether a call with these tensors (or None, or what is no tensor) needs
    nothing but the op's function for CPUs."""
    # Before anything that torch.compile does not follow.
    if torch.compiler.is_compiling():
        return False
    if _C._is_any_autocast_enabled() or _C._len_torch_function_stack() \
            or forward_ad._current_level >= 0 \
            or torch.autograd._profiler_enabled():
        return False
    differentiates = torch.is_grad_enabled()
    for x in tensors:
        if x is not None and (
                type(x) not in _TYPES
                or (differentiates and x.requires_grad)
                or _C._dispatch_keys(x).raw_repr() not in _TENSORS):
            return False
    return _C._dispatch_tls_local_include_set().raw_repr() in _THREADS
