# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""C++ text into tokens, and the scopes of their brackets by plain parsing."""

import re

_TOKEN = re.compile(r"""
    (?P<skip> \s+ | //[^\n]* | /\*.*?\*/ )
  | (?P<raw> R"(?P<mark>[^(\s]*)\(.*?\)(?P=mark)" )
  | (?P<string> "(?:\\.|[^"\\\n])*" | (?<!\w)'(?:\\.|[^'\\\n])*' )
  | (?P<word> [A-Za-z_0-9]+ )
  | (?P<mark1> :: | -> | && | \|\| | [=!<>+\-*/&|]= | << | . )
""", re.VERBOSE | re.DOTALL)

OPENING = {"(": ")", "[": "]", "{": "}"}
CLOSING = set(OPENING.values())


class Token:
    """One token: its text and its line, from 1."""

    def __init__(self, text, line):
        self.text, self.line = text, line

    @property
    def step(self):
        """How the token changes the bracket depth."""
        return (self.text in OPENING) - (self.text in CLOSING)


def tokenize(source):
    """The tokens of a C++ source text, comments left out."""
    tokens, line = [], 1
    for match in _TOKEN.finditer(source):
        if match.lastgroup != "skip" and not match["skip"]:
            tokens.append(Token(match[0], line))
        line += match[0].count("\n")
    return tokens


def open_scopes(tokens, position):
    """The scopes that enclose the place right after a token, outermost first,
    each as the list of the tokens directly in it.

    An opening bracket is the first token of the scope it opens; a closing one
    belongs to the scope that goes on after it.
    """
    scopes = [[]]
    for index, token in enumerate(tokens[:position + 1]):
        if token.text in OPENING:
            scopes.append([index])
            continue
        if token.text in CLOSING:
            opening = tokens[scopes[-1][0]].text if len(scopes) > 1 else None
            if opening is None:
                raise ValueError(f"line {token.line}: expected an opening "
                                 f"bracket before '{token.text}', got none")
            if OPENING.get(opening) != token.text:
                raise ValueError(f"line {token.line}: expected the bracket that "
                                 f"closes '{opening}', got '{token.text}'")
            scopes.pop()
        scopes[-1].append(index)
    return scopes
