# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the mutation check on a tree whose builds and suites only pretend."""

import argparse
import sys

sys.path.insert(0, sys.argv[1])
import mutation_check  # noqa: E402
import mutations  # noqa: E402


class Pretended(mutation_check.Scratch):
    """Notices a mutation by the name that the caller gives it."""
    log = []
    noticed = set()
    ends = True

    def configure(self):
        self.log.append("configure")
        return 0, ""

    def build(self):
        self.log.append("build")
        return 0, ""

    def suite(self, target, tiles):
        changed = [m.name for m in mutations.MUTATIONS
                   if m.new in open(self.path(m)).read()
                   and m.old not in open(self.path(m)).read()]
        self.log.append(f"suite {target} {' '.join(changed)}".strip())
        if not self.ends:
            return None, ""
        failed = any(name in self.noticed for name in changed)
        return (1, "FAIL case") if failed else (0, "1 passed")


mutation_check.Scratch = Pretended
picked = [next(m for m in mutations.MUTATIONS if m.target == target)
          for target in ("cpu", "emulator")]
options = argparse.Namespace(keep=False, jobs="1", seconds=1)

Pretended.noticed = {m.name for m in picked}
print("all noticed:", mutation_check.check(picked, options))
print("; ".join(Pretended.log).replace(picked[0].name, "FIRST")
      .replace(picked[1].name, "SECOND"))
Pretended.noticed = {picked[0].name}
print("one overlooked:", mutation_check.check(picked, options))

Pretended.ends = False
try:
    mutation_check.check(picked, options)
except SystemExit as error:
    print(error)
