# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table of gpu_check.py."""

BACKENDS = ["flash", "cudnn", "efficient"]
BACKWARD = ["attention backward", "causal backward", "flash backward"]


def tflops(row, milliseconds):
    """Of the products of causal attention, two for each key a row sees."""
    products = (4 * row["batch"] * row["heads"] * row["head"] *
                row["length"] * (row["length"] + 1) / 2)
    return products / milliseconds / 1e9


def progress(row):
    return (f"{row['type']:>5} D {row['head']:3} L {row['length']:5}: "
            f"{row['fpa']:.3f} ms, error {row['error']:.2f}")


def is_right(row, most, most_of_gradients):
    return (row["error"] <= most and
            row.get("gradient error", 0) <= most_of_gradients)


def _milliseconds(value):
    return "-" if value is None else f"{value:.3f}"


def _cells(row, most, most_of_gradients):
    known = [row[b] for b in BACKENDS if row.get(b) is not None]
    right = row["error"] <= most
    gradient = row.get("gradient error")
    return [row["type"], str(row["head"]), str(row["length"]),
            f"{row['batch']}x{row['heads']}",
            f"{row['error']:.2f}" + ("" if right else " WRONG"),
            _milliseconds(row["fpa"]), f"{tflops(row, row['fpa']):.1f}",
            _milliseconds(row["causal"]),
            f"{row['fpa'] / row['causal']:.3f}",
            *(_milliseconds(row.get(b)) for b in BACKENDS),
            f"{min(known) / row['fpa']:.2f}" if known else "-",
            "-" if gradient is None else f"{gradient:.2f}" + (
                "" if gradient <= most_of_gradients else " WRONG"),
            *(_milliseconds(row.get(name)) for name in BACKWARD)]


def render(report, most, most_of_gradients):
    """Everything that is worth copying, the table last."""
    lines = [f"{report['gpu']} (sm_{report['capability']}), packages for "
             f"{report['chip']}, PyTorch {report['torch']}, seed "
             f"{report['seed']}, {report['seconds']:.0f} s"]
    lines += [f"problem: {problem}" for problem in report["problems"]]
    lines += ["ms: fpa with a field, fpa without (causal), PyTorch's back ends "
              "without; best = fastest of those / fpa; grad: its error, and ms "
              "of the gradients alone, fpa's with and without, flash attention's"]
    head = ["type", "D", "L", "BxH", "error", "fpa", "TFLOP/s", "causal",
            "fpa/causal", *BACKENDS, "best", "grad", "fpa'", "causal'", "flash'"]
    table = [head] + [_cells(row, most, most_of_gradients)
                      for row in report["rows"]]
    widths = [max(len(line[i]) for line in table) for i in range(len(head))]
    lines += ["  ".join(cell.rjust(width)
                        for cell, width in zip(line, widths)).rstrip()
              for line in table]
    return "\n".join(lines)
