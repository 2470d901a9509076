#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Seconds of processor time that a step of training takes in one thread, with as
many tokens at every length: what other work the machine does changes it little."""

import statistics
import time

import jobs
import small_model


def list_jobs(settings):
    return [{"length": length} for length in settings["lengths"]]


def run(job, settings):
    """Medians over rounds in which every model takes a step in its turn: what
    disturbs the machine disturbs all."""
    length = job["length"]
    steps = {(code, variant): small_model.Step(code, variant, settings)
             for code in small_model.CODES
             for variant in settings["variants"][code]
             if length <= settings["longest"][code] or variant == "none"}
    for step in steps.values():  # kernels are compiled for all sizes at once
        step(64, tokens=64)
    seconds = {key: [] for key in steps}
    for n in range(1 + settings["rounds"]):
        for key, step in steps.items():
            start = time.process_time()
            step(length)
            if n > 0:  # the first round warms up
                seconds[key].append(time.process_time() - start)
    return {f"{code} {variant}": round(statistics.median(each), 5)
            for (code, variant), each in seconds.items()}


if __name__ == "__main__":
    jobs.main("training_time", list_jobs, run, __doc__, workers=1)
