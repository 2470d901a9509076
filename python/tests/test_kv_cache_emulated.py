# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""fpa.KVCache by GPU kernels that the emulator runs and checks."""

import unittest

import numpy as np

import fpa
from fpa._cache_program import update_text
from fpa._device import device
from operands import bits, inputs
from test_kv_cache import LIVE, check_live_keys, compare, decode, tokens


class Emulated(unittest.TestCase):

    compare = compare

    def operands(self, **sizes):
        return [*inputs(**sizes), None]

    def test_steps_and_prompts(self):
        arrays = self.operands(batch=2, heads=4, key_heads=2, q_length=24,
                               k_length=24)
        _, _, kept = self.compare(arrays, [1] * 4 + [5, 15], evict_above=1.0,
                                  target="emulator")
        self.assertLess(kept.mean(), 0.9)
        self.compare(arrays, [1] * 3, 21, evict_above=1.0, target="emulator")

    def test_caches_of_several_blocks(self):
        # A block walks 512 keys.
        arrays = self.operands(heads=2, q_length=602, k_length=602)
        self.compare(arrays, [1, 1], 600, target="emulator")

    def test_element_types(self):
        arrays = self.operands(heads=2, q_length=12, k_length=12,
                               dtype=np.float16)
        self.compare(arrays, [1] * 4 + [8], evict_above=1.0, target="emulator")
        arrays = inputs(q_length=4, k_length=4)
        narrow = [*map(bits, arrays[:3]), arrays[3]]
        got = []
        for target in ("cpu", "emulator"):
            cache = fpa.KVCache(1, 1, 16, dtype="bfloat16", capacity=4,
                                target=target)
            got.append([cache.step(*tokens(narrow, t, t + 1)).view(np.uint16)
                        for t in range(4)])
        # Weights are rounded to bfloat16 before they are multiplied.
        want, is_near = (np.stack(x).astype(np.uint32) << 16 for x in got)
        np.testing.assert_allclose(is_near.view("f4"), want.view("f4"),
                                   rtol=2**-6, atol=2**-7)

    def test_sequences_of_different_lengths(self):
        q, k, v, field, _ = self.operands(batch=2, heads=2, key_heads=2,
                                          q_length=6, k_length=6)
        caches = [fpa.KVCache(2, 2, 16, capacity=9, evict_above=1.0,
                              target=target) for target in ("cpu", "emulator")]
        for lengths in ([6, 0], [2, 3]):
            want, got = (cache.step(q, k, v, field, lengths=lengths)
                         for cache in caches)
            np.testing.assert_allclose(got, want, rtol=1e-5, atol=1e-5)
        self.assertEqual(caches[0].live.tolist(), caches[1].live.tolist())

    def test_interrupted_behind_the_run(self):
        # The device has taken the token by then, and the host has not heard.
        arrays = self.operands(q_length=80, k_length=80)
        cache, other = (fpa.KVCache(1, 1, 16, capacity=100, target="emulator")
                        for _ in range(2))
        memory = cache._memory
        for step in range(80):
            update = memory.update
            if step in (3, 63):
                def interrupt(*results):
                    raise KeyboardInterrupt
                memory.update = interrupt
            try:
                got = cache.step(*tokens(arrays, step, step + 1))
            except KeyboardInterrupt:
                got = None
            memory.update = update
            want = other.step(*tokens(arrays, step, step + 1))
            self.assertEqual(cache.live.tolist(), [[step + 1]])
            if got is not None:
                np.testing.assert_array_equal(got, want)

    def test_what_was_dropped(self):
        arrays = self.operands(heads=2, key_heads=2, q_length=20, k_length=20)
        bounds = []
        for target in ("cpu", "emulator"):
            cache = decode(arrays, [1] * 4, 16, evict_above=0.5,
                           target=target)[3]
            bounds.append((cache.dropped_mass_bound(1.0, 1.0),
                           cache.error_bound, cache.nbytes))
        self.assertGreater(bounds[0][0].min(), 0.0)
        for want, got in list(zip(*bounds))[:2]:
            np.testing.assert_allclose(got, want, rtol=1e-4)

    def test_a_full_head_stays_as_it_was(self):
        text = update_text(dict(
            element="f32", wide="f32", heads=None, kv_heads=2, tokens=None,
            head_dim=16, v_head_dim=16, level=False, lengths=False), 1.0)
        _, k, v, field = inputs(heads=2, key_heads=2, q_length=3, k_length=3)
        rng = np.random.default_rng(3)
        memory = [rng.normal(size=(1, 2, 4, *columns)).astype("f4")
                  for columns in ((16,), (16,), (), ())]
        # The first head has no room for three more, the second one has.
        count, dropped = np.array([[2, 1]]), np.zeros((1, 2, 3))
        memory[2][...] = memory[3]
        before = [x.copy() for x in memory]
        fpa.compile(text, target="emulator")(k, v, field, *memory, count,
                                             dropped)
        for x, y in zip(memory, before):
            np.testing.assert_array_equal(x[0, 0], y[0, 0])
        self.assertEqual(count[0, 0], 2)
        self.assertEqual(dropped[0, 0, 0], np.inf)
        self.assertTrue(np.isfinite(dropped[0, 1]).all())
        np.testing.assert_array_equal(memory[0][0, 1, count[0, 1] - 1],
                                      k[0, 1, 2])

    def test_a_full_head_without_a_place_to_say_so(self):
        # The text of a cache without what it keeps of dropped keys.
        text = update_text(dict(
            element="f32", wide="f32", heads=None, kv_heads=2, tokens=None,
            head_dim=16, v_head_dim=16, level=False, lengths=False), 1.0)
        lines = [line for line in text.splitlines()
                 if not line.startswith("  %dropped = ") and "#5" not in line]
        text = "\n".join(lines).replace("%new:6", "%new:5").replace(
            ", %dropped_memory: memref<?x2x3xf64>", "").replace(
            ", %dropped :", " :").replace(", tensor<?x2x3xf64>", "")
        _, k, v, field = inputs(heads=2, key_heads=2, q_length=3, k_length=3)
        memory = [np.zeros((1, 2, 4, *columns), "f4")
                  for columns in ((16,), (16,), (), ())]
        count = np.array([[2, 1]])
        before = [x.copy() for x in (*memory, count)]
        for target in ("cpu", "emulator"):
            program = fpa.compile(text, target=target)
            with self.assertRaisesRegex(
                    ValueError, "^fpa.update_cache: expected cached_key "
                    "dimension 2 to be at least 5 as the keys of a head with "
                    "its new tokens, got 4$"):
                program(k, v, field, *memory, count)
            for x, y in zip((*memory, count), before):
                np.testing.assert_array_equal(x, y)
        count[0, 0] = 1
        program(k, v, field, *memory, count)
        np.testing.assert_array_equal(memory[0][0, 0, count[0, 0] - 1],
                                      k[0, 0, 2])

    def test_live_keys_op(self):
        check_live_keys(self, fpa.compile(LIVE, target="emulator"),
                        (0, 1, 33, 300))

    def test_stays_on_the_device(self):
        """A step copies what goes in and comes out, never the cache."""
        arrays = self.operands(heads=2, key_heads=2, q_length=80, k_length=80)
        cache = fpa.KVCache(1, 2, 16, capacity=300, target="emulator")
        cache.prefill(*tokens(arrays, 0, 70))
        memory = device("emulator")
        traffic = []
        for name in ("copy_in", "copy_out", "copy"):
            def spy(to, x, *rest, _call=getattr(memory, name)):
                traffic.append(x.nbytes if hasattr(x, "nbytes") else
                               getattr(to, "nbytes", 0) or rest[0])
                return _call(to, x, *rest)
            setattr(memory, name, spy)
            self.addCleanup(delattr, memory, name)
        parts = [x.address for x in cache._memory._parts]
        for t in range(70, 80):
            cache.step(*tokens(arrays, t, t + 1))
        self.assertEqual([x.address for x in cache._memory._parts], parts)
        # q, k, v, field; out, lse, counts, dropped
        sizes = 3 * [128] + [8] + [128, 8, 16, 48]
        self.assertEqual(sorted(traffic), sorted(10 * sizes))

    def test_room_follows_the_keys(self):
        rng = np.random.default_rng(0)
        sizes, live = [], []
        caches = [fpa.KVCache(2, 2, 8, capacity=700, evict_above=3.0,
                              target=target) for target in ("cpu", "emulator")]
        for step in range(9):
            q, k, v = rng.normal(size=(3, 2, 2, 90, 8)).astype("f4")
            # All but 90 keys die at the sixth step.
            field = np.full((2, 2, 90), -20.0 if step == 5 else 0.0, "f4")
            want, got = (cache.step(q, k, v, field) for cache in caches)
            np.testing.assert_allclose(got, want, rtol=2e-5, atol=2e-5)
            sizes.append(caches[1].nbytes)
            live.append(int(caches[1].live.max()))
        self.assertEqual(live, [90, 180, 270, 360, 450, 90, 180, 270, 360])
        row = 4 * 72
        rooms = [(n - 4 * 32) // row for n in sizes]
        self.assertEqual(rooms, [135, 270, 270, 540, 540, 180, 180, 405, 405])
        caches[1].clear()
        self.assertEqual(caches[1].nbytes, 4 * 32)
        want = caches[0].clear() or caches[0].step(q, k, v, field)
        np.testing.assert_allclose(caches[1].step(q, k, v, field), want,
                                   rtol=2e-5, atol=2e-5)
        with self.assertRaisesRegex(ValueError, "expected at most 700 keys"):
            big = rng.normal(size=(2, 2, 701, 8)).astype("f4")
            caches[1].step(big, big, big, big[..., 0])

    def test_no_new_token_at_first(self):
        cache = fpa.KVCache(1, 1, 16, target="emulator")
        q, k, v, field = inputs(heads=1, q_length=2, k_length=2)
        out = cache.step(q, k, v, field, lengths=[0])
        self.assertEqual(np.abs(out).max(), 0)
        self.assertEqual(cache.live.tolist(), [[0]])

    def test_messages(self):
        x = fpa.to_device(np.zeros((1, 1, 1, 16), "f4"), "emulator")
        cache = fpa.KVCache(1, 1, 16)
        with self.assertRaisesRegex(TypeError, "expected q to be a NumPy array "
                                    "of float32, got float32 of shape"):
            cache.step(x, x, x, x)
        with self.assertRaisesRegex(
                ValueError, "^expected dtype to be float16, bfloat16 or float32 "
                "for target 'emulator', got float64$"):
            fpa.KVCache(1, 1, 16, target="emulator", dtype="float64")


if __name__ == "__main__":
    unittest.main()
