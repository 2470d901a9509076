"""Runs the shell block of a page that holds a word.

usage: shell_block.py PAGE.md WORD BUILD SOURCE_ROOT

What the block writes lands in the working directory, in which `build`,
`examples`, `include` and `test` are links. C blocks whose first line is a comment
with a file's name are written to it first.
"""

import os
import re
import subprocess
import sys

page, word, build, root = sys.argv[1:]
blocks = re.findall(r"^```(\S*)\n(.*?)^```$", open(page).read(), re.M | re.S)
found = [block for kind, block in blocks if not kind and word in block]
if len(found) != 1:
    sys.exit(f"expected one block with {word}, got {len(found)}")
os.symlink(build, "build")
for folder in ("examples", "include", "test"):
    os.symlink(os.path.join(root, folder), folder)
for kind, text in blocks:
    name = re.match(r"// (\w+\.c)\n", text)
    if kind == "c" and name:
        with open(name[1], "w") as file:
            file.write(text)
sys.exit(subprocess.run(["sh", "-euc", found[0]]).returncode)
