# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ headers of the installed LLVM as bytes, split by file into training and
test."""

import os
import re
import subprocess
import zlib

import numpy as np
import torch

SYMBOLS = 256
_COMMENT = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)


class Headers:
    """- train: bytes of all files of training, one behind the other, each ended by
      a byte 0
    - test: a list of the bytes of each file of the test
    - version: LLVM's; checksum: of all bytes
    """

    def __init__(self, settings):
        """settings: "config" (the llvm-config program), "folders" below its include
        directory, "suffix", "least_bytes" of a file to be taken, without comments
        and empty lines, "test_share" of the files."""
        root = _ask(settings["config"], "--includedir")
        self.version = _ask(settings["config"], "--version")
        train, self.test = [], []
        for name in _names(root, settings["folders"], settings["suffix"]):
            with open(os.path.join(root, name), encoding="utf-8",
                      errors="replace") as file:
                text = np.frombuffer(_code(file.read()).encode(), np.uint8)
            if len(text) < settings["least_bytes"]:
                continue
            # By name: a file stays on its side when others come.
            if zlib.crc32(name.encode()) % 1000 < 1000 * settings["test_share"]:
                self.test.append(text)
            else:
                train.append(np.append(text, np.uint8(0)))
        if not train or not self.test:
            raise ValueError(f"expected headers in {root}, got {len(train)} files "
                             f"to train on and {len(self.test)} to test on")
        self.train = np.concatenate(train)
        self.checksum = zlib.crc32(np.concatenate([self.train, *self.test]))

    def draw(self, rng, count, length):
        """Random pieces of the training text, [count, length + 1]."""
        starts = rng.integers(0, len(self.train) - length, (count, 1))
        return torch.from_numpy(
            self.train[starts + np.arange(length + 1)]).long()

    def windows(self, count, length):
        """The first length + 1 bytes of `count` test files that have as many,
        [count, length + 1]."""
        long = [text[:length + 1] for text in self.test if len(text) > length]
        if len(long) < count:
            raise ValueError(f"expected {count} test files of more than {length} "
                             f"bytes, got {len(long)}")
        # Not those of one folder only.
        picked = np.linspace(0, len(long) - 1, count).astype(int)
        return torch.from_numpy(np.stack([long[n] for n in picked])).long()


def _ask(program, question):
    return subprocess.run([program, question], check=True, text=True,
                          capture_output=True).stdout.strip()


def _names(root, folders, suffix):
    """Paths below root, sorted."""
    names = []
    for folder in folders:
        for path, _, files in os.walk(os.path.join(root, folder),
                                      followlinks=True):
            names += [os.path.relpath(os.path.join(path, file), root)
                      for file in files if file.endswith(suffix)]
    return sorted(names)


def _code(text):
    """The text without comments, empty lines and spaces at the ends of lines.
    Comments in string literals are none."""
    text = _COMMENT.sub(
        lambda found: found[0] if found[0][0] == '"' else "", text)
    lines = (line.rstrip() for line in text.split("\n"))
    return "".join(line + "\n" for line in lines if line)
