#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles layer.mlir and runs it over the tokens of a C++ source file.

usage: run.py [--out=FOLDER] [--check] [FILE.cpp]

See demo.py. What can be known to be wrong is said in one line before anything
is compiled; --check does no more than that.
"""

import argparse
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
BUILT = os.path.join(ROOT, "build")
sys.path[:0] = [HERE, os.path.join(BUILT, "python")]

from tokens import open_scopes, tokenize  # noqa: E402

DEFAULT_FILE = os.path.join(ROOT, "lib", "Conversion", "FpaToLLVM",
                            "FpaToLLVM.cpp")
# The penalty of every pair of tokens is kept, in float64.
MOST_TOKENS = 10000


class Refused(Exception):
    """Says in one line what is wrong."""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Refused(message)


def parse(arguments):
    parser = Parser(prog="run.py", description=__doc__.splitlines()[0])
    parser.add_argument("file", nargs="?", default=DEFAULT_FILE)
    parser.add_argument("--out", default=os.path.join(BUILT, "demo"),
                        help="folder for what is written (default build/demo)")
    parser.add_argument("--check", action="store_true",
                        help="look at file and folder only")
    return parser.parse_args(arguments)


def read_tokens(path):
    """The text and its tokens, whose brackets are known to match."""
    try:
        if os.path.exists(path) and not os.path.isfile(path):
            raise Refused(f"'{path}': expected a file of C++")
        with open(path, encoding="utf-8") as file:
            source = file.read()
    except OSError as error:
        raise Refused(f"cannot read '{path}': {error.strerror}")
    except ValueError as error:  # of the encoding, or of the path
        raise Refused(f"'{path}': expected UTF-8 text: {error}")
    tokens = tokenize(source)
    if not tokens:
        raise Refused(f"'{path}': expected C++, got no tokens")
    if len(tokens) > MOST_TOKENS:
        raise Refused(f"'{path}': expected at most {MOST_TOKENS} tokens, got "
                      f"{len(tokens)}")
    try:
        still_open = open_scopes(tokens, len(tokens) - 1)[1:]
    except ValueError as error:
        raise Refused(f"'{path}': {error}")
    if still_open:
        bracket = tokens[still_open[-1][0]]
        raise Refused(f"'{path}': line {bracket.line}: expected the bracket "
                      f"that closes '{bracket.text}', got the end of the file")
    return source, tokens


def make_folder(path):
    try:
        os.makedirs(path, exist_ok=True)
        probe = os.path.join(path, ".writable")
        with open(probe, "w"):
            pass
        os.remove(probe)
    except (OSError, ValueError) as error:
        raise Refused(f"cannot write to the folder '{path}': "
                      f"{getattr(error, 'strerror', None) or error}")


def import_demo():
    for file in ("python/fpa/libfpa.so", "bin/fpa-opt"):
        if not os.path.exists(os.path.join(BUILT, file)):
            raise Refused(f"expected build/{file}, found none: run "
                          f"scripts/demo.sh, which builds it")
    try:
        import demo
    except ImportError as error:
        raise Refused(f"cannot import what the demo needs: {error}")
    return demo


def main(arguments=None):
    try:
        options = parse(arguments)
        source, tokens = read_tokens(options.file)
        make_folder(options.out)
        if options.check:
            return 0
        good = import_demo().run(options.file, source, tokens, options.out)
        return 0 if good else 1
    except (Refused, OSError, subprocess.CalledProcessError) as error:
        print(f"run.py: error: {' '.join(str(error).split())}",
              file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
