"""Runs the console blocks of a page, in order, in the working directory.

usage: console_blocks.py PAGE.md

A line after `$ ` is a command, continued where it ends in a backslash; the lines
behind it are what it prints: each of them whole, `...` within a line for any
text, as a line for any lines. MLIR blocks whose first line is a comment with a
file's name are written to it first.
"""

import re
import subprocess
import sys


def steps(block):
    """(command, lines it prints) of a block."""
    found, continued = [], False
    for line in block.splitlines():
        if continued or line.startswith("$ "):
            text = line if continued else line[2:]
            continued = text.endswith("\\")
            if found and found[-1][2]:
                found[-1][0] += text.rstrip("\\")
                found[-1][2] = continued
            else:
                found.append([text.rstrip("\\"), [], continued])
        else:
            found[-1][1].append(line)
    return [(command, lines) for command, lines, _ in found]


def first_missing(lines, printed):
    """The first line that does not come, or None. Greedy: a line after `...`
    is the first that fits."""
    at, skips = 0, False
    for line in lines:
        if line.strip() == "...":
            skips = True
            continue
        parts = [re.escape(part) for part in line.strip().split("...")]
        wanted = re.compile(".*".join(parts))
        while True:
            if at == len(printed):
                return line
            at += 1
            if wanted.fullmatch(printed[at - 1].strip()):
                break
            if not skips:
                return line
        skips = False
    return None if skips or at == len(printed) else printed[at]


page = open(sys.argv[1]).read()
for name, text in re.findall(r"^```mlir\n// (\S+\.mlir)\n(.*?)^```$", page,
                             re.M | re.S):
    with open(name, "w") as file:
        file.write(text)
count = 0
for block in re.findall(r"^```console\n(.*?)^```$", page, re.M | re.S):
    for command, lines in steps(block):
        ended = subprocess.run(["sh", "-euc", command], text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if ended.returncode:
            sys.exit(f"{command}\n{ended.stdout[-2000:]}")
        missing = first_missing(lines, ended.stdout.rstrip().splitlines())
        if missing is not None:
            sys.exit(f"{command}\nmissing, or too much: {missing}")
        count += 1
print(count, "commands print what they say")
