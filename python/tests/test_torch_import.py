# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""PyTorch modules as MLIR: the imported module gives the module's numbers, and
attention in it, however it is written, is fpa.attention."""

import math
import unittest

try:
    import torch
    from torch import nn
    import torch.nn.functional as F
except ImportError as error:
    raise unittest.SkipTest(f"PyTorch: {error}")

import fpa
from imported_modules import TILES, Module, TestCase


def heads(x, count):
    batch, length, width = x.shape
    return x.view(batch, length, count, width // count).transpose(1, 2)


def merge(x):
    return x.transpose(1, 2).flatten(2)


def hidden(length):
    return torch.ones(length, length, dtype=torch.bool).triu(1)


class Block(nn.Module):
    """A block of a transformer around `attend(module, q, k, v, x)`."""

    def __init__(self, attend, width=32, count=4, **buffers):
        super().__init__()
        self.norm, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv = nn.Linear(width, 3 * width)
        self.out = nn.Linear(width, width)
        self.mlp = nn.Sequential(nn.Linear(width, 64), nn.GELU(),
                                 nn.Linear(64, width))
        self.gates = nn.Linear(width, count)
        self.attend, self.count = attend, count
        for name, value in buffers.items():
            self.register_buffer(name, value)

    def forward(self, x):
        y = self.norm(x)
        q, k, v = (heads(t, self.count)
                   for t in self.qkv(y).chunk(3, dim=-1))
        x = x + self.out(merge(self.attend(self, q, k, v, y)))
        return x + self.mlp(self.norm2(x))


# Attention as people write it.

def sdpa(m, q, k, v, x):
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


def sdpa_mask(m, q, k, v, x):
    length = q.shape[2]
    mask = torch.ones(length, length, dtype=torch.bool).tril()
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def sdpa_float_mask(m, q, k, v, x):
    length = q.shape[2]
    mask = torch.full((length, length), -math.inf).triu(1)
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask, scale=0.3)


def nano_gpt(m, q, k, v, x):
    length = q.shape[2]
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    att = att.masked_fill(m.bias[:, :, :length, :length] == 0, -math.inf)
    return F.softmax(att, dim=-1) @ v


def finite_mask(m, q, k, v, x):
    length = q.shape[2]
    att = torch.matmul(q / math.sqrt(k.size(-1)), k.transpose(-1, -2))
    least = torch.finfo(att.dtype).min
    i = torch.arange(length)
    att = torch.where(i[:, None] >= i[None, :], att, least)
    return torch.matmul(att.softmax(-1), v)


def einsum_like(m, q, k, v, x):
    length, scale = q.shape[2], q.shape[-1] ** -0.5
    att = torch.matmul(q * scale, k.transpose(-1, -2))
    att = att + torch.zeros(length, length).masked_fill(hidden(length),
                                                        -1e9)
    weights = torch.exp(att - att.amax(-1, keepdim=True))
    weights = weights / weights.sum(-1, keepdim=True)
    return torch.matmul(weights, v)


def batched(m, q, k, v, x):
    batch, count, length, width = q.shape
    q, k, v = (t.reshape(batch * count, length, width) for t in (q, k, v))
    att = torch.baddbmm(torch.zeros(1, 1, 1), q, k.transpose(1, 2))
    att = (att / math.sqrt(width)).masked_fill(hidden(length), -math.inf)
    return torch.bmm(att.softmax(-1), v).view(batch, count, length, width)


def window(m, q, k, v, x):
    i = torch.arange(q.shape[2])
    distance = i[:, None] - i[None, :]
    seen = (distance >= 0) & (distance < 5)
    att = (q @ k.mT) * 0.25
    return att.masked_fill(~seen, -math.inf).softmax(-1) @ v


def alibi(m, q, k, v, x):
    i = torch.arange(q.shape[2])
    distance = (i[None, :] - i[:, None]).float()
    att = q @ k.mT / math.sqrt(q.shape[-1]) + m.slopes[:, None, None] * distance
    return att.masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1) @ v


def fox(m, q, k, v, x):
    c = F.logsigmoid(m.gates(x)).transpose(1, 2).cumsum(-1)
    att = q @ k.mT / math.sqrt(q.shape[-1])
    att = att + (c[..., :, None] - c[..., None, :])
    return att.masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1) @ v


def range_minimum(m, q, k, v, x):
    field = m.gates(x).transpose(1, 2)  # B x H x L
    t = torch.arange(q.shape[2])
    between = (t[None, None, :] > t[None, :, None]) & \
        (t[None, None, :] <= t[:, None, None])
    least = field[:, :, None, None, :].masked_fill(
        ~between, math.inf).amin(-1)
    penalty = F.relu(field[:, :, None, :] - least)
    att = q @ k.mT / math.sqrt(q.shape[-1]) - penalty
    return att.masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1) @ v


def least_between(field):
    """The minimum of the field over key < t <= row, as rows of keys: a running
    minimum for each key."""
    length = field.shape[-1]
    later = torch.ones(length, length, dtype=torch.bool).triu(1)
    return field[:, :, None, :].masked_fill(~later, math.inf).cummin(
        -1).values.mT


def running_minimum(m, q, k, v, x):
    field, level = m.gates(x).transpose(1, 2), m.gates(x * 2).transpose(1, 2)
    penalty = (level[:, :, None, :] - least_between(field)).clamp(min=0)
    att = q @ k.mT / math.sqrt(q.shape[-1]) - penalty
    return att.masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1) @ v


def smooth_minimum(m, q, k, v, x):
    field = m.gates(x).transpose(1, 2)
    penalty = F.softplus(field[:, :, None, :] - least_between(field), beta=3)
    att = q @ k.mT / math.sqrt(q.shape[-1]) - penalty
    return att.masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1) @ v


def smooth_by_hand(m, q, k, v, x):
    field = m.gates(x).transpose(1, 2)
    z = 0.7 * (field[:, :, None, :] - least_between(field))
    att = q @ k.mT / math.sqrt(q.shape[-1]) - torch.log1p(z.exp()) / 0.7
    return att.masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1) @ v


def smooth_where(m, q, k, v, x):
    field = m.gates(x).transpose(1, 2)
    z = field[:, :, None, :] - least_between(field)
    soft = torch.where(z * 0.3 > 20, z, torch.log(1 + (z * 0.3).exp()) / 0.3)
    att = q @ k.mT / math.sqrt(q.shape[-1]) - soft
    return att.masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1) @ v


ATTENTIONS = [sdpa, sdpa_mask, sdpa_float_mask, nano_gpt, finite_mask,
              einsum_like, batched, window, alibi, fox, range_minimum,
              running_minimum, smooth_minimum, smooth_by_hand, smooth_where]
BUFFERS = {
    nano_gpt: {"bias": torch.tril(torch.ones(64, 64)).view(1, 1, 64, 64)},
    alibi: {"slopes": 2.0 ** -torch.arange(1, 5)},
}


def full_attention(m, q, k, v, x):
    return (q @ k.mT).softmax(-1) @ v


def returned(m, q, k, v, x):
    att = (q @ k.mT).masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1)
    return att @ v + att.sum(-1, keepdim=True)


def learned_bias(m, q, k, v, x):
    att = q @ k.mT + m.bias[:, :q.shape[2], :q.shape[2]]
    return att.masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1) @ v


def lopsided(m, q, k, v, x):
    field = m.gates(x).transpose(1, 2)
    penalty = F.softplus(field[:, :, None, :] - least_between(field), beta=3)
    att = q @ k.mT - 2 * penalty
    return att.masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1) @ v


def early(m, q, k, v, x):
    field = m.gates(x).transpose(1, 2)
    penalty = F.softplus(field[:, :, None, :] - least_between(field),
                         threshold=0.1)
    att = q @ k.mT - penalty
    return att.masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1) @ v


def rising(m, q, k, v, x):
    c = m.gates(x).transpose(1, 2).cumsum(-1)
    att = q @ k.mT + (c[..., :, None] - c[..., None, :])
    return att.masked_fill(hidden(q.shape[2]), -math.inf).softmax(-1) @ v


class Places(nn.Module):
    """Integers that follow from positions, of a size that is not known, and some
    that only look as if."""

    def forward(self, x):
        t = torch.arange(x.shape[1])
        rows = (t + 3).unsqueeze(1)
        grid = rows.expand(-1, 4)
        return (
            t.float(), rows - t, grid + 0, t[2:] - 1, t.diff(),
            t.diff(prepend=t[:1] - 1), t.diff(prepend=t[:1] - 2),
            rows.diff(dim=0, prepend=rows[:1] - 1),
            torch.full((x.shape[1],), 2).cumsum(0), t.cumsum(0),
            t == t + 1, t <= t, rows > t, (t > 2).cumsum(0),
            t.diff().ne(1).cumsum(0), t[t], t[t - 1],
            grid[t.unsqueeze(1), torch.arange(2)])


class Known(nn.Module):
    """What depends on nothing but sizes: a mask from gathered positions, and a
    condition that always holds. Sums and differences of what is passed stay."""

    def forward(self, x):
        n = x.shape[1]
        at = torch.arange(n).expand(2, n)
        part = (torch.diff(at, prepend=at[:, :1] - 1) != 1).cumsum(-1)
        rows, columns = torch.arange(n)[:, None], torch.arange(n)[None, :]
        seen = ((at[:, columns] <= at[:, rows])
                & (part[:, rows] == part[:, columns]))
        steps = (x > 0).long().cumsum(1).diff(
            n=2, dim=1, append=torch.ones(2, 1, 4).long())
        sums = torch.where(seen[..., None], x[:, None], 0.0).sum(2)
        return sums, steps, (x > 0).diff(dim=1)


class AttentionTest(TestCase):
    def setUp(self):
        torch.manual_seed(5)

    def test_raised(self):
        for attend in ATTENTIONS:
            with self.subTest(attend.__name__):
                module = Block(attend, **BUFFERS.get(attend, {}))
                f = self.compare(module, torch.randn(2, 13, 32))
                self.assertIn("fpa.attention", f.graph.mlir)
                self.assertEqual(f.graph.remarks, [])
                self.assertNotIn("math.exp ", f.graph.mlir.split(
                    "fpa.attention")[1])

    def test_dynamic(self):
        shapes = ({0: torch.export.Dim("batch"),
                   1: torch.export.Dim("length", max=63)},)
        for attend in (nano_gpt, fox):
            with self.subTest(attend.__name__):
                module = Block(attend, **BUFFERS.get(attend, {})).eval()
                f = fpa.compile_module(module, (torch.randn(2, 13, 32),),
                                       dynamic_shapes=shapes, options=TILES)
                self.assertIn("fpa.attention", f.graph.mlir)
                for size in ((1, 7), (3, 40), (2, 1)):
                    self.check(f, module, (torch.randn(*size, 32),))

    def test_dynamic_rows(self):
        """Batch and length become rows of one product, and two sizes again."""
        class Rows(nn.Module):
            def __init__(self):
                super().__init__()
                self.weight = nn.Parameter(torch.randn(8, 6))

            def forward(self, x):
                rows = x.view(-1, x.shape[-1]) @ self.weight
                return rows.view(*x.shape[:-1], 6)

        module = Rows().eval()
        f = fpa.compile_module(
            module, (torch.randn(2, 13, 8),),
            dynamic_shapes=({0: torch.export.Dim("batch"),
                             1: torch.export.Dim("length")},))
        for size in ((1, 7), (3, 40), (2, 1), (0, 4)):
            self.check(f, module, (torch.randn(*size, 8),))

    def test_left_alone(self):
        cases = {
            full_attention: "it has no causal mask",
            returned: "its logits or weights are used elsewhere",
            learned_bias: "it has a bias that is no sum",
            lopsided: "the smooth penalty is not softplus",
            early: "it has a bias that is no sum",
            rising: "its bias is not known to grow with the key",
        }
        buffers = {learned_bias: {"bias": torch.randn(4, 80, 80)}}
        for attend, reason in cases.items():
            with self.subTest(attend.__name__):
                module = Block(attend, **buffers.get(attend, {}))
                f = self.compare(module, torch.randn(2, 13, 32))
                self.assertNotIn("fpa.attention", f.graph.mlir)
                self.assertEqual(len(f.graph.remarks), 1)
                self.assertIn("test_torch_import.py", f.graph.remarks[0])
                self.assertIn(reason, f.graph.remarks[0])

    def test_shared_heads(self):
        def repeated(m, q, k, v):
            k, v = (t.repeat_interleave(2, dim=1) for t in (k, v))
            return F.scaled_dot_product_attention(
                q, k, v, attn_mask=~hidden(q.shape[2]))

        def expanded(m, q, k, v):
            batch, count, length, width = k.shape
            k, v = (t[:, :, None].expand(batch, count, 2, length, width)
                    .reshape(batch, 2 * count, length, width) for t in (k, v))
            att = (q @ k.mT).masked_fill(hidden(length), -math.inf)
            return att.softmax(-1) @ v

        def native(m, q, k, v):
            return F.scaled_dot_product_attention(q, k, v, is_causal=True,
                                                  enable_gqa=True)
        for function in (repeated, expanded, native):
            with self.subTest(function.__name__):
                f = self.compare(Module(function), torch.randn(2, 4, 9, 8),
                                 torch.randn(2, 2, 9, 8),
                                 torch.randn(2, 2, 9, 8))
                self.assertIn("tensor<2x2x9x8xf32>, tensor<2x2x9x8xf32>",
                              f.graph.mlir.split("fpa.attention")[1])

    def test_own_operator(self):
        class Own(nn.Module):
            def forward(self, q, k, v, field):
                o, lse = torch.ops.fpa.attention(q, k, v, field, window=6)
                total = torch.ops.fpa.prefix_sum(field, -1)
                least, at = torch.ops.fpa.prefix_min(field, 2, True)
                return o, lse, total, least, at
        fpa.torch  # registers it
        q, k, v = torch.randn(2, 4, 9, 8), *torch.randn(2, 2, 2, 9, 8)
        f = self.compare(Own(), q, k, v, torch.randn(2, 2, 9))
        self.assertEqual(f.graph.mlir.count("fpa.attention"), 1)


    def test_small_numbers(self):
        """Numbers that are written with an exponent and no point."""
        class Own(nn.Module):
            def forward(self, q, k, v, field):
                return torch.ops.fpa.attention(
                    q, k, v, field, scale=1e-5, smooth=2e-5,
                    prune_eps=3e-5)[0]

        def scaled(m, q, k, v, field):
            return F.scaled_dot_product_attention(q, k, v, is_causal=True,
                                                  scale=1e-5)
        fpa.torch  # registers it
        x = (*torch.randn(3, 2, 4, 9, 8), torch.randn(2, 4, 9))
        for module in (Own(), Module(scaled)):
            f = self.compare(module, *x)
            self.assertIn("fpa.attention", f.graph.mlir)

    def test_broadcast(self):
        """Heads and batch sizes of 1 stand for all."""
        def plain(m, q, k, v):
            return F.scaled_dot_product_attention(q, k, v)

        def causal(m, q, k, v):
            return F.scaled_dot_product_attention(q, k, v, is_causal=True)
        one = {"batch": (1, 4), "head": (2, 1), "both": (1, 1)}
        for name, lead in one.items():
            for function in (plain, causal):
                x, y = torch.randn(2, 4, 6, 8), torch.randn(*lead, 6, 8)
                with self.subTest(f"{name} {function.__name__}"):
                    self.compare(Module(function), x, y, -y)
                    self.compare(Module(function), x, y, 2 * x)
                    self.compare(Module(function), y, x, 2 * x)

    def test_packed(self):
        """Starts of sequences of either kind of integer."""
        class Packed(nn.Module):
            def forward(self, q, k, v, at):
                return torch.ops.fpa.attention(q, k, v, cu_q=at, cu_k=at)[0]
        fpa.torch  # registers it
        at = torch.tensor([0, 2, 6])
        for kind in (torch.int32, torch.int64):
            self.compare(Packed(), *torch.randn(3, 1, 4, 6, 8), at.to(kind))

    def test_dropped(self):
        """What pruning left out, and of how many keys."""
        class Pruned(nn.Module):
            def __init__(self, **wanted):
                super().__init__()
                self.wanted = wanted

            def forward(self, q, k, v, field):
                return fpa.torch.attention(q, k, v, field, **self.wanted)
        x = (*torch.randn(3, 1, 4, 40, 8), 9 * torch.randn(1, 4, 40))
        for wanted in ({"return_dropped": True}, {"return_counts": True},
                       {"return_dropped": True, "return_counts": True,
                        "return_lse": True}):
            for eps in (0.0, 1e-3):
                with self.subTest(f"{wanted} {eps}"):
                    self.compare(Pruned(prune_eps=eps, **wanted), *x, options="")

    def test_rows_without_keys(self):
        """They are 0."""
        x = torch.randn(3, 2, 4, 6, 8)
        seen = hidden(6).logical_not().repeat(2, 1, 1, 1)
        seen[1, :, :, :2] = False
        seen[0, :, 3] = False
        seen[0, :, 4, 1:] = False
        numbers = torch.zeros(seen.shape).masked_fill(~seen, -math.inf)
        numbers[0, :, 2, 0] = 0.5

        def masked(m, q, k, v, mask):
            return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)

        def constant(m, q, k, v):
            return F.scaled_dot_product_attention(q, k, v, attn_mask=m.mask)

        def safe(m, x):
            return torch.ops.aten._safe_softmax(x, -1)

        for mask in (seen, numbers):
            with self.subTest(mask.dtype):
                f = self.compare(Module(masked), *x, mask)
                self.assertEqual(f(*x, mask)[1, :, 0].abs().max(), 0)
                self.compare(Module(constant, mask=mask), *x)
        self.compare(Module(safe), numbers)
        self.compare(Module(safe), numbers.double())
        self.compare(Module(masked), *x.bfloat16(), numbers.bfloat16(),
                     tolerance=4e-2)


class ModuleTest(TestCase):
    """Whole modules of torch.nn."""

    def test_encoder_layer(self):
        class Layer(nn.Module):
            def __init__(self):
                super().__init__()
                self.layer = nn.TransformerEncoderLayer(
                    32, 4, 64, batch_first=True, norm_first=True)

            def forward(self, x):
                mask = nn.Transformer.generate_square_subsequent_mask(
                    x.shape[1])
                return self.layer(x, src_mask=mask, is_causal=True)
        torch.backends.mha.set_fastpath_enabled(False)
        try:
            f = self.compare(Layer(), torch.randn(2, 9, 32))
        finally:
            torch.backends.mha.set_fastpath_enabled(True)
        self.assertIn("fpa.attention", f.graph.mlir)

    def test_places(self):
        shapes = ({1: torch.export.Dim("length", min=4, max=63)},)
        module = Places().eval()
        f = fpa.compile_module(module, (torch.randn(2, 13),),
                               dynamic_shapes=shapes)
        for length in (4, 13, 40):
            self.check(f, module, (torch.randn(2, length),))

    def test_known_masks(self):
        f = self.compare(Known(), torch.randn(2, 9, 4))
        # The mask is a comparison of indices; nothing is gathered for it.
        self.assertNotIn("tensor.extract ", f.graph.mlir)

    def test_half(self):
        module = Block(nano_gpt, **BUFFERS[nano_gpt]).to(torch.bfloat16)
        self.compare(module, torch.randn(2, 9, 32, dtype=torch.bfloat16),
                     tolerance=4e-2, options="")

    def test_exported_program(self):
        """Also one that was taken apart into core operators before."""
        module = Block(nano_gpt, **BUFFERS[nano_gpt]).eval()
        x = torch.randn(2, 9, 32)
        program = torch.export.export(module, (x,)).run_decompositions()
        f = fpa.compile_module(program)
        self.check(f, module, (x,))
        self.assertIn("fpa.attention", f.graph.mlir)


    def test_rms_norm_without_epsilon(self):
        """Half precision is computed in float32, and so is its epsilon."""
        for dtype in (torch.float16, torch.bfloat16, torch.float32,
                      torch.float64):
            with self.subTest(dtype):
                x = torch.tensor([[3e-4, -2e-4, 1e-3, 0], [1, -2, 3, 5]])
                self.compare(nn.RMSNorm(4).to(dtype), x.to(dtype),
                             tolerance=1e-2)


if __name__ == "__main__":
    unittest.main()
