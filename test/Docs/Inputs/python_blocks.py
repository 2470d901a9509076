"""Runs the Python blocks of a page in a folder and says what they left.

usage: python_blocks.py PAGE.md FOLDER
"""

import os
import re
import sys

page, folder = sys.argv[1:]
blocks = re.findall(r"^```python\n(.*?)^```", open(page).read(), re.M | re.S)
os.chdir(folder)
names = {}
for block in blocks:
    exec(block, names)
print(len(blocks), "blocks, o", f"{names['o'].shape}, lse {names['lse'].shape},",
      "layer", len(names["layer"].inputs), "inputs")
