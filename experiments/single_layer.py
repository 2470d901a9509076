#!/usr/bin/env python3
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One attention layer with one head learns which keys are live, from the mean of
their payloads alone; tested at its training's length and at longer ones."""

import jobs
import layers
import stack_tasks
import torch
from stock_attention import StockAttention
from torch import nn

import fpa

FPA = ("walk", "free", "mix")


class Model(nn.Module):
    """Tokens and payloads to estimates of the live keys' mean payload."""

    def __init__(self, kind, symbols, settings, stock=False):
        super().__init__()
        width, payload = settings["width"], settings["payload"]
        self.embed = nn.Embedding(symbols, width)
        self.carry = nn.Linear(payload, width, bias=False)
        options = {"gate_bias": settings["gate_bias"]} if kind == "fox" else {}
        self.attention = layers.attention(
            kind, width, 1, head_dim=settings["head_dim"],
            v_head_dim=settings["value_dim"], bias=True, **options)
        if stock:  # the same parameters, computed by stock PyTorch
            self.attention.__class__ = StockAttention
        self.read = nn.Linear(width, payload)
        self.absolute = kind == "absolute"

    def inputs(self, tokens, payloads):
        """What the attention layer is given, [B, L, width]."""
        x = self.embed(tokens) + self.carry(payloads)
        if self.absolute:
            x = x + layers.positions(x.shape[1], x.shape[2])
        return x

    def forward(self, tokens, payloads):
        return self.read(self.attention(self.inputs(tokens, payloads)))


def list_jobs(settings):
    """All variants; then the one that fits each task on more seeds, and with
    values no wider than the payload, by our kernels and by stock PyTorch."""
    seeds, fits = settings["seeds"], settings["fits"].items()
    return [
        *[{"task": task, "kind": kind, "seed": seed}
          for task in stack_tasks.TASKS for seed in seeds
          for kind in settings["kinds"]],
        *[{"task": task, "kind": kind, "seed": seed}
          for task, kind in fits for seed in settings["more_seeds"]],
        *[{"task": task, "kind": kind, "seed": seed, "narrow": code}
          for task, kind in fits for seed in settings["narrow_seeds"]
          for code in ("fpa", "stock")]]


def run(job, settings):
    """Trains one model; its last loss, and exact at each length."""
    torch.manual_seed(job["seed"])
    generator = torch.Generator().manual_seed(1000 + job["seed"])
    if "narrow" in job:
        settings = {**settings, "value_dim": settings["payload"]}
    model = Model(job["kind"], stack_tasks.TASKS[job["task"]][1], settings,
                  stock=job.get("narrow") == "stock")
    losses = train(model, job, settings, generator)
    row = {"loss": sum(losses[-20:]) / len(losses[-20:])}
    # Of its own, so that all models of a seed see the same test.
    generator.manual_seed(2000 + job["seed"])
    for times in settings["test_lengths"]:
        row[f"exact_{times}x"] = test(model, job["task"], times, settings,
                                      generator)
    return row


def train(model, job, settings, generator):
    """The losses of all steps."""
    learned = job["kind"] in FPA
    steps = settings["steps" if learned else "baseline_steps"]
    adam = torch.optim.Adam(model.parameters(), lr=settings["rate"])
    rates = torch.optim.lr_scheduler.SequentialLR(adam, [
        torch.optim.lr_scheduler.LinearLR(
            adam, 1 / settings["warm_up"], total_iters=settings["warm_up"]),
        torch.optim.lr_scheduler.CosineAnnealingLR(
            adam, steps - settings["warm_up"], 0.05 * settings["rate"])],
        [settings["warm_up"]])
    schedule = fpa.nn.SmoothSchedule(
        model, steps, stages=settings["stages"]) if learned else None
    losses = []
    for _ in range(steps):
        tokens, payloads, live, target = stack_tasks.batch(
            job["task"], settings["batch"], settings["length"],
            settings["payload"], generator)
        error = (model(tokens, payloads) - target).square().mean(-1)
        # A mean of many varies less than one of few.
        loss = (live.sum(-1) * error).mean()
        adam.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        adam.step()
        rates.step()
        if schedule:
            schedule.step()
        losses.append(loss.item())
    return losses


@torch.no_grad()
def test(model, task, times, settings, generator):
    """exact over `test_rows` rows of sequences `times` as long as in training."""
    length = times * settings["length"]
    count = -(-settings["test_rows"] // length)
    tokens, payloads, live, _ = stack_tasks.batch(
        task, count, length, settings["payload"], generator)
    weights = layers.weights(model.attention, model.inputs(tokens, payloads))
    return stack_tasks.exact(weights[:, 0], live)


if __name__ == "__main__":
    jobs.main("single_layer", list_jobs, run, __doc__)
