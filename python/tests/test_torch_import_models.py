# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models as people have them: those of the transformers library, where it is
installed, with weights drawn at random."""

import importlib.util
import unittest
import warnings

import fpa


def has(name):
    return importlib.util.find_spec(name) is not None


@unittest.skipUnless(has("torch") and has("transformers"),
                     "PyTorch or transformers is not installed")
class Models(unittest.TestCase):
    """Masks come from positions, through conditions that always hold here."""

    def check(self, model, raised=True):
        """raised: whether attention is found where sizes are open, too."""
        import torch

        class Logits(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.model = model

            def forward(self, tokens):
                return self.model(input_ids=tokens, use_cache=False).logits

        module, tokens = Logits().eval(), torch.randint(0, 128, (2, 19))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f = fpa.compile_module(module, (tokens,))
        self.assertEqual(f.graph.remarks, [])
        self.assertEqual(f.graph.mlir.count("= fpa.attention"), 1)
        self.check_numbers(f, module, tokens)
        # The same with sizes that are known only when the program runs.
        sizes = {0: torch.export.Dim("batch", max=16),
                 1: torch.export.Dim("length", min=2, max=64)}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f = fpa.compile_module(module, (tokens,),
                                   dynamic_shapes=(sizes,))
        self.assertEqual(f.graph.remarks == [], raised)
        self.assertEqual(f.graph.mlir.count("= fpa.attention"), int(raised))
        for size in ((2, 2), (3, 19), (1, 50)):
            self.check_numbers(f, module, torch.randint(0, 128, size))

    def check_numbers(self, f, module, tokens):
        import torch
        with torch.no_grad():
            torch.testing.assert_close(f(tokens), module(tokens), atol=2e-5,
                                       rtol=2e-5)

    def test_llama(self):
        """Rotary positions, grouped heads, gated layers."""
        import torch
        from transformers import LlamaConfig, LlamaForCausalLM
        torch.manual_seed(3)
        self.check(LlamaForCausalLM(LlamaConfig(
            vocab_size=128, hidden_size=64, intermediate_size=96,
            num_hidden_layers=1, num_attention_heads=4, num_key_value_heads=2,
            max_position_embeddings=64, attn_implementation="eager")))

    def test_padding(self):
        """A row of a padded sequence sees no key."""
        import torch
        from transformers import LlamaConfig, LlamaForCausalLM
        torch.manual_seed(3)
        model = LlamaForCausalLM(LlamaConfig(
            vocab_size=128, hidden_size=64, intermediate_size=96,
            num_hidden_layers=1, num_attention_heads=4, num_key_value_heads=2,
            max_position_embeddings=64, attn_implementation="sdpa"))

        class Logits(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.model = model

            def forward(self, tokens, mask):
                return self.model(input_ids=tokens, attention_mask=mask,
                                  use_cache=False).logits
        module = Logits().eval()
        inputs = (torch.randint(0, 128, (2, 6)),
                  torch.tensor([[1] * 6, [0, 0, 1, 1, 1, 1]]))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            f = fpa.compile_module(module, inputs)
        with torch.no_grad():
            torch.testing.assert_close(f(*inputs), module(*inputs), atol=2e-5,
                                       rtol=2e-5)

    def test_gpt2(self):
        import torch
        from transformers import GPT2Config, GPT2LMHeadModel
        torch.manual_seed(4)
        self.check(GPT2LMHeadModel(GPT2Config(
            vocab_size=128, n_embd=64, n_layer=1, n_head=4, n_positions=64,
            attn_implementation="sdpa")))

    def test_bloom(self):
        """Slopes of positions counted in the mask, products that add to them."""
        import torch
        from transformers import BloomConfig, BloomForCausalLM
        torch.manual_seed(5)
        self.check(BloomForCausalLM(BloomConfig(
            vocab_size=128, hidden_size=64, n_layer=1, n_head=4,
            bos_token_id=0, eos_token_id=0)), raised=False)


if __name__ == "__main__":
    unittest.main()
