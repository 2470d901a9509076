#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Breaks the lowering in named ways and shows that the numeric suite notices.

    scripts/mutation_check.py [--only GLOB,...] [--list] [--keep]

Copies the tree to a scratch folder with a build folder of its own. There each
mutation of scripts/mutations.py, an exact edit of one source file, is applied,
built and taken back. A mutant must compile, and the fast subset of the numeric
suite must fail on it. A mutation whose text is not found exactly once is an
error, so that the list cannot rot. Exits 0 only if every mutant was caught.
"""

import argparse
import fnmatch
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
sys.path.insert(0, HERE)
sys.dont_write_bytecode = True

import mutations  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--only", default="*", help="names (globs)")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--keep", action="store_true",
                        help="leave the scratch folder")
    parser.add_argument("--jobs", default=str(os.cpu_count()))
    parser.add_argument("--seconds", type=int, default=300,
                        help="limit of one run of the suite (default 300)")
    return parser.parse_args()


def copy_tree(to):
    """The files that git knows or would add, as they are now."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others",
         "--exclude-standard"], cwd=ROOT, check=True,
        capture_output=True).stdout.decode().split("\0")
    for name in filter(None, names):
        source = os.path.join(ROOT, name)
        if os.path.isfile(source):
            target = os.path.join(to, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(source, target)


class Scratch:
    """The copied tree: edits, builds, runs."""

    def __init__(self, folder, options):
        self.folder, self.options = folder, options

    def run(self, command, limit=None, **environment):
        """(status, output); status None when the time ran out. Ends the whole
        process group, so that nothing outlives the check."""
        process = subprocess.Popen(
            command, cwd=self.folder, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
            env={**os.environ, **environment}, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=limit)
            return process.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            return None, process.communicate()[0]
        except BaseException:
            os.killpg(process.pid, signal.SIGKILL)
            raise

    def configure(self):
        return self.run(["cmake", "--preset", "default"])

    def build(self):
        return self.run(["cmake", "--build", "build", "--target",
                         *mutations.TARGETS, "--", "-j", self.options.jobs])

    def suite(self, target, tiles):
        path = os.pathsep.join(
            [os.path.join(self.folder, "build", "python"),
             os.path.join(self.folder, "test", "Integration")])
        return self.run(
            [sys.executable, "-m", "numeric", "--fast", "--stop", "--target",
             target] + (["--tiles", tiles] if tiles else []),
            self.options.seconds, PYTHONPATH=path, OPENBLAS_NUM_THREADS="1")

    def path(self, mutation):
        return os.path.join(self.folder, mutation.file)


def edited(mutation, root):
    """(old text, new text) of the file, or an error."""
    path = os.path.join(root, mutation.file)
    if not os.path.exists(path):
        raise LookupError(f"{mutation.name}: expected the file "
                          f"{mutation.file}, got none")
    with open(path) as file:
        text = file.read()
    count = text.count(mutation.old)
    if count != 1:
        raise LookupError(f"{mutation.name}: expected its text exactly once "
                          f"in {mutation.file}, got it {count} times")
    return text, text.replace(mutation.old, mutation.new)


def last_failure(output):
    lines = [x for x in output.splitlines() if x.startswith("FAIL")]
    return lines[0][:100] if lines else output.strip()[-100:]


def judge(scratch, mutation):
    """(verdict, detail) of one mutation."""
    old, new = edited(mutation, scratch.folder)
    with open(scratch.path(mutation), "w") as file:
        file.write(new)
    try:
        status, output = scratch.build()
        if status != 0:
            return "DOES NOT COMPILE", output[-1500:]
        status, output = scratch.suite(mutation.target, mutation.tiles)
        if status == 0:
            return "SURVIVED", output.strip()[-200:]
        if status is None:
            return "caught", "the suite did not end in time"
        return "caught", last_failure(output)
    finally:
        with open(scratch.path(mutation), "w") as file:
            file.write(old)


def check(picked, options):
    folder = tempfile.mkdtemp(prefix="fpa-mutation-")
    try:
        copy_tree(folder)
        scratch = Scratch(folder, options)
        for step, name in ((scratch.configure, "configure"),
                           (scratch.build, "build")):
            print(f"unchanged tree: {name}", flush=True)
            status, output = step()
            if status != 0:
                sys.exit(f"the unchanged tree does not {name}:\n"
                         f"{output[-3000:]}")
        for target, tiles in sorted({(m.target, m.tiles) for m in picked}):
            print(f"unchanged tree: suite on {target} {tiles}".rstrip(),
                  flush=True)
            status, output = scratch.suite(target, tiles)
            if status is None:
                sys.exit(f"expected the suite to end in {options.seconds} s on "
                         f"the unchanged tree, target {target}; --seconds=N "
                         f"gives it more")
            if status != 0:
                sys.exit(f"the suite fails on the unchanged tree, target "
                         f"{target}:\n{output[-3000:]}")
        escaped = 0
        width = max(len(m.name) for m in picked)
        for mutation in picked:
            start = time.monotonic()
            verdict, detail = judge(scratch, mutation)
            escaped += verdict != "caught"
            print(f"{mutation.name:{width}}  {verdict:8}  "
                  f"{time.monotonic() - start:5.0f} s  {detail}", flush=True)
        print(f"{len(picked)} mutations, {len(picked) - escaped} caught, "
              f"{escaped} not")
        return 1 if escaped else 0
    finally:
        if options.keep:
            print(f"left {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def main():
    options = parse()
    # A kill ends the check as an interrupt does: through `finally`.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    signal.signal(signal.SIGHUP, lambda *_: sys.exit(129))
    picked = [m for m in mutations.MUTATIONS
              if any(fnmatch.fnmatchcase(m.name, glob)
                     for glob in options.only.split(","))]
    if not picked:
        sys.exit(f"expected a mutation named {options.only}, got none")
    try:
        for mutation in picked:
            edited(mutation, ROOT)
    except LookupError as error:
        sys.exit(str(error))
    if options.list:
        for mutation in picked:
            print(f"{mutation.name:28} {mutation.file}")
        return 0
    return check(picked, options)


if __name__ == "__main__":
    sys.exit(main())
