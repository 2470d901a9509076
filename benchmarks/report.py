# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table that a person reads."""


def _seconds(x):
    return f"{x * 1e3:.1f} ms" if x < 10 else f"{x:.2f} s"


def _bytes(x):
    if x is None:
        return "?"
    for unit in ("B", "KiB", "MiB", "GiB"):
        if abs(x) < 1024 or unit == "GiB":
            return f"{x:.0f} {unit}" if unit == "B" else f"{x:.1f} {unit}"
        x /= 1024
    return "?"


_FIXED = ("name", "group", "threads", "compile_s", "median_s", "min_s", "runs",
          "workspace_bytes", "growth_bytes", "process_peak_bytes", "problem",
          "gflops", "probe_gflops", "probe_lanes", "peak_share",
          "gbytes_per_s", "probe_copy_gbytes_per_s",
          "probe_read_gbytes_per_s", "copy_share", "read_share")


def _row(r):
    if "gflops" in r:
        rate = f"{r['gflops']:.1f} GFLOP/s"
        probe = f"{r['probe_gflops']:.1f} (x{r['probe_lanes']})"
        share = r["peak_share"]
    elif "read_share" in r:
        rate = f"{r['gbytes_per_s']:.2f} GB/s"
        probe = f"{r['probe_read_gbytes_per_s']:.2f} read"
        share = r["read_share"]
    else:
        rate = f"{r['gbytes_per_s']:.2f} GB/s"
        probe, share = "", None
        if "copy_share" in r:
            probe = f"{r['probe_copy_gbytes_per_s']:.2f} copy"
            share = r["copy_share"]
    ratios = ", ".join(f"{k} {v:.3f}" for k, v in r.items() if k not in _FIXED)
    return [r["name"], str(r["threads"]), _seconds(r["compile_s"]),
            _seconds(r["median_s"]), _seconds(r["min_s"]), rate, probe,
            "" if share is None else f"{share:.3f}",
            _bytes(r["workspace_bytes"]), ratios]


def table(records, processor):
    head = ["case", "threads", "compile", "median", "min", "rate", "probe",
            "share", "workspace", "ratios"]
    rows = [head] + [_row(r) for r in records]
    widths = [max(len(row[i]) for row in rows) for i in range(len(head))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths)).rstrip()
             for row in rows]
    lines.insert(1, "-" * len(lines[0]))
    return "\n".join([f"on {processor}", *lines])
