# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs an experiment: its jobs in worker processes, each kept as it ends, so that
a run that is broken off goes on with what is missing.

    def jobs(settings): return [{"variant": "walk", "seed": 0}, ...]
    def run(job, settings): return {"exact": 1.0}       # numbers and words

    if __name__ == "__main__":
        jobs.main("single_layer", jobs, run, __doc__)
"""

import argparse
import concurrent.futures
import ctypes
import json
import multiprocessing
import os
import signal
import sys
import time

import paths
import results


def settings_of(name, smoke=False):
    """settings/NAME.json; its "smoke" part holds what is smaller in a smoke
    run."""
    with open(os.path.join(paths.SETTINGS, name + ".json")) as file:
        settings = json.load(file)
    small = settings.pop("smoke")
    return {**settings, **small} if smoke else settings


def main(name, jobs, run, doc, workers=2):
    """The command line of an experiment. Its results go to results/NAME.json; those
    of a smoke run or of some seeds only to build/experiments, unless --out names
    a folder."""
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--smoke", action="store_true", help="small and short")
    parser.add_argument("--seeds", type=int, nargs="+",
                        help="instead of those of the settings")
    parser.add_argument("--workers", type=int, default=workers,
                        help="processes")
    parser.add_argument("--out", help="folder of the result file")
    options = parser.parse_args()
    settings = settings_of(name, options.smoke)
    if options.seeds:
        settings["seeds"] = options.seeds
    part = options.smoke or options.seeds
    out = options.out or (paths.SCRATCH if part else paths.RESULTS)
    print(run_all(name, jobs(settings), run, settings, out, options.workers))


def run_all(name, jobs, run, settings, out, workers=2):
    """Runs run(job, settings) for every job that is not done yet; a row of the
    results is the job, what run returned, and the seconds it took. Returns the
    path of the result file."""
    store = _Store(os.path.join(out if out != paths.RESULTS else paths.SCRATCH,
                                name + ".jobs"), settings)
    missing = [job for job in jobs if store.get(job) is None]
    if len(missing) < len(jobs):
        print(f"{name}: {len(jobs) - len(missing)} of {len(jobs)} jobs were "
              f"done before", flush=True)
    with concurrent.futures.ProcessPoolExecutor(
            max(1, min(workers, len(missing))), initializer=_one_thread,
            mp_context=multiprocessing.get_context("spawn")) as pool:
        running = {pool.submit(_timed, run, job, settings): job
                   for job in missing}
        try:
            for future in concurrent.futures.as_completed(running):
                store.add(running[future], future.result())
                print(json.dumps(store.get(running[future])), flush=True)
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
    path = results.save(name, settings, [store.get(job) for job in jobs], out,
                        store.commit)
    store.remove()
    return path


class _Store:
    """The rows of jobs that are done, in a file that grows line by line. Its first
    line says what they are rows of: with other settings they are worth nothing."""

    def __init__(self, path, settings):
        self._path, self._rows = path, {}
        head = {"settings": settings}
        lines = self._lines()
        if lines and lines[0]["settings"] == head["settings"]:
            self.commit = lines[0]["commit"]
            for job, row in lines[1:]:
                self._rows[_key(job)] = row
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        self.commit = head["commit"] = results.current_commit()
        with open(path, "w") as file:
            print(json.dumps(head), file=file)

    def _lines(self):
        """The whole lines; one that was being written when the run ended is
        cut off."""
        try:
            with open(self._path, "rb+") as file:
                data = file.read()
                whole = data[:data.rfind(b"\n") + 1]
                file.truncate(len(whole))
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in whole.splitlines()]

    def get(self, job):
        return self._rows.get(_key(job))

    def add(self, job, row):
        self._rows[_key(job)] = row
        with open(self._path, "a") as file:
            print(json.dumps([job, row]), file=file)

    def remove(self):
        os.unlink(self._path)


def _key(job):
    return json.dumps(job, sort_keys=True)


def _one_thread():
    """Of a worker: jobs share the processor by running side by side."""
    import fpa
    import torch
    _end_with_parent()
    torch.set_num_threads(1)
    fpa.set_threads(1)


def _end_with_parent():
    """A worker of a run that is killed would finish its job for nobody."""
    if sys.platform == "linux":
        pr_set_pdeathsig = 1
        ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGTERM)


def _timed(run, job, settings):
    start = time.perf_counter()
    row = run(job, settings)
    return {**job, **row, "seconds": round(time.perf_counter() - start, 1)}
