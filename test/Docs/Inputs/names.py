"""Looks up what the documents put in code quotes and says what is unknown.

usage: names.py SOURCE_ROOT FILE_WITH_FPA_OPT_HELP
"""

import glob
import os
import re
import sys

root, help_file = sys.argv[1:]
known = set(re.findall(r"^ +--([a-z0-9-]+)", open(help_file).read(), re.M))
known |= set(os.listdir(os.path.join(root, "tools")))
good = 0
for page in sorted(glob.glob(os.path.join(root, "docs", "*.md"))
                   + glob.glob(os.path.join(root, "*.md"))):
    text = open(page).read()
    for word in sorted(set(re.findall(r"`([^`\s]+)`", text))):
        # CONTRIBUTING walks through a pass and an op that are not there.
        if re.search("do-?something|/example", word, re.I):
            continue
        if re.fullmatch(r"(convert-)?fpa-[a-z0-9-]*[a-z0-9]", word):
            there = word in known
        elif re.fullmatch(r"(lib|include|test|docs|scripts|tools|examples|python)"
                          r"/[\w/.-]*\w/?", word):
            there = os.path.exists(os.path.join(root, word))
        elif re.fullmatch(r"[A-Z]\w+/[\w-]+\.(mlir|test)", word):
            there = os.path.exists(os.path.join(root, "test", word))
        else:
            continue
        good += there
        if not there:
            print(f"{os.path.basename(page)}: unknown {word}")
print(good, "names are there")
