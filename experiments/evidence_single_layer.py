# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The section on one layer that learns which keys are live."""

import charts
import results
from evidence import (NAMES, Claim, Section, picture, source, spread, table,
                      verdict)

_TASKS = {"push_pop": "A, push and pop", "dips": "B, dips"}
# The variant whose field has the shape of the task.
_FITS = {"push_pop": "walk", "dips": "free"}
_BASELINES = ("fox", "none", "absolute", "alibi", "rope")

_TEXT = """\
Each token carries a payload of 16 normal numbers; the target at each position is the mean payload
of the keys that are live there, and nothing else is trained on. Task A: tokens push or pop, live
are the pushes that no pop has taken back. Task B: tokens have heights, live is what nothing since
has been lower than. One layer with one head of width {head_dim}, trained on {length} tokens;
`exact` is the share of rows in which the keys with more than half of an even share of the weight
are exactly the live ones. FPA trains for {steps} steps with the smooth penalty at first, the
baselines for {baseline_steps}. Every seed is a dot; the table has the least and the most of seeds
{seeds}, of the variant that fits also {more_seeds}.

{pictures}

{table}

{source}

No variant is best at both: a walk fits what goes up and comes down again, free fields and levels
fit heights. Their sum, mix, learns both tasks at the training's length; at {longest}x it has
{mix} (why was not looked into; a walk that is not quite flat would do it). What FoX, ALiBi and
the positions score is what can be had where sets are small.

Values here are {value_dim} wide, more than the payload. With {payload}, no more than it, {stuck}
of {narrow_count} seeds end below .99 at {longest}x ({narrow}): their weights show a dimension of
the payload that is not carried (walk), and two rare heights in the wrong order (free). That is
the recipe, not the kernels: stock PyTorch from the same seeds, with the same penalties as a mask,
ends where they do, exact within {exact_off:.1g} and the loss within {loss_off:.1g}.
"""


def _narrow(record, task):
    """Pairs of rows by our kernels and by stock PyTorch."""
    rows = [row for row in record["rows"]
            if row["task"] == task and "narrow" in row]
    return list(zip(*[[row for row in rows if row["narrow"] == code]
                      for code in ("fpa", "stock")]))


def _narrow_words(record, longest):
    """Of the runs whose values are no wider than the payload."""
    key = f"exact_{longest}x"
    pairs = {task: _narrow(record, task) for task in _TASKS}
    ends = {task: [ours[key] for ours, _ in pairs[task]] for task in _TASKS}
    every = [pair for task in pairs.values() for pair in task]
    return {
        "narrow": "; ".join(f"{NAMES[_FITS[task]]} on task {_TASKS[task][0]} "
                            f"{spread(ends[task])}" for task in _TASKS),
        "stuck": sum(x < 0.99 for task in ends.values() for x in task),
        "narrow_count": len(every), "longest": longest,
        "exact_off": max(abs(ours[key] - stock[key]) for ours, stock in every),
        "loss_off": max(abs(ours["loss"] - stock["loss"])
                        for ours, stock in every)}


def section():
    record = results.load("single_layer")
    times = record["settings"]["test_lengths"]

    def exact(task, kind, at):
        return [row[f"exact_{at}x"] for row in record["rows"]
                if row["task"] == task and row["kind"] == kind
                and "narrow" not in row]

    kinds = record["settings"]["kinds"]
    rows = [[NAMES[kind], *[spread(exact(task, kind, at)) for task in _TASKS
                             for at in times]] for kind in kinds]
    head = ["exact", *[f"{words[0]} {at}x" for words in _TASKS.values()
                       for at in times]]
    images = {f"evidence-{task.replace('_', '-')}.svg": charts.dots(
        f"Task {words}: rows whose attended keys are exactly the live ones",
        [NAMES[kind] for kind in kinds],
        {f"{at}x length": [exact(task, kind, at) for kind in kinds]
         for at in times}, "exact") for task, words in _TASKS.items()}
    ends = (times[0], times[-1])
    worst = min(x for task, kind in _FITS.items() for at in ends
                for x in exact(task, kind, at))
    best = max(x for task in _TASKS for kind in _BASELINES
               for x in exact(task, kind, times[0]))
    claims = [
        Claim("one layer finds the set of live keys on every seed, where the "
              "variant fits the task: exact at least .99 at 1x and 8x",
              f"least of all seeds {worst:.3f}", verdict(worst >= 0.99)),
        Claim("softmax with positions or without, ALiBi and FoX do not, on any "
              "seed", f"most of all seeds {best:.3f} at 1x",
              verdict(best < 0.9))]
    settings = record["settings"]
    text = _TEXT.format(
        **{key: settings[key] for key in (
            "head_dim", "length", "steps", "baseline_steps", "value_dim",
            "payload")},
        **{key: f"{settings[key][0]} to {settings[key][-1]}"
           for key in ("seeds", "more_seeds")},
        **_narrow_words(record, times[-1]),
        pictures="\n".join(picture(name, "exact by variant, a dot for each "
                                   "seed") for name in images),
        table=table(head, rows), source=source(record),
        mix=" and ".join(f"{spread(exact(task, 'mix', times[-1]))} on task "
                      f"{words[0]}"
                      for task, words in _TASKS.items()))
    return Section("One layer, one head: the set of live keys", claims, text,
                   images)
