# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The experiments: their tasks against the definitions, their files, and each of
them small, from its command to its results. Skipped where PyTorch is absent."""

import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import numpy as np

import fpa
from fpa import reference

try:
    import torch
except ImportError:
    torch = None

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..",
                      "experiments")
if torch is not None:
    sys.path.insert(0, FOLDER)
    import jobs
    import layers
    import results
    import small_model
    import stack_tasks


def environment():
    """Of the experiments' own processes: the package that is tested."""
    return {**os.environ, "FPA_PYTHON_DIR": os.path.dirname(
        os.path.dirname(fpa.__file__))}


def run_square(job, settings):
    if job["x"] == settings.get("broken"):
        raise RuntimeError("broken off")
    return {"square": job["x"] ** 2}


def run_long(job, settings):
    with open(settings["started"] + ".part", "w") as file:
        print(os.getpid(), file=file)
    os.rename(file.name, settings["started"])
    time.sleep(100)
    return {}


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Runs(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def test_results(self):
        rows = [{"seed": 0, "exact": 0.5}, {"seed": 1, "exact": 1.0}]
        results.save("some", {"seeds": [0, 1]}, rows, self.folder)
        self.assertEqual(os.listdir(self.folder), ["some.json"])
        got = results.load("some", self.folder)
        self.assertEqual(got["rows"], rows)
        self.assertEqual(got["settings"], {"seeds": [0, 1]})
        self.assertGreaterEqual(got["machine"]["cores"], 1)
        # What cannot be written leaves what was there, and nothing else.
        with self.assertRaises(ValueError):
            results.save("some", {}, [{"exact": math.nan}], self.folder)
        with self.assertRaisesRegex(ValueError, "expected rows for the results "
                                    "of some, got none"):
            results.save("some", {}, [], self.folder)
        self.assertEqual(os.listdir(self.folder), ["some.json"])
        self.assertEqual(results.load("some", self.folder), got)
        with open(os.path.join(self.folder, "other.json"), "w") as file:
            json.dump({"rows": rows}, file)
        with self.assertRaisesRegex(ValueError, "expected results in other.json "
                                    "to have name, .*, got none of name, date"):
            results.load("other", self.folder)

    @unittest.skipUnless(sys.platform == "linux", "not Linux")
    def test_workers_of_a_run_that_is_killed(self):
        started = os.path.join(self.folder, "started")
        main = subprocess.Popen([sys.executable, "-c", f"""if True:
            import sys
            sys.path[:0] = {[os.path.dirname(os.path.abspath(__file__)), FOLDER]}
            import paths, jobs, test_experiments
            jobs.run_all("long", [{{"x": 0}}], test_experiments.run_long,
                         {{"started": {started!r}}}, {self.folder!r}, 1)
            """], env=environment())
        self.addCleanup(main.wait)
        self.addCleanup(main.kill)
        while not os.path.exists(started):
            self.assertIsNone(main.poll())
            time.sleep(0.1)
        main.kill()
        with open(started) as file:
            worker = int(file.read())
        for _ in range(300):
            try:
                # One that has ended and that nobody waits for has no command.
                with open(f"/proc/{worker}/cmdline") as file:
                    if not file.read():
                        return
            except FileNotFoundError:
                return
            time.sleep(0.1)
        os.kill(worker, signal.SIGKILL)
        self.fail("the worker of a run that was killed goes on")

    def test_goes_on_where_it_was(self):
        work = [{"x": x} for x in range(5)]
        kept = os.path.join(self.folder, "squares.jobs")
        # One is done, one was being written.
        with open(kept, "w") as file:
            print(json.dumps({"settings": {}, "commit": "before"}), file=file)
            print(json.dumps([{"x": 3}, {"x": 3, "square": -1}]), file=file)
            file.write('[{"x": 4}, {"x"')
        store = jobs._Store(kept, {})
        self.assertEqual(store.get({"x": 3})["square"], -1)
        self.assertIsNone(store.get({"x": 4}))
        store.add({"x": 4}, {"x": 4, "square": -2})
        path = jobs.run_all("squares", work, run_square, {}, self.folder, 1)
        got = results.load("squares", self.folder)
        self.assertEqual(path, os.path.join(self.folder, "squares.json"))
        self.assertEqual([row["square"] for row in got["rows"]],
                         [0, 1, 4, -1, -2])
        self.assertEqual(got["commit"], "before")
        self.assertFalse(os.path.exists(kept))
        # Of other settings: worth nothing.
        store = jobs._Store(kept, {"broken": 1})
        store.add({"x": 0}, {"x": 0, "square": -3})
        jobs.run_all("squares", work, run_square, {"broken": 9}, self.folder, 1)
        self.assertEqual(results.load("squares", self.folder)["rows"][0]
                         ["square"], 0)
        with self.assertRaisesRegex(RuntimeError, "broken off"):
            jobs.run_all("squares", work, run_square, {"broken": 2},
                         self.folder, 1)
        self.assertTrue(os.path.exists(kept))


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Layers(unittest.TestCase):

    def test_weights(self):
        """In plain PyTorch, and what the kernels make of them."""
        torch.manual_seed(0)
        x = torch.randn(2, 30, 16)
        for kind in layers.KINDS:
            with self.subTest(kind=kind):
                layer = layers.attention(kind, 16, 2, v_head_dim=4, bias=True)
                v = layers.operands(layer, x)[2]
                o = layers.weights(layer, x) @ v
                torch.testing.assert_close(
                    layer(x), layer.o_proj(o.transpose(1, 2).flatten(2)))

    def test_penalty(self):
        torch.manual_seed(0)
        field, level = torch.randn(2, 1, 1, 12, dtype=torch.float64)
        got = layers.penalty(field, level)[0, 0]
        for i in range(12):
            np.testing.assert_allclose(
                got[i, :i + 1], reference.penalty(field[0, 0], level[0, 0], i))
        self.assertTrue((got.triu(1)[0, 1:] == math.inf).all())

    def test_stock_attention(self):
        """The model that ours is timed against computes the same."""
        settings = jobs.settings_of("training_time", smoke=True)
        x = torch.randint(256, (2, 70))
        for variant in small_model.VARIANTS:
            with self.subTest(variant=variant):
                ours, stock = (small_model.model(code, variant, settings)
                               for code in small_model.CODES)
                # Rather the same kernels as elsewhere in these tests.
                if variant == "walk smooth":
                    fpa.nn.set_smooth(ours, 1.0)
                    fpa.nn.set_smooth(stock, 1.0)
                torch.testing.assert_close(ours(x), stock(x), atol=1e-5,
                                           rtol=1e-4)
                for model in (ours, stock):
                    model(x).square().mean().backward()
                for a, b in zip(ours.parameters(), stock.parameters()):
                    torch.testing.assert_close(a.grad, b.grad, atol=1e-6,
                                               rtol=1e-3)

    def test_rotation(self):
        """Products of rotated vectors depend on the distance alone."""
        a, b = torch.randn(2, 1, 1, 1, 8).expand(-1, -1, -1, 20, -1)
        products = layers.rotate(a) @ layers.rotate(b).mT
        torch.testing.assert_close(products[..., 1:, 1:],
                                   products[..., :-1, :-1])
        self.assertGreater(products.std(), 0.01)
        torch.testing.assert_close(layers.rotate(a)[..., 0, :], a[..., 0, :])


@unittest.skipIf(torch is None, "PyTorch is not installed")
class StackTasks(unittest.TestCase):

    def test_push_pop(self):
        """Live is what a count of pushes and pops says: a push is live until
        there are more pops than pushes behind it."""
        generator = torch.Generator().manual_seed(1)
        tokens, live = stack_tasks.push_pop(4, 60, generator)
        step = 2 * tokens - 1
        for b in range(4):
            self.assertEqual(tokens[b, 0], stack_tasks.PUSH)
            for i in range(60):
                for j in range(60):
                    behind = step[b, j + 1:i + 1].cumsum(0)
                    want = (j <= i and tokens[b, j] == stack_tasks.PUSH
                            and (behind.min() >= 0 if len(behind) else True))
                    self.assertEqual(live[b, i, j], want, (b, i, j))
        self.assertTrue(live[:, :, 0].all())
        self.assertAlmostEqual(tokens.float().mean().item(), 0.57, delta=0.06)

    def test_dips(self):
        generator = torch.Generator().manual_seed(1)
        tokens, live = stack_tasks.dips(3, 40, generator)
        for b in range(3):
            for i in range(40):
                for j in range(40):
                    want = j <= i and all(tokens[b, t] >= tokens[b, j]
                                          for t in range(j + 1, i + 1))
                    self.assertEqual(live[b, i, j], want, (b, i, j))
        many, _ = stack_tasks.dips(50, 100, generator)
        ratio = (many == 7).sum() / (many == 6).sum()
        self.assertAlmostEqual(ratio.item(), 1.6, delta=0.15)

    def test_targets_and_exact(self):
        generator = torch.Generator().manual_seed(1)
        _, payloads, live, target = stack_tasks.batch("dips", 2, 20, 4,
                                                      generator)
        i = 13
        torch.testing.assert_close(target[1, i],
                                   payloads[1][live[1, i]].mean(0))
        even = live / live.sum(-1, keepdim=True)
        self.assertEqual(stack_tasks.exact(even, live), 1.0)
        # One row of 40 looks at a key that is not live, one misses one.
        dead = (~live[0, i, :i]).nonzero()[0]
        even[0, i, dead] = 0.6 / live[0, i].sum()
        even[1, 5, 5] *= 0.4
        self.assertAlmostEqual(stack_tasks.exact(even, live), 38 / 40)


@unittest.skipIf(torch is None, "PyTorch is not installed")
class Smoke(unittest.TestCase):
    """Each experiment of experiments/settings, small, by its command."""

    def run_small(self, name):
        """The rows of NAME.py --smoke, all numbers finite."""
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(
                [sys.executable, os.path.join(FOLDER, name + ".py"), "--smoke",
                 "--out", folder], capture_output=True, text=True,
                env=environment())
            self.assertEqual(done.returncode, 0, done.stderr[-2000:])
            record = results.load(name, folder)
        for row in record["rows"]:
            for key, x in row.items():
                if isinstance(x, (int, float)):
                    self.assertTrue(math.isfinite(x), (name, row))
        return record["rows"]

    def test_every_experiment_has_a_test(self):
        names = {name.removesuffix(".json") for name in
                 os.listdir(os.path.join(FOLDER, "settings"))}
        self.assertEqual(names, {name.removeprefix("test_smoke_") for name in
                                 dir(self) if name.startswith("test_smoke_")})

    def test_smoke_single_layer(self):
        rows = self.run_small("single_layer")
        self.assertEqual({(row["task"], row["kind"]) for row in rows},
                         {(task, kind) for task in stack_tasks.TASKS
                          for kind in ("walk", "rope")})
        ours, stock = (row for row in rows if "narrow" in row)
        self.assertAlmostEqual(ours["loss"], stock["loss"], places=4)
        for row in rows:
            # Better than no prediction at all, far from done.
            self.assertLess(row["loss"], 1.0)
            self.assertGreater(row["exact_1x"], 0.0)

    def check_cached(self, row):
        """Of a row with what came out with the cache: the same answers, or nearly
        so, from no more memory."""
        cached = row["cached"]
        self.assertLessEqual(cached["nbytes"], cached["most_bytes"])
        self.assertLessEqual(cached["most_bytes"], cached["full_bytes"])
        np.testing.assert_allclose(cached["live"], row["long"]["live"],
                                   atol=0.03)

    def test_smoke_passkey(self):
        rows = self.run_small("passkey")
        self.assertEqual([(row["kind"], row["gate_bias"]) for row in rows],
                         [("walk", None), ("fox", 4)])
        for row in rows:
            self.assertEqual(row["long"]["answers"], 8)
            self.assertLess(row["long"]["text_loss"], 5.0)
        self.check_cached(rows[0])
        self.assertAlmostEqual(rows[0]["cached"]["text_loss"],
                               rows[0]["long"]["text_loss"], delta=0.02)

    def test_smoke_bindings(self):
        rows = self.run_small("bindings")
        self.assertEqual([row["kind"] for row in rows], ["walk", "fox"])
        for row in rows:
            self.assertGreater(row["long"]["answers"], 10)
            self.assertLess(row["long"]["answer_loss"], 5.0)
        self.check_cached(rows[0])
        self.assertAlmostEqual(rows[0]["cached"]["answer_loss"],
                               rows[0]["long"]["answer_loss"], delta=0.02)

    @unittest.skipUnless(shutil.which("llvm-config-22"), "no llvm-config-22")
    def test_smoke_language_model(self):
        row, = self.run_small("language_model")
        # Below that of any byte after any other.
        self.assertLess(row["short_bits"], 8.5)
        self.assertAlmostEqual(row["long_bits"], np.mean(row["bits_along"]),
                               delta=1e-3)
        self.assertAlmostEqual(row["cached"]["bits"],
                               row["cached"]["full_bits"], delta=0.02)
        self.assertEqual(len(row["heads"]), 8)
        page = row["page"]
        self.assertEqual(len(page["text"]), 32)
        for marks in (page["brackets"], *sum(page["alive"], [])):
            self.assertEqual(len(marks), 32)
            self.assertEqual(marks[-1], "1")  # the query's own

    def test_smoke_training_time(self):
        rows = self.run_small("training_time")
        self.assertEqual([row["length"] for row in rows], [64, 128])
        # Stock masks are left out where the settings say so.
        self.assertIn("stock walk", rows[0])
        self.assertNotIn("stock walk", rows[1])
        for row in rows:
            self.assertLess({"fpa none", "fpa walk", "stock none"}, set(row))
            self.assertGreater(min(row.values()), 0)

    def test_smoke_training_memory(self):
        peak = {row["code"]: row["peak_bytes"]
                for row in self.run_small("training_memory")}
        # 2 layers of 8 heads with masks of 512 x 512 floats, one each at least.
        self.assertGreater(peak["stock"], 2 * 8 * 4 * 512**2)
        # What a process takes besides is most of ours, and differs by megabytes.
        self.assertLess(4 * peak["fpa"], peak["stock"])


if __name__ == "__main__":
    unittest.main()
