# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""First passage attention on PyTorch's tensors.

    fpa.torch.attention(q, k, v, field)      # fpa.attention, differentiable
    torch.ops.fpa.attention                  # the op under it, with lse
    torch.ops.fpa.attention_dropped          # and what prune_eps left out
    torch.ops.fpa.attention_backward

Tensors may be in the CPU's memory or a GPU's, whose kernels go to PyTorch's current
stream; none is copied that is row-major. float64 is for the CPU alone.

The ops have fake implementations (torch.compile, torch.export), gradients, a rule
for torch.vmap and one for autocast. Importing this module registers them;
fpa.attention on a tensor does so by itself.
"""

from ._functional import (attention, attention_backward, prefix_min,
                          prefix_sum)

__all__ = ["attention", "attention_backward", "prefix_min", "prefix_sum"]
