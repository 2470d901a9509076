# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs of scopes: names are bound to values, and a binding ends with its scope.

Tokens open a scope, close the innermost one, bind a name to a value, or ask for a
name's value. A name is asked for when exactly one of its bindings is in force; it
may well have been bound again since, in scopes that are closed by now.
"""

import dataclasses

import numpy as np
import torch

NAMES = 8
VALUES = 8
# Where kinds of tokens start in the vocabulary; NAMES * VALUES bindings.
OPEN, CLOSE, BIND = 0, 1, 2
QUESTION = BIND + NAMES * VALUES
ANSWER = QUESTION + NAMES
SYMBOLS = ANSWER + VALUES
NOTHING = -100


@dataclasses.dataclass
class Batch:
    """tokens [B, L]; answers [B, L]: the value where a question stands, NOTHING
    elsewhere; shadowed [B, L]: whether the name of the question there was bound
    again, in a scope that has been closed."""
    tokens: torch.Tensor
    answers: torch.Tensor
    shadowed: torch.Tensor


def draw(rng, count, length):
    """`count` programs of `length` tokens. Scopes are closed a little more often
    than opened, so that long programs are no deeper than short ones."""
    programs = [_program(rng, length) for _ in range(count)]
    return Batch(*(torch.from_numpy(np.array(part)) for part in zip(*programs)))


def _program(rng, length):
    tokens = np.zeros(length, np.int64)
    answers = np.full(length, NOTHING)
    shadowed = np.zeros(length, bool)
    scopes = []                                    # names bound in each
    bound = [[] for _ in range(NAMES)]             # values in force, the last inmost
    latest = [None] * NAMES                        # whether that is the last one
    kinds = rng.random(length)
    names = rng.integers(0, NAMES, length)
    values = rng.integers(0, VALUES, length)
    for t in range(length):
        askable = [n for n in range(NAMES) if len(bound[n]) == 1]
        if not scopes or kinds[t] < 0.22:
            tokens[t] = OPEN
            scopes.append([])
        elif kinds[t] < 0.47:
            tokens[t] = CLOSE
            for name in scopes.pop():
                bound[name].pop()
                latest[name] = False
        elif kinds[t] < 0.8 or not askable:
            name, value = int(names[t]), int(values[t])
            tokens[t] = BIND + name * VALUES + value
            scopes[-1].append(name)
            bound[name].append(value)
            latest[name] = True
        else:
            name = askable[int(names[t]) % len(askable)]
            tokens[t] = QUESTION + name
            answers[t] = ANSWER + bound[name][0]
            shadowed[t] = not latest[name]
    return tokens, answers, shadowed
