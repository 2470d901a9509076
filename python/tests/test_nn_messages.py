# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What fpa.nn refuses: in one line that names the argument its caller gave.
Skipped where PyTorch is absent."""

import unittest

import numpy as np

import fpa

try:
    import torch
except ImportError:
    torch = None


def layer(*, dtype="float64", **options):
    torch.manual_seed(0)
    return fpa.nn.FirstPassageAttention(
        24, 4, dtype=getattr(torch, dtype), **{"kv_heads": 2, **options})


def tokens(batch=1, length=9):
    return torch.randn(batch, length, 24, dtype=torch.float64)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Messages(unittest.TestCase):

    def refuse(self, error, message, call, *arguments, **options):
        with self.assertRaisesRegex(error, "^expected " + message) as caught:
            call(*arguments, **options)
        self.assertNotIn("\n", str(caught.exception))

    def test_of_layers(self):
        for error, message, arguments, options in (
                (ValueError, "n_heads to be a multiple of kv_heads, got 4 and 3",
                 (24, 4), {"kv_heads": 3}),
                (ValueError, "d_model to be a multiple of n_heads", (25, 4), {}),
                (ValueError, "field to be one of 'walk', .*, got 'run'", (24, 4),
                 {"field": "run"}),
                (TypeError, "d_model to be an integer, got float", (24.0, 4), {}),
                (ValueError, "window to be in", (24, 4), {"window": 0}),
                (ValueError, "smooth to be positive", (24, 4), {"smooth": -1}),
                (ValueError, "gain to be positive", (24, 4), {"gain": 0}),
                (TypeError, "gain to be a number, got NoneType", (24, 4),
                 {"gain": None}),
                (TypeError, "gate_bias to be a number, got NoneType", (24, 4),
                 {"gate_bias": None}),
                (TypeError, "bias to be true or false, got Tensor", (24, 4),
                 {"bias": torch.ones(2)}),
                (ValueError, "device to be one of .*, got 'gpu'", (24, 4),
                 {"device": "gpu"}),
                (ValueError, "device to be one of .*, got 1.5", (24, 4),
                 {"device": 1.5})):
            self.refuse(error, message, fpa.nn.FirstPassageAttention, *arguments,
                        **options)
        for dtype in ("float32", torch.int32, torch.complex64,
                      torch.float8_e4m3fn):
            self.refuse(TypeError, "dtype to be torch.float16, .*, got .*"
                        + str(dtype), fpa.nn.FirstPassageAttention, 24, 4,
                        dtype=dtype)

    def test_of_x(self):
        call, x = layer(), tokens()
        for x_bad, message in (
                (x[0], r"x of shape \[B, L, d_model = 24\], got shape "
                 r"\[9, 24\]"),
                (x[..., 1:], r"x of shape .*, got shape \[1, 9, 23\]"),
                (torch.nested.nested_tensor([x[0]], layout=torch.jagged),
                 "x of shape .*, got a nested tensor")):
            self.refuse(ValueError, message, call, x_bad)
        for x_bad, message in (
                (x.numpy(), r"x to be a tensor, got ndarray of shape "
                 r"\[1, 9, 24\]"),
                (None, "x to be a tensor, got NoneType"),
                (x.float(), "x to be a tensor of float64, as the layer's weights,"
                 r" got float32 of shape \[1, 9, 24\]"),
                (x.long(), "x to be .* got int64"),
                (x + 1j, "x to be .* got complex128"),
                (x.to_sparse(), "x to be a dense tensor")):
            self.refuse(TypeError, message, call, x_bad)
        with torch.autocast("cpu", dtype=torch.bfloat16):
            self.refuse(TypeError, "x to be a tensor of float16, bfloat16, "
                        "float32 under autocast, got float64",
                        layer(dtype="float32"), x)

    def test_of_packed_sequences(self):
        call = layer()
        self.refuse(ValueError, "x of batch size 1 with cu_seqlens, got 2", call,
                    tokens(2), cu_seqlens=[0, 9])
        for bounds, message in (
                (3, r"cu_seqlens of shape \[N \+ 1\], N at least 1, got shape "
                 r"\[\]"),
                (torch.tensor([[0, 9]]), r"cu_seqlens .* got shape \[1, 2\]"),
                (torch.tensor([0, 9], device="meta"), "cu_seqlens on q's device "
                 "cpu, got meta")):
            self.refuse(ValueError, message, call, tokens(), cu_seqlens=bounds)

    def test_of_caches(self):
        call = layer()
        self.refuse(ValueError, "no gradients with a cache", call, tokens(),
                    cache=call.make_cache(1))
        # Wherever they are wanted.
        part = layer(field="free")
        for name in ("q_proj", "k_proj", "v_proj", "o_proj"):
            getattr(part, name).requires_grad_(False)
        self.refuse(ValueError, "no gradients with a cache", part, tokens(),
                    cache=part.make_cache(1))
        self.refuse(ValueError, "a layer without a window for a cache, got one "
                    "of 5", layer(window=5).make_cache, 1)
        with torch.no_grad():
            for cache in (3, "x", call, {}):
                self.refuse(TypeError, "cache to be a LayerCache, of make_cache, "
                            "got ", call, tokens(), cache=cache)
            cache = call.make_cache(1)
            self.refuse(ValueError, "no cu_seqlens", call, tokens(), cache=cache,
                        cu_seqlens=[0, 9])
            self.refuse(ValueError, "x of batch size 1, the cache's, got 2", call,
                        tokens(2), cache=cache)
            self.refuse(ValueError, "x of at least 1 new token with a cache, got "
                        "0", call, tokens(1, 0), cache=cache)
            self.refuse(ValueError, "x to have elements with a cache", call,
                        tokens().to("meta"), cache=cache)
            for options, message in (
                    ({"kv_heads": 4}, "of kv_heads 4, got one of 2"),
                    ({"head_dim": 8}, "of head_dim 8, got one of 6"),
                    ({"scale": 0.5}, "of scale 0.5, got one of None")):
                self.refuse(ValueError, "cache to be one of this layer, "
                            + message, layer(**options), tokens(), cache=cache)
            narrow = layer(dtype="float32").make_cache(1)
            self.refuse(TypeError, "a layer of torch.float32, as its cache, got "
                        "one of torch.float64", call, tokens(), cache=narrow)
            for name in ("smooth", "window"):
                setattr(call, name, 2)
                self.refuse(ValueError, f".* with a cache, got {name} 2", call,
                            tokens(), cache=cache)
                setattr(call, name, None)

    def test_of_schedules(self):
        model = torch.nn.Sequential(layer())
        for error, message, options in (
                (ValueError, "fraction to be in", {"fraction": 2}),
                (TypeError, "fraction to be a number", {"fraction": None}),
                (TypeError, "start to be a number", {"start": None}),
                (TypeError, "end to be a number", {"end": "x"}),
                (ValueError, "end to be positive", {"end": 0}),
                (TypeError, "stages to be an integer", {"stages": 1.5}),
                (ValueError, "steps to be in", {"steps": 0}),
                (TypeError, "model to be a torch.nn.Module, got list",
                 {"model": [layer()]})):
            self.refuse(error, message, fpa.nn.SmoothSchedule,
                        **{"model": model, "steps": 10, **options})
        self.refuse(TypeError, "model to be a torch.nn.Module, got NoneType",
                    fpa.nn.set_smooth, None, 1.0)
        self.refuse(TypeError, "smooth to be a number", fpa.nn.set_smooth, model,
                    "x")
        self.refuse(ValueError, "smooth to be positive", fpa.nn.set_smooth, model,
                    np.nan)
        schedule = fpa.nn.SmoothSchedule(model, 10)
        self.refuse(TypeError, "step to be an integer", schedule.smooth, 1.5)
        self.refuse(ValueError, "step to be in", schedule.smooth, -1)
        for state in ({}, None, torch.ones(2)):
            self.refuse(ValueError, "state to be what state_dict returned",
                        schedule.load_state_dict, state)
        self.refuse(TypeError, "done to be an integer", schedule.load_state_dict,
                    {"done": "x"})


if __name__ == "__main__":
    unittest.main()
