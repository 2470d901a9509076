# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A page of a program as SVG text, some of its bytes marked."""

from xml.sax.saxutils import escape

_WIDE, _HIGH = 7.3, 15


def code_picture(title, text, alive, scopes):
    """text: what stands on the page. alive, scopes: strings of 0 and 1 as long as
    it; bytes that are alive have a yellow ground, those of scopes a line
    below."""
    lines, start = [], 0
    for line in text.split("\n"):
        lines.append((line, start))
        start += len(line) + 1
    width = 30 + _WIDE * max(40, *(len(line) for line, _ in lines))
    height = 40 + _HIGH * len(lines)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 '
             f'{width:.0f} {height}" font-family="monospace" font-size="12">',
             f'<rect width="{width:.0f}" height="{height}" fill="white"/>',
             f'<text x="12" y="18" font-weight="bold">{escape(title)}</text>']
    for n, (line, start) in enumerate(lines):
        y = 40 + _HIGH * n
        end = start + len(line)
        for first, count in _runs(alive[start:end]):
            parts.append(f'<rect x="{12 + first * _WIDE:.1f}" y="{y - 11}" '
                         f'width="{count * _WIDE:.1f}" height="{_HIGH}" '
                         f'fill="#ffe58a"/>')
        for first, count in _runs(scopes[start:end]):
            parts.append(f'<rect x="{12 + first * _WIDE:.1f}" y="{y + 2}" '
                         f'width="{count * _WIDE:.1f}" height="1.5" '
                         f'fill="#2a6fb0"/>')
        if line.strip():
            parts.append(
                f'<text x="12" y="{y}" xml:space="preserve" textLength='
                f'"{len(line) * _WIDE:.1f}">{escape(_shown(line))}</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _shown(line):
    return "".join(c if c.isprintable() else " " for c in line)


def _runs(marks):
    """Where marks are 1: first place and count of each run."""
    runs, start = [], None
    for n, mark in enumerate(marks + "0"):
        if mark == "1" and start is None:
            start = n
        elif mark != "1" and start is not None:
            runs.append((start, n - start))
            start = None
    return runs
