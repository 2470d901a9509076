# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.nn: the layer, its fields, its states and a run of training. Skipped where
PyTorch is absent."""

import io
import unittest

import numpy as np

import fpa
from fpa import reference

try:
    import torch
    from torch import nn
except ImportError:
    torch = None


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Fields(unittest.TestCase):

    def test_sums_over_a_million_tokens(self):
        """Against float64: forward and backward within a unit in the last place
        of float32."""
        rng = np.random.default_rng(0)
        steps = rng.normal(size=10**6).astype("f4")
        for name, x in (
                ("walk", steps), ("gates", -np.log1p(np.exp(-3 - steps))),
                ("alternating", np.abs(steps) * np.resize([1, -1], 10**6))):
            with self.subTest(name):
                x = x.astype("f4")
                given = torch.from_numpy(x).requires_grad_()
                got = fpa.nn.accumulate(given)
                self.assertEqual(got.dtype, torch.float32)
                self.near(got.detach().numpy(), np.cumsum(x, dtype="f8"))
                got.backward(torch.from_numpy(x[::-1].copy()))
                self.near(given.grad.numpy()[::-1], np.cumsum(x, dtype="f8"))

    def near(self, got, want):
        units = np.abs(got - want.astype("f4")) / np.spacing(
            np.abs(want.astype("f4")))
        self.assertLessEqual(units.max(), 1)

    def test_sums_in_calls_that_go_on(self):
        """What a cache remembers is added before the one rounding."""
        past, steps = {}, torch.randn(1, 3000) - 3
        head = fpa.nn._fields._continued
        parts = [head(part, past, "height") for part in steps.split(7, -1)]
        self.assertTrue(torch.equal(torch.cat(parts, -1),
                                    fpa.nn.accumulate(steps)))

    def test_sums_of_any_length(self):
        for length in (0, 1, 63, 64, 65, 4096, 4097, 5000):
            x = torch.randn(3, 2, length, dtype=torch.float64)
            torch.testing.assert_close(fpa.nn.accumulate(x), x.cumsum(-1))
        x = torch.randn(1, 9, dtype=torch.float64, requires_grad=True)
        self.assertTrue(torch.autograd.gradcheck(fpa.nn.accumulate, x))
        for error, message, x in (
                (TypeError, "x to be a tensor of .*, got list", [1.0]),
                (TypeError, r"x .*, got int64 of shape \[1\]",
                 torch.tensor([1])),
                (ValueError, r"x to have an axis, got shape \[\]",
                 torch.tensor(1.0))):
            with self.assertRaisesRegex(error, "expected " + message):
                fpa.nn.accumulate(x)

    def test_gain(self):
        """Fields start with the spread that trains."""
        torch.manual_seed(0)
        x = torch.randn(4, 500, 256)
        for name in ("free", "mix", "walk", "fox"):
            layer = fpa.nn.FirstPassageAttention(256, 8, field=name, gain=0.7)
            field, level = layer.field_head(x)
            self.assertEqual(field.dtype, torch.float32)
            self.assertEqual(field.shape, (4, 8, 500))
            if name == "free":
                for y in (field, level):
                    self.assertAlmostEqual(y.std().item(), 0.7, delta=0.1)
            if name == "walk":
                self.assertAlmostEqual(field.diff().std().item(), 0.7,
                                       delta=0.1)
            if name == "fox":
                self.assertTrue((field.diff() < 0).all())

    def test_narrow_types_do_not_reach_the_field(self):
        torch.manual_seed(0)
        layer = fpa.nn.FirstPassageAttention(32, 4, field="walk")
        x = torch.randn(1, 3000, 32)
        want = layer.field_head(x)[0]
        with torch.autocast("cpu", dtype=torch.bfloat16):
            got = layer.field_head(x)[0]
        self.assertTrue(torch.equal(got, want))
        self.assertEqual(layer.bfloat16().field_head(x.bfloat16())[0].dtype,
                         torch.float32)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Layer(unittest.TestCase):

    def layer(self, **options):
        torch.manual_seed(0)
        return fpa.nn.FirstPassageAttention(24, 4, kv_heads=2, **options).double()

    def test_against_the_reference(self):
        x = torch.randn(2, 20, 24, dtype=torch.float64)
        for field in fpa.nn.FIELDS:
            for options in ({}, {"window": 5, "scale": 0.4, "bias": True,
                                 "v_head_dim": 3, "head_dim": 8}):
                with self.subTest(field=field, **options):
                    layer = self.layer(field=field, **options)
                    q, k, v = (
                        f(x).view(2, 20, heads, -1).transpose(1, 2)
                        .detach().numpy() for f, heads in (
                            (layer.q_proj, 4), (layer.k_proj, 2),
                            (layer.v_proj, 2)))
                    phi, level = (None if y is None else y.detach().numpy()
                                  for y in layer.field_head(x))
                    o, _ = reference.attention(
                        q, k, v, phi, level, scale=options.get("scale"),
                        window=options.get("window"))
                    o = torch.from_numpy(o).transpose(1, 2).flatten(2)
                    torch.testing.assert_close(layer(x), layer.o_proj(o))

    def test_fields_that_sum_or_fall(self):
        x = torch.randn(1, 9, 24, dtype=torch.float64)
        fox, mix, alibi = (self.layer(field=f).field_head
                           for f in ("fox", "mix", "alibi"))
        steps = torch.sigmoid(fox.gate(x)).log().mT
        torch.testing.assert_close(fox(x)[0], steps.cumsum(-1))
        torch.testing.assert_close(
            mix(x)[1] - mix(x)[0], mix.free(x)[1] - mix.free(x)[0])
        torch.testing.assert_close(
            alibi(x)[0], torch.tensor([[2.0**-4], [2.0**-8]]).double()
            * -torch.arange(9.0).double()[None, None])

    def test_packed(self):
        for field in ("walk", "free", "fox", "alibi", "none"):
            layer = self.layer(field=field)
            parts = [torch.randn(1, n, 24, dtype=torch.float64)
                     for n in (7, 1, 12)]
            got = layer(torch.cat(parts, 1),
                        cu_seqlens=torch.tensor([0, 7, 8, 20]))
            torch.testing.assert_close(
                got, torch.cat([layer(x) for x in parts], 1))

    def test_autocast_and_narrow_weights(self):
        layer = self.layer().float()
        x = torch.randn(1, 30, 24)
        want = layer(x)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            got = layer(x)
        self.assertEqual(got.dtype, torch.bfloat16)
        torch.testing.assert_close(got.float(), want, atol=0.05, rtol=0.05)
        got.float().sum().backward()
        self.assertEqual(layer.field_head.step.weight.grad.dtype,
                         torch.float32)
        self.assertEqual(layer.bfloat16()(x.bfloat16()).dtype, torch.bfloat16)

    def test_compiled(self):
        for field in ("walk", "alibi"):
            torch._dynamo.reset()
            layer = self.layer(field=field)
            x = torch.randn(1, 70, 24, dtype=torch.float64)
            compiled = torch.compile(layer, fullgraph=True,
                                     backend="aot_eager")
            torch.testing.assert_close(compiled(x), layer(x))
            compiled(x).sum().backward()
            fpa.nn.set_smooth(layer, 3.0)
            torch.testing.assert_close(compiled(x), layer(x))

    def test_generation(self):
        """Token by token, with the keys of the past in a cache, is as all at
        once; with eviction it is close to that, with fewer keys."""
        for field in fpa.nn.FIELDS:
            for dtype in (torch.float64, torch.float32, torch.bfloat16):
                with self.subTest(field=field, dtype=dtype), torch.no_grad():
                    layer = self.layer(field=field, scale=0.4).to(dtype)
                    x = torch.randn(2, 40, 24).to(dtype)
                    cache = layer.make_cache(2)
                    for _ in range(2):
                        got = [layer(part, cache=cache) for part in
                               (x[:, :20], x[:, 20:21], x[:, 21:24],
                                *x[:, 24:].split(1, 1))]
                        self.assertTrue((cache.keys.live == 40).all())
                        cache.clear()
                    limit = 0.03 if dtype == torch.bfloat16 else 1e-5
                    torch.testing.assert_close(torch.cat(got, 1), layer(x),
                                               atol=limit, rtol=limit)
        with torch.no_grad():
            layer = self.layer(field="free", gain=8.0)
            x = torch.randn(1, 200, 24, dtype=torch.float64)
            cache = layer.make_cache(1, evict_above=20.0)
            got = torch.cat([layer(x[:, :100], cache=cache),
                             layer(x[:, 100:], cache=cache)], 1)
            self.assertLess(cache.keys.live.max(), 180)
            torch.testing.assert_close(got, layer(x), atol=1e-6, rtol=1e-6)

    def test_generation_on_a_device(self):
        """The cache stays there; tokens go there and back."""
        with torch.no_grad():
            layer = self.layer().float()
            x = torch.randn(1, 6, 24)
            cache = layer.make_cache(1, target="emulator")
            got = [layer(part, cache=cache) for part in
                   (x[:, :4], *x[:, 4:].split(1, 1))]
            torch.testing.assert_close(torch.cat(got, 1), layer(x), rtol=1e-4,
                                       atol=1e-4)
            self.assertEqual(cache.keys.target, "emulator")

    def test_generation_under_autocast(self):
        """The cache keeps the type of the weights, which is the wider one."""
        with torch.no_grad():
            layer = self.layer().float()
            x = torch.randn(1, 20, 24)
            cache = layer.make_cache(1)
            with torch.autocast("cpu", dtype=torch.bfloat16):
                got = [layer(part, cache=cache)
                       for part in (x[:, :16], *x[:, 16:].split(1, 1))]
            self.assertEqual(got[1].dtype, torch.bfloat16)
            torch.testing.assert_close(torch.cat(got, 1).float(), layer(x),
                                       atol=0.05, rtol=0.05)

    def test_a_refused_call_leaves_the_cache(self):
        """Its field, too, goes on where it stood."""
        with torch.no_grad():
            x = torch.randn(1, 12, 24, dtype=torch.float64)
            for field in ("walk", "fox", "alibi"):
                layer = self.layer(field=field)
                cache = layer.make_cache(1, capacity=12)
                first = layer(x[:, :8], cache=cache)
                with self.assertRaisesRegex(ValueError, "at most 12 keys"):
                    layer(x, cache=cache)
                torch.testing.assert_close(
                    torch.cat([first, layer(x[:, 8:], cache=cache)], 1),
                    layer(x))

    def test_without_memory(self):
        """Shapes alone, on the device that has them, under autocast, too."""
        x = torch.empty(2, 9, 24, device="meta")
        for field in fpa.nn.FIELDS:
            layer = fpa.nn.FirstPassageAttention(24, 4, field=field,
                                                 device="meta")
            for on in (False, True):
                with torch.autocast("cpu", dtype=torch.bfloat16, enabled=on):
                    self.assertEqual(layer(x).shape, x.shape)

    def test_states(self):
        layer = self.layer(field="mix")
        file = io.BytesIO()
        torch.save(layer.state_dict(), file)
        file.seek(0)
        other = self.layer(field="mix")
        with torch.no_grad():
            for x in other.parameters():
                x.zero_()
        other.load_state_dict(torch.load(file))
        x = torch.randn(1, 9, 24, dtype=torch.float64)
        self.assertTrue(torch.equal(other(x), layer(x)))
        # Without versions, as some formats save them.
        other.load_state_dict(dict(layer.state_dict()))
        state = layer.state_dict()
        self.assertEqual(state._metadata[""]["version"], 1)
        state._metadata[""]["version"] = 2
        with self.assertRaisesRegex(RuntimeError, "expected a state of "
                                    "FirstPassageAttention of version 1 at "
                                    "most, got 2"):
            other.load_state_dict(state)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Training(unittest.TestCase):

    def test_schedule(self):
        model = nn.Sequential(fpa.nn.FirstPassageAttention(8, 2), nn.ReLU(),
                              fpa.nn.FirstPassageAttention(8, 2))
        schedule = fpa.nn.SmoothSchedule(model, steps=100)
        seen = [model[0].smooth]
        for _ in range(100):
            schedule.step()
            seen.append(model[2].smooth)
        self.assertEqual(seen[0], 1.0)
        self.assertAlmostEqual(seen[59], 30.0)
        self.assertEqual(set(seen[60:]), {None})
        self.assertEqual(len(set(seen)), 9)
        self.assertEqual(seen[:60], sorted(seen[:60]))
        again = fpa.nn.SmoothSchedule(model, steps=100)
        again.load_state_dict({"done": 59})
        self.assertAlmostEqual(model[0].smooth, 30.0)

    def test_learns_where_dips_hide_keys(self):
        """Tokens have heights; the target is the mean payload of the keys that
        no later token is lower than. 30 steps nearly halve the loss; plain
        attention only learns to average."""
        def batch():
            height = torch.rand(16, 32)
            at = torch.arange(32)
            lowest = torch.stack([
                torch.where(at > j, height, torch.inf).cummin(-1).values
                for j in range(32)], -1)  # [b, i, j]
            live = (lowest >= height[:, None]) & (at[:, None] >= at)
            payload = torch.randn(16, 32, 4)
            weight = live / live.sum(-1, keepdim=True)
            return torch.cat([height[..., None], payload], -1), weight @ payload

        def train(field):
            torch.manual_seed(0)
            layer = fpa.nn.FirstPassageAttention(
                5, 1, head_dim=4, field=field, bias=True, gain=3.0)
            schedule = fpa.nn.SmoothSchedule(layer, steps=30, end=4.0,
                                             stages=2)
            first = nn.Linear(5, 5)
            last = nn.Linear(5, 4)
            parameters = [*layer.parameters(), *first.parameters(),
                          *last.parameters()]
            adam = torch.optim.Adam(parameters, lr=6e-2)
            losses = []
            for _ in range(30):
                x, want = batch()
                loss = nn.functional.mse_loss(last(layer(first(x))), want)
                adam.zero_grad()
                loss.backward()
                adam.step()
                schedule.step()
                losses.append(loss.item())
            for x in parameters:
                self.assertTrue(torch.isfinite(x.grad).all())
            return np.mean(losses[-5:]) / np.mean(losses[:3])

        free = train("free")
        self.assertLess(free, 0.55)
        self.assertLess(free, train("none") - 0.03)


if __name__ == "__main__":
    unittest.main()
