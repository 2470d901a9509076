# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Charts as SVG text, written with nothing but strings."""

import math
from xml.sax.saxutils import escape

_COLOURS = ("#2a6fb0", "#d9822b", "#3a9a5b", "#b8405e", "#7a5aa6", "#6b6b6b",
            "#17a2a2", "#a0892c")
_LEFT, _TOP, _BOTTOM = 62, 34, 46


def dots(title, groups, series, y_label, width=720, height=300):
    """A dot for each value between 0 and 1. series: names to lists of values for
    each of the groups; the series of a group stand side by side."""
    chart = _Chart(title, y_label, width, height, right=90)
    chart.y_axis([0, 0.25, 0.5, 0.75, 1], lambda y: y, "{:g}")
    slot = chart.inner / len(groups)
    for g, group in enumerate(groups):
        middle = _LEFT + (g + 0.5) * slot
        chart.text(middle, height - 26, group)
        for s, name in enumerate(series):
            x = middle + (s - (len(series) - 1) / 2) * slot * 0.24
            for n, value in enumerate(series[name][g]):
                # Beside each other, so that equal ones are seen.
                at = x + (n - (len(series[name][g]) - 1) / 2) * 2.5
                chart.dot(at, chart.at(value), _COLOURS[s])
    chart.legend(series)
    return chart.svg()


def lines(title, series, x_label, y_label, y_form="{:g}", x_log=True,
          y_log=True, width=720, height=340):
    """A line through the (x, y) of each series, on logarithmic axes or others.
    y_form: how y is written, a format or a function."""
    chart = _Chart(title, y_label, width, height, right=175)
    points = [point for line in series.values() for point in line]
    xs = sorted({x for x, _ in points})
    x_at = _scale(xs[0], xs[-1], x_log)
    ys = _ticks(min(y for _, y in points), max(y for _, y in points), y_log)
    chart.y_axis(ys, _scale(ys[0], ys[-1], y_log), y_form)
    for x in xs:
        chart.text(_LEFT + x_at(x) * chart.inner, height - 26, f"{x:g}")
    chart.text(_LEFT + chart.inner / 2, height - 8, x_label)
    for s, line in enumerate(series.values()):
        at = [(_LEFT + x_at(x) * chart.inner, chart.at(y)) for x, y in line]
        chart.line(at, _COLOURS[s % len(_COLOURS)])
        for x, y in at:
            chart.dot(x, y, _COLOURS[s % len(_COLOURS)])
    chart.legend(series)
    return chart.svg()


def _scale(low, high, log):
    """Values to [0, 1]."""
    turn = math.log if log else float
    span = turn(high) - turn(low) or 1.0
    return lambda x: (turn(x) - turn(low)) / span


def _ticks(low, high, log):
    if log:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return [10.0 ** n for n in range(first, max(last, first + 1) + 1)]
    unit = 10 ** math.floor(math.log10(high - low or 1))
    if (high - low) / unit < 3:
        unit /= 4
    first, last = math.floor(low / unit), math.ceil(high / unit)
    return [n * unit for n in range(first, max(last, first + 1) + 1)]


class _Chart:

    def __init__(self, title, y_label, width, height, right):
        self.inner = width - _LEFT - right
        self._width, self._height, self._at = width, height, None
        self._parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} '
            f'{height}" font-family="sans-serif" font-size="12">',
            f'<rect width="{width}" height="{height}" fill="white"/>']
        self.text(_LEFT + self.inner / 2, 18, title, weight="bold")
        y = (_TOP + height - _BOTTOM) / 2
        self._parts.append(
            f'<text transform="translate(14 {y:.1f}) rotate(-90)" '
            f'text-anchor="middle">{escape(y_label)}</text>')

    def y_axis(self, ticks, scale, form):
        """scale: values of y to [0, 1], up."""
        floor = self._height - _BOTTOM
        self._at = lambda y: floor - scale(y) * (floor - _TOP)
        write = form if callable(form) else form.format
        for y in ticks:
            self._parts.append(
                f'<line x1="{_LEFT}" x2="{_LEFT + self.inner}" '
                f'y1="{self.at(y):.1f}" y2="{self.at(y):.1f}" '
                f'stroke="#dddddd"/>')
            self.text(_LEFT - 6, self.at(y) + 4, write(y), anchor="end")

    def at(self, y):
        return self._at(y)

    def text(self, x, y, words, anchor="middle", weight="normal"):
        self._parts.append(
            f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
            f'font-weight="{weight}">{escape(words)}</text>')

    def dot(self, x, y, colour):
        self._parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" '
                           f'fill="{colour}" fill-opacity="0.75"/>')

    def line(self, points, colour):
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self._parts.append(f'<polyline points="{path}" fill="none" '
                           f'stroke="{colour}" stroke-width="1.5"/>')

    def legend(self, names):
        for n, name in enumerate(names):
            x, y = self._width - (self._width - _LEFT - self.inner) + 12, 44
            self.dot(x, y + 18 * n, _COLOURS[n % len(_COLOURS)])
            self.text(x + 9, y + 4 + 18 * n, name, anchor="start")

    def svg(self):
        return "\n".join([*self._parts, "</svg>"]) + "\n"
