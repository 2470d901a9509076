"""Interrupts fpa-run while it writes a large output, then looks at what it left.

usage: interrupt.py FOLDER

Each round waits for another state of the writing: nothing yet, the new file's
name, or some of its bytes.
"""

import os
import signal
import subprocess
import sys
import time

folder = sys.argv[1]
ROWS = 1 << 21
SIZE = 128 + 16 * ROWS
PATH = os.path.join(folder, "o.npy")
MODULE = os.path.join(folder, "same.mlir")
OLD = b"what stood there before"


def partial_bytes():
    """How far another name than the output's is written, -1 for no such name."""
    for entry in os.scandir(folder):
        if entry.name not in ("o.npy", "same.mlir"):
            try:
                return entry.stat().st_size
            except FileNotFoundError:
                pass
    return -1


def interrupt(least, number):
    with open(PATH, "wb") as out:
        out.write(OLD)
    process = subprocess.Popen(
        ["fpa-run", MODULE, "--input=:zeros", f"--output=@{PATH}"],
        stdout=subprocess.DEVNULL)
    while process.poll() is None and partial_bytes() < least:
        pass
    process.send_signal(number)
    status = process.wait()
    left = sorted(os.listdir(folder))
    if left != ["o.npy", "same.mlir"]:
        sys.exit(f"status {status}, left {left}")
    with open(PATH, "rb") as file:
        is_old = file.read(len(OLD)) == OLD
    if not is_old and os.path.getsize(PATH) != SIZE:
        sys.exit(f"status {status}, left {os.path.getsize(PATH)} of {SIZE} bytes")
    return status


with open(MODULE, "w") as out:
    out.write(f"func.func @main(%x: tensor<{ROWS}x4xf32>) -> tensor<{ROWS}x4xf32> "
              f"{{ return %x : tensor<{ROWS}x4xf32> }}\n")
stopped = 0
for number in (signal.SIGINT, signal.SIGTERM):
    for least in (0, 1, SIZE // 2):
        stopped += interrupt(least, number) == -number
print("interrupted" if stopped else "never interrupted")
