"""fpa.key_intervals and a linalg op as GPU kernels on the emulator."""

import numpy as np

from emulated import Module


def text(name, lq, lk, count, window):
    packed = (f"cu_seqlens(%cq, %ck : memref<{count}xi64>, "
              f"memref<{count}xi64>)" if count else "")
    parameters = (f"%cq: memref<{count}xi64>, %ck: memref<{count}xi64>, "
                  if count else "")
    attribute = f"{{window = {window} : i64}}" if window else ""
    return f"""
func.func @{name}({parameters}%f: memref<{lq}xi64>, %l: memref<{lq}xi64>) {{
  %lk = arith.constant {lk} : index
  fpa.key_intervals key_length(%lk) {packed}
    outs(%f, %l : memref<{lq}xi64>, memref<{lq}xi64>) {attribute}
  return
}}
"""


TURN = """
func.func @turn(%a: memref<20x30xf32>, %b: memref<30x20xf32>) {
  linalg.transpose ins(%a : memref<20x30xf32>) outs(%b : memref<30x20xf32>)
    permutation = [1, 0]
  return
}
"""


def sequence(lq, lk, window):
    for i in range(lq):
        last = max(-1, i + lk - lq)
        yield max(0, last - window + 1) if window else 0, last


def main():
    sizes = np.array([[100, 120], [0, 7], [3, 3], [200, 150], [5, 0]])
    cq, ck = (np.concatenate([[0], np.cumsum(sizes[:, i])]) for i in range(2))
    cases = [("plain", 300, 310, [], 0), ("short", 5, 3, [], 0),
             ("window", 513, 513, [], 64),
             ("packed", int(cq[-1]), int(ck[-1]), [cq, ck], 0),
             # Rows behind the last sequence see nothing.
             ("behind", int(cq[-1]) + 9, int(ck[-1]), [cq, ck], 17)]
    module = Module(
        "".join(text(name, lq, lk, len(cq) if given else 0, window)
                for name, lq, lk, given, window in cases) + TURN,
        ["--fpa-gpu-machine-pipeline", "--fpa-gpu-to-nvvm-pipeline"])
    for name, lq, lk, given, window in cases:
        first, last = np.zeros(lq, np.int64), np.zeros(lq, np.int64)
        module.call(name, given, [first, last])
        if given:
            want = [(f + k, l + k) for (q, n), k in zip(sizes, ck)
                    for f, l in sequence(q, n, window)]
            want += [(lk, lk - 1)] * (lq - len(want))
        else:
            want = list(sequence(lq, lk, window))
        got = list(zip(first.tolist(), last.tolist()))
        if got != want:
            raise SystemExit(f"{name}: expected {want}, got {got}")
    a = np.arange(600, dtype=np.float32).reshape(20, 30)
    b = np.zeros((30, 20), np.float32)
    module.call("turn", [a], [b])
    if not np.array_equal(b, a.T):
        raise SystemExit(f"turn: got {b}")
    print("intervals and loops on the emulator: ok")


main()
