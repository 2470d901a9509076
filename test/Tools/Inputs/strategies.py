"""Checks a list of strategies by what every chip has, counted again here: the
tiles alone must fit into shared memory and registers."""

import re
import sys

SHARED = {"sm_80": 163, "sm_86": 99, "sm_89": 99, "sm_90": 227, "sm_100": 227,
          "sm_120": 99}

LINE = re.compile(
    r"(sm_\d+) (b?f16|f32) head (\d+) value-head (\d+): query-tile=(\d+) "
    r"key-tile=(\d+) edge-tile=(\d+) warps=(\d+) stages=(\d+) \((\d+) bytes "
    r"shared, (\d+) registers, (\d+) blocks resident\)")


def check(line):
    match = LINE.fullmatch(line)
    if not match:
        return "no strategy"
    chip, kind = match[1], match[2]
    (head, value, query, key, edge, warps, stages, shared, registers,
     blocks) = map(int, match.groups()[2:])
    size = 4 if kind == "f32" else 2
    tiles = size * (query * head + stages * key * (head + value))
    accumulator = query * (value + key) // (32 * warps)
    if query % (16 * warps) or key % edge or edge % 16:
        return "tiles that do not divide"
    if not tiles <= shared <= SHARED[chip] * 1024:
        return f"{tiles} bytes of tiles"
    if not accumulator < registers <= 255:
        return f"{accumulator} registers of sums"
    if blocks < 1 or blocks * warps * registers * 32 > 65536:
        return "no room on a multiprocessor"
    return None


def main():
    lines = sys.stdin.read().splitlines()
    seen = {tuple(line.split(" ")[:2]) for line in lines}
    wanted = {(chip, kind) for chip in SHARED for kind in ("f16", "bf16", "f32")}
    if seen != wanted:
        raise SystemExit(f"expected {wanted}, got {seen}")
    # Every head size has one.
    for chip, kind in wanted:
        for head in range(16, 257, 16):
            start = f"{chip} {kind} head {head} value-head {head}:"
            if not any(line.startswith(start) for line in lines):
                raise SystemExit(f"expected a strategy of {start}")
    for line in lines:
        problem = check(line)
        if problem:
            raise SystemExit(f"{line}: {problem}")
    print(f"{len(lines)} strategies: ok")


main()
