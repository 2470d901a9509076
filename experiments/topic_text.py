# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Text with topics, in which two keys are given values that are asked for later.

Words are drawn from the topic's few; a mark ends a topic, and the next is drawn
anew. Two keys are given a value each, by a token somewhere in the text; a question
names one of the two, and the answer, which the text does not give, is its value.
"""

import dataclasses

import numpy as np
import torch

WORDS = 32
TOPICS = 8
NAMES = 2
VALUES = 8
# Where kinds of tokens start in the vocabulary; NAMES * VALUES pairs.
MARK, WORD = 0, 1
PAIR = WORD + WORDS
QUESTION = PAIR + NAMES * VALUES
ANSWER = QUESTION + NAMES
SYMBOLS = ANSWER + VALUES
# Nothing is to be predicted here.
NOTHING = -100


@dataclasses.dataclass
class Batch:
    """tokens [B, L]; text [B, L]: the next token where that is text; answers
    [B, L]: the value where a question stands; NOTHING elsewhere."""
    tokens: torch.Tensor
    text: torch.Tensor
    answers: torch.Tensor


def draw(rng, count, length, questions, switch=1 / 32):
    """`count` texts of `length` tokens, each with `questions` questions, the last
    of which is its last token. Half of them stand in the last quarter, half anywhere
    behind the two pairs: short ways are learned first, and the long ones by them.
    Topics end with the probability `switch` at each token."""
    text = _topics(rng, count, length - 2 - questions, switch)
    names = np.argsort(rng.random((count, NAMES)), axis=1)[:, :2]
    values = rng.integers(0, VALUES, (count, 2))
    asked = rng.integers(0, 2, (count, questions))

    # Between which words things stand: both pairs before all questions.
    size = text.shape[1]
    last = size - size // 4
    places = np.sort(rng.integers(0, last, (count, 2)), axis=1)
    first = np.where(np.arange(questions) % 2, last, places[:, 1:])
    asks = np.sort(rng.integers(first, size), axis=1)
    asks[:, -1] = size
    inserted = np.concatenate([
        PAIR + names * VALUES + values,
        QUESTION + np.take_along_axis(names, asked, 1)], axis=1)
    wanted = np.full((count, length), NOTHING)
    wanted[:, size + 2:] = ANSWER + np.take_along_axis(values, asked, 1)
    at = np.concatenate([np.broadcast_to(np.arange(size), text.shape),
                         places - 0.5, asks - 0.25], axis=1)
    order = np.argsort(at, axis=1, kind="stable")
    tokens = np.take_along_axis(np.concatenate([text, inserted], 1), order, 1)
    answers = np.take_along_axis(wanted, order, 1)
    following = np.full_like(tokens, NOTHING)
    following[:, :-1] = np.where(tokens[:, 1:] < PAIR, tokens[:, 1:], NOTHING)
    return Batch(*map(torch.from_numpy, (tokens, following, answers)))


def _topics(rng, count, length, switch):
    """Words and marks [count, length]."""
    marks = rng.random((count, length)) < switch
    topics = rng.integers(0, TOPICS, (count, length + 1))
    topic = np.take_along_axis(topics, marks.cumsum(1), 1)
    chances = _language().cumsum(1)
    drawn = rng.random((count, length, 1))
    words = (drawn > chances[topic][..., :-1]).sum(-1)
    return np.where(marks, MARK, WORD + words)


def _language():
    """The chance of each word in each topic [TOPICS, WORDS]: the same language in
    every run. A topic has four words of its own, which make four fifths of it;
    others may share them."""
    rng = np.random.default_rng(0)
    chances = np.full((TOPICS, WORDS), 0.2 / WORDS)
    for row in chances:
        row[rng.choice(WORDS, 4, replace=False)] += 0.2
    return chances
