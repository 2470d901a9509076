# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The experiments with whole models: their texts against the definitions, what they
say about live keys, and reading with a cache. Skipped where PyTorch is absent."""

import os
import shutil
import sys
import unittest

import numpy as np

try:
    import torch
except ImportError:
    torch = None

if torch is not None:
    sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                    "..", "..", "experiments"))
    import decoding
    import header_text
    import layers
    import live_keys
    import program_scopes
    import scope_text
    import topic_text
    from transformer import Transformer


@unittest.skipIf(torch is None, "PyTorch is not installed")
class TopicText(unittest.TestCase):

    def test_questions_and_answers(self):
        batch = topic_text.draw(np.random.default_rng(0), 200, 40, 5)
        for tokens, text, answers in zip(*(
                x.tolist() for x in (batch.tokens, batch.text, batch.answers))):
            self.assertEqual(len(tokens), 40)
            pairs = [t for t, x in enumerate(tokens)
                     if topic_text.PAIR <= x < topic_text.QUESTION]
            self.assertEqual(len(pairs), 2)
            values = dict(divmod(tokens[t] - topic_text.PAIR, topic_text.VALUES)
                          for t in pairs)
            self.assertEqual(len(values), 2)
            asked = [t for t, x in enumerate(tokens)
                     if x >= topic_text.QUESTION]
            self.assertEqual(len(asked), 5)
            self.assertEqual(asked[-1], 39)
            self.assertGreater(asked[0], pairs[1])
            for t in range(40):
                want = topic_text.ANSWER + values[tokens[t] - topic_text.QUESTION] \
                    if t in asked else topic_text.NOTHING
                self.assertEqual(answers[t], want)
                follows = tokens[t + 1] if t < 39 else topic_text.PAIR
                self.assertEqual(text[t], follows if follows < topic_text.PAIR
                                 else topic_text.NOTHING)

    def test_topics(self):
        """Words that follow each other are of a topic: they share it until a
        mark."""
        language = topic_text._language()
        np.testing.assert_allclose(language.sum(1), 1)
        rng = np.random.default_rng(1)
        text = topic_text._topics(rng, 400, 60, 1 / 20)
        self.assertAlmostEqual((text == topic_text.MARK).mean(), 0.05, delta=0.01)
        likely = [set(np.argsort(row)[-4:] + topic_text.WORD)
                  for row in language]
        for row in text[:50]:
            for part in "".join(map(chr, row)).split(chr(topic_text.MARK)):
                if len(part) >= 12:
                    share = max(np.mean([ord(x) in words for x in part])
                                for words in likely)
                    self.assertGreater(share, 0.4)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class ScopeText(unittest.TestCase):

    def test_against_depths(self):
        """A binding is in force where no depth since is below its own."""
        batch = scope_text.draw(np.random.default_rng(0), 20, 120)
        seen = {True: 0, False: 0}
        for tokens, answers, shadowed in zip(
                *(x.numpy() for x in (batch.tokens, batch.answers,
                                      batch.shadowed))):
            depth = np.cumsum((tokens == scope_text.OPEN).astype(int)
                              - (tokens == scope_text.CLOSE))
            self.assertGreaterEqual(depth.min(), 0)
            for i, token in enumerate(tokens):
                if not scope_text.QUESTION <= token < scope_text.ANSWER:
                    self.assertEqual(answers[i], scope_text.NOTHING)
                    continue
                bindings = [j for j in range(i) if scope_text.BIND <= tokens[j]
                            < scope_text.QUESTION and
                            (tokens[j] - scope_text.BIND) // scope_text.VALUES
                            == token - scope_text.QUESTION]
                live = [j for j in bindings if depth[j:i].min() >= depth[j]]
                self.assertEqual(len(live), 1)
                value = (tokens[live[0]] - scope_text.BIND) % scope_text.VALUES
                self.assertEqual(answers[i], scope_text.ANSWER + value)
                self.assertEqual(shadowed[i], bindings[-1] != live[0])
                seen[bool(shadowed[i])] += 1
        self.assertGreater(min(seen.values()), 20)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class HeaderText(unittest.TestCase):

    def test_code(self):
        self.assertEqual(
            header_text._code('/* a\n b */\nint x; // y\n\n  f("//z"); \n'),
            'int x;\n  f("//z");\n')

    @unittest.skipUnless(shutil.which("llvm-config-22"), "no llvm-config-22")
    def test_split(self):
        settings = {"config": "llvm-config-22", "folders": ["llvm/Support"],
                    "suffix": ".h", "least_bytes": 1000, "test_share": 0.2}
        headers = header_text.Headers(settings)
        again = header_text.Headers(settings)
        self.assertEqual(headers.checksum, again.checksum)
        train = bytes(headers.train)
        for text in headers.test:
            self.assertGreaterEqual(len(text), 1000)
            self.assertNotIn(bytes(text), train)
        share = len(headers.test) / (len(headers.test) + train.count(0))
        self.assertAlmostEqual(share, 0.2, delta=0.1)
        piece = headers.draw(np.random.default_rng(0), 3, 50)
        self.assertEqual(piece.shape, (3, 51))
        self.assertIn(bytes(piece[2].tolist()), train)
        self.assertEqual(headers.windows(4, 500).shape, (4, 501))
        with self.assertRaisesRegex(ValueError, "expected 9999 test files of "
                                    "more than 500 bytes, got"):
            headers.windows(9999, 500)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class ProgramScopes(unittest.TestCase):

    def test_enclosing(self):
        text = b"ab{c(d)e{f}g(h\ni"
        keep = {"braces": "ab{c(d)e}g(h\ni", "brackets": "ab{c)e}g(h\ni"}
        array = np.frombuffer(text, np.uint8)
        for pairs, want in keep.items():
            kept = array[program_scopes.enclosing(array, pairs)]
            self.assertEqual(bytes(kept).decode(), want)
        self.assertEqual(bytes(array[program_scopes.line(array)]), b"i")
        self.assertEqual(bytes(array[program_scopes.latest(array, 3)]), b"h\ni")
        # More closed than opened.
        array = np.frombuffer(b"a}b{c", np.uint8)
        self.assertEqual(program_scopes.depths(array, "braces").tolist(),
                         [0, 0, 0, 1, 1])

    def test_overlap(self):
        one, other = (np.array([c == "1" for c in x]) for x in ("1101", "0111"))
        self.assertEqual(program_scopes.overlap(one, other), 0.5)
        self.assertEqual(program_scopes.overlap(one, one), 1.0)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Models(unittest.TestCase):

    def model(self, kind, **options):
        torch.manual_seed(0)
        model = Transformer(kind, 9, width=16, heads=2, depth=2, **options)
        return model, torch.randint(9, (2, 40))

    def test_penalties(self):
        for kind in ("walk", "mix", "fox"):
            model, tokens = self.model(kind, gain=3.0)
            for field, level in live_keys.fields(model, tokens):
                want = layers.penalty(field, level)
                for at in (0, 17, 39):
                    torch.testing.assert_close(
                        live_keys.penalties(field, level, at),
                        want[:, :, at, :at + 1])
                torch.testing.assert_close(live_keys.penalties(field, level),
                                           want[:, :, -1])

    def test_token_by_token(self):
        """What a cache holds is what has a small penalty; without dropping it is
        all, and the logits are those of the whole text."""
        model, tokens = self.model("walk", gain=3.0)
        with torch.no_grad():
            whole = model(tokens)
        all_keys = decoding.token_by_token(model, tokens, float("inf"))
        torch.testing.assert_close(all_keys.logits, whole, atol=1e-5, rtol=1e-4)
        self.assertEqual(all_keys.live, [[1.0, 1.0]] * 2)
        some = decoding.token_by_token(model, tokens, 12.0)
        torch.testing.assert_close(some.logits, whole, atol=1e-2, rtol=1e-2)
        shares = live_keys.live_shares(model, tokens, 12.0)
        np.testing.assert_allclose(some.live, shares, atol=0.02)
        self.assertLess(np.min(shares), 0.9)
        self.assertGreaterEqual(decoding.full_bytes(model, tokens), some.nbytes)
        self.assertEqual(live_keys.live_shares(self.model("rope")[0], tokens,
                                               12.0), [None, None])


if __name__ == "__main__":
    unittest.main()
