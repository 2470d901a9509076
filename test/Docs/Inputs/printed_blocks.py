"""Runs the Python blocks of a page in a folder. Each line that prints has a
comment that says what: the two are compared.

usage: printed_blocks.py PAGE.md FOLDER
"""

import contextlib
import io
import os
import re
import sys

page, folder = sys.argv[1:]
blocks = re.findall(r"^```python\n(.*?)^```", open(page).read(), re.M | re.S)
if any("import torch" in block for block in blocks):
    try:
        import torch
    except ImportError:
        print("skipped: PyTorch is not installed")
        sys.exit()
os.chdir(folder)
names = {}
for block in blocks:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(block, names)
    said = re.findall(r"^print\(.*\)\s*# (.*)$", block, re.M)
    if printed.getvalue().splitlines() != said:
        sys.exit(f"expected {said}, got {printed.getvalue().splitlines()}")
print(len(blocks), "blocks print what they say")
