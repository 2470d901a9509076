"""fpa.key_intervals, lowered and run, against the definition."""

import sys

import numpy as np

from compiled import Module

TEXT = "".join(f"""
func.func @plain{w}(%lk: index, %f: memref<?xi64>, %l: memref<?xi64>) {{
  fpa.key_intervals key_length(%lk)
    outs(%f, %l : memref<?xi64>, memref<?xi64>) {attribute}
  return
}}
func.func @packed{w}(%lk: index, %cq: memref<?xi64>, %ck: memref<?xi64>,
                     %f: memref<?xi64>, %l: memref<?xi64>) {{
  fpa.key_intervals key_length(%lk)
    cu_seqlens(%cq, %ck : memref<?xi64>, memref<?xi64>)
    outs(%f, %l : memref<?xi64>, memref<?xi64>) {attribute}
  return
}}
""" for w, attribute in [(0, ""), (1, "{window = 1 : i64}"),
                         (5, "{window = 5 : i64}")])


def sequence(lq, lk, window):
    """(first, last) of each row of one sequence."""
    for i in range(lq):
        last = max(-1, i + lk - lq)
        yield max(0, last - window + 1) if window else 0, last


def run(module, function, rows, *args):
    """Calls with outputs inside of a larger buffer, which must stay as it is."""
    first, last = (np.full(rows + 16, -77, np.int64) for _ in range(2))
    module.call(function, *args, first[8:8 + rows], last[8:8 + rows])
    for whole in (first, last):
        if (whole[:8] != -77).any() or (whole[8 + rows:] != -77).any():
            raise SystemExit(f"{function}: wrote out of bounds")
        if (np.diff(whole[8:8 + rows]) < 0).any():
            raise SystemExit(f"{function} {args}: falls: {whole}")
    return list(zip(first[8:8 + rows], last[8:8 + rows]))


def check_plain(module):
    for window in [0, 1, 5]:
        for lq, lk in [(0, 0), (0, 3), (1, 1), (7, 7), (3, 9), (9, 3), (4, 0)]:
            got = run(module, f"plain{window}", lq, lk)
            want = list(sequence(lq, lk, window))
            if got != want:
                raise SystemExit(f"plain window {window} {lq}x{lk}: expected "
                                 f"{want}, got {got}")


def check_packed(module, rng):
    for window in [0, 1, 5]:
        for _ in range(50):
            sequences = rng.integers(0, 9, (rng.integers(1, 6), 2))
            cq, ck = (np.concatenate([[0], np.cumsum(sequences[:, i])])
                      for i in range(2))
            want = [(f + k, l + k)
                    for (lq, lk), k in zip(sequences, ck)
                    for f, l in sequence(lq, lk, window)]
            got = run(module, f"packed{window}", int(cq[-1]), int(ck[-1]),
                      cq, ck)
            if got != want:
                raise SystemExit(f"packed window {window} {cq} {ck}: expected "
                                 f"{want}, got {got}")


def check_malformed(module, rng):
    """Nothing is written outside, every row is, and the keys are inside."""
    extremes = [-2**63, 2**63 - 1, -1, 0, 5, 1000]
    for _ in range(300):
        count = int(rng.integers(0, 6))
        cq = rng.integers(-3, 30, count)
        ck = rng.integers(-3, 30, count)
        if rng.random() < 0.5 and count:
            cq[rng.integers(count)] = extremes[rng.integers(6)]
            ck[rng.integers(count)] = extremes[rng.integers(6)]
        lk = int(rng.integers(0, 20))
        for first, last in run(module, "packed5", int(rng.integers(0, 20)), lk,
                               cq, ck):
            if not (0 <= first <= last + 1 <= lk):
                raise SystemExit(f"{cq} {ck} {lk}: got [{first}, {last}]")


def check_uncovered(module):
    """Rows before the first and after the last sequence see no key."""
    cq, ck = np.array([2, 4]), np.array([1, 3])
    got = run(module, "packed0", 6, 5, cq, ck)
    want = [(0, -1), (0, -1), (1, 1), (1, 2), (3, 2), (3, 2)]
    if got != want:
        raise SystemExit(f"uncovered rows: expected {want}, got {got}")


def main():
    options = sys.argv[1] if len(sys.argv) > 1 else ""
    module = Module(TEXT, [f"--convert-fpa-key-intervals-to-scf={options}"])
    rng = np.random.default_rng(1)
    check_plain(module)
    check_packed(module, rng)
    check_malformed(module, rng)
    check_uncovered(module)
    print("key intervals: ok")


main()
