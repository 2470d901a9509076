#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bytes that a step of training takes at its peak, beside what the process held
before: weights, their gradients, the state of Adam and the code."""

import ctypes
import json
import os
import resource
import subprocess
import sys

import jobs
import small_model

import machine


def list_jobs(settings):
    return [{"code": code, "variant": variant, "length": length}
            for length in settings["lengths"]
            for code in small_model.CODES for variant in settings["variants"]]


def run(job, settings):
    """In a process of its own, whose peak is that of this job. Without a number,
    "stopped" says why: "memory" is the limit of the settings."""
    done = subprocess.run(
        [sys.executable, os.path.abspath(__file__), "--one",
         json.dumps([job, settings])], capture_output=True, text=True)
    if done.returncode == 0:
        return json.loads(done.stdout)
    if "memory" in done.stderr.splitlines()[-1]:
        return {"stopped": "memory"}
    raise RuntimeError(f"expected the process of {job} to end well, got "
                       f"{done.stderr[-2000:]}")


def one(job, settings):
    limit = settings["limit_bytes"]
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    step = small_model.Step(job["code"], job["variant"], settings)
    step(64, tokens=64)
    # What compiling the kernels has left free would be used without a trace.
    ctypes.CDLL(None).malloc_trim(0)
    before = machine.memory("VmRSS")
    if not machine.reset_peak_memory():
        raise OSError("expected to reset the peak of memory, got no access to "
                      "/proc/self/clear_refs")
    step(job["length"])
    return {"peak_bytes": machine.memory("VmHWM") - before}


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        print(json.dumps(one(*json.loads(sys.argv[2]))))
    else:
        jobs.main("training_memory", list_jobs, run, __doc__)
