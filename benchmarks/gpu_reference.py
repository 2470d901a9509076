# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention with a tied field in float64, row by row from the definition.

    m(i,j)   = min { field_t : j < t <= i }         +inf when empty
    s(i,j)   = <q_i, k_j> / sqrt(D) - max(0, field_j - m(i,j))
    output_i = sum_j softmax_j s(i,j) v_j           over j <= i

Gradients are PyTorch's, of the same lines.
"""


def attention_rows(torch, q, k, v, field, rows):
    """(output, sum_j P_ij |v_j|) of query rows `rows` in float64; tensors are
    [B, H, L, D] and [B, H, L] or None."""
    q, k, v = (x.double() for x in (q, k, v))
    rows = torch.arange(q.shape[2], device=q.device) if rows is None else rows
    length = q.shape[2]
    places = torch.arange(length, device=q.device)
    future = places[None, :] > rows[:, None]
    logits = q[:, :, rows] @ k.transpose(2, 3) / q.shape[3] ** 0.5
    if field is not None:
        field = field.double()
        inf = torch.tensor(float("inf"), dtype=torch.float64, device=q.device)
        # Suffix minima of the part of the field that row i reaches.
        reached = torch.where(future, inf, field[:, :, None, :])
        minimum = reached.flip(-1).cummin(-1).values.flip(-1)
        between = torch.cat([minimum[..., 1:],
                             inf.expand(*minimum.shape[:-1], 1)], -1)
        logits = logits - (field[:, :, None, :] - between).clamp(min=0)
    logits = logits.masked_fill(future, -float("inf"))
    weights = logits.softmax(-1)
    return weights @ v, weights @ v.abs()


def worst_error(torch, output, q, k, v, field, rows, roundoff):
    """The largest error of the rows' outputs in roundings of the output's type,
    of sum_j P_ij |v_j|: the sums' terms lose that much each."""
    worst = 0.0
    for part in rows.split(16):
        want, size = attention_rows(torch, q, k, v, field, part)
        got = output[:, :, part].double()
        if not torch.isfinite(got).all():
            return float("inf")
        worst = max(worst, ((got - want).abs() / (size * roundoff)).max().item())
    return worst


def worst_gradient(torch, inputs, gradients, roundoff):
    """The largest error of the gradients in roundings of the type, of each
    one's largest entry. `inputs` are q, k, v, perhaps field, then output, lse
    and the output's gradient."""
    *given, _, _, seed = inputs
    leaves = [x.double().requires_grad_() for x in given]
    field = leaves[3] if len(leaves) > 3 else None
    output, _ = attention_rows(torch, *leaves[:3], field, None)
    want = torch.autograd.grad(output, leaves, seed.double())
    worst = 0.0
    for w, g in zip(want, gradients):
        if not torch.isfinite(g).all():
            return float("inf")
        error = (g.double() - w).abs().max() / (w.abs().max() * roundoff)
        worst = max(worst, error.item())
    return worst
