"""Runs the shell block of a page that holds a word.

usage: shell_block.py PAGE.md WORD BUILD SOURCE_ROOT

What the block writes lands in the working directory, in which `build`,
`examples` and `test` are links.
"""

import os
import re
import subprocess
import sys

page, word, build, root = sys.argv[1:]
blocks = re.findall(r"^```(\w*)\n(.*?)^```$", open(page).read(), re.M | re.S)
found = [block for kind, block in blocks if not kind and word in block]
if len(found) != 1:
    sys.exit(f"expected one block with {word}, got {len(found)}")
os.symlink(build, "build")
for folder in ("examples", "test"):
    os.symlink(os.path.join(root, folder), folder)
sys.exit(subprocess.run(["sh", "-euc", found[0]]).returncode)
