# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compiles layer.mlir and runs it over the tokens of a C++ source file.

Two checks; the exit status of run.py is not zero when one fails:

1. The layer's output equals the float64 reference.
2. At every position of the file, the keys that the compiled attention does not
   penalise are those of the enclosing scopes, found by plain parsing: a key is
   live as long as the brackets it stands in are open. An opening bracket stands
   in the scope it opens, a closing one in the scope that goes on after it.

Writes FOLDER/penalty.png, and the layer's text at every level of the compiler
to FOLDER. Python only prepares, checks and shows.
"""

import glob
import os
import re
import shutil
import subprocess
import sys
import time
import zlib

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
sys.path[:0] = [HERE, os.path.join(ROOT, "build", "python")]

import fpa  # noqa: E402
from tokens import open_scopes  # noqa: E402

WIDTH, HEADS, KEY_HEADS, HEAD_SIZE = 128, 4, 2, 32
# The pass after which a level can be seen.
LEVELS = [("2-streaming", "fpa-tile-attention"),
          ("3-tile-program", "loop-invariant-subset-hoisting"),
          ("4-buffers", "one-shot-bufferize"),
          ("5-machine", "fpa-outline-parallel")]
STRENGTH = np.float32([4.0, 1.0])  # logits per level of depth, per key head


def layer_inputs(tokens):
    """What the layer is called with. A token's vector is drawn from its text,
    so that the same word is the same vector everywhere."""
    vectors = [np.random.default_rng(zlib.crc32(t.text.encode())).normal(
        size=WIDTH) for t in tokens]
    steps = np.float32([t.step for t in tokens])
    rng = np.random.default_rng(0)
    weights = [rng.normal(size=(WIDTH, n)) / np.sqrt(WIDTH)
               for n in (WIDTH, KEY_HEADS * HEAD_SIZE, KEY_HEADS * HEAD_SIZE,
                         WIDTH)]
    arrays = [np.reshape(vectors, (-1, WIDTH)), steps, STRENGTH, *weights]
    return [np.ascontiguousarray(x, np.float32) for x in arrays]


def reference_layer(x, steps, strength, w_q, w_k, w_v, w_o):
    """The layer in float64, by the definition of the attention."""
    x, w_q, w_k, w_v, w_o = (a.astype(np.float64)
                             for a in (x, w_q, w_k, w_v, w_o))

    def heads(y):
        return y.reshape(len(x), -1, HEAD_SIZE).transpose(1, 0, 2)[None]

    field = strength[None, :, None] * np.cumsum(steps)[None, None, :]
    o, _ = fpa.reference.attention(heads(x @ w_q), heads(x @ w_k),
                                   heads(x @ w_v), field)
    return x + o[0].transpose(1, 0, 2).reshape(len(x), WIDTH) @ w_o


def compiled_penalty(steps, strength):
    """The penalty [L, L] that the compiled attention applies, seen from
    outside: with q = 0 the weights are exp(-penalty) / sum, and with unit
    vectors as values the output is the weights. NaN after the query."""
    length = len(steps)
    block = 64
    heads = -(-length // block)
    zero = np.zeros((1, heads, length, 8), np.float32)
    value = np.zeros((heads * block, length), np.float32)
    np.fill_diagonal(value, 1)
    value = value.reshape(heads, block, length).transpose(0, 2, 1)[None]
    field = np.broadcast_to(strength * fpa.prefix_sum(steps),
                            (1, heads, length))
    weights = fpa.attention(zero, zero, value, field)
    weights = weights[0].transpose(1, 0, 2).reshape(length, -1)[:, :length]
    with np.errstate(divide="ignore"):
        penalty = np.log(np.diag(weights)[:, None] / weights)
    return np.where(np.tri(length, dtype=bool), penalty, np.nan)


def check_scopes(tokens, penalty, step):
    """Compares the unpenalised keys with the enclosing scopes at every
    position; returns how many positions differ."""
    wrong = 0
    for position in range(len(tokens)):
        expected = sorted(sum(open_scopes(tokens, position), []))
        got = np.flatnonzero(penalty[position, :position + 1] < step / 2)
        if expected != got.tolist():
            wrong += 1
            if wrong == 1:
                differ = sorted(set(expected) ^ set(got.tolist()))
                print(f"  wrong at position {position}, line "
                      f"{tokens[position].line}: keys {differ[:10]}")
    return wrong


def show_position(tokens, lines, position, live):
    """Prints the keys that the query at `position` sees unpenalised."""
    token = tokens[position]
    print(f"\nline {token.line}, `{token.text}`: {len(live)} of {position + 1} "
          f"keys are not penalised")
    by_line = {}
    for key in live:
        by_line.setdefault(tokens[key].line, []).append(key)
    shown = sorted(by_line)
    if len(shown) > 12:
        print(f"   ... {len(shown) - 12} lines before")
    for line in shown[-12:]:
        keys = by_line[line]
        text = " ".join(tokens[k].text for k in keys)
        print(f"  {line:4}: {text if len(text) < 90 else text[:87] + '...'}")


def write_levels(folder):
    """Writes the layer's text after every pass of the CPU pipeline to
    folder/passes, and that of each level to folder/<level>.mlir."""
    source = os.path.join(HERE, "layer.mlir")
    passes = os.path.join(folder, "passes")
    shutil.rmtree(passes, ignore_errors=True)
    subprocess.run(
        [os.path.join(ROOT, "build", "bin", "fpa-opt"), source, "--inline",
         "--symbol-dce", "--fpa-cpu-pipeline", "--mlir-disable-threading",
         "--mlir-print-ir-after-all", "--mlir-print-ir-after-change",
         "--mlir-print-ir-module-scope", f"--mlir-print-ir-tree-dir={passes}",
         "-o", os.path.join(folder, "6-llvm.mlir")], check=True)
    shutil.copy(source, os.path.join(folder, "1-graph.mlir"))
    for level, name in LEVELS:
        found = glob.glob(os.path.join(passes, "**", f"*_{name}.mlir"),
                          recursive=True)
        if not found:
            raise RuntimeError(f"expected the pipeline to run {name}")
        # Files are named NUMBER_PASS, or NUMBER_NUMBER_PASS in a function.
        last = max(found, key=lambda path: [
            int(n) for n in re.findall(r"\d+(?=_)", os.path.basename(path))])
        shutil.copy(last, os.path.join(folder, level + ".mlir"))


def run(path, source, tokens, out):
    """Runs the layer over the tokens of the text `source` of the file `path`,
    and writes into the folder `out`. Returns whether all is right."""
    arrays = layer_inputs(tokens)
    depth = np.cumsum(arrays[1])
    print(f"{os.path.relpath(path, ROOT)}: {len(tokens)} tokens, "
          f"brackets up to {int(depth.max())} deep")

    start = time.perf_counter()
    with open(os.path.join(HERE, "layer.mlir"), encoding="utf-8") as file:
        layer = fpa.compile(file.read())
    compiled = time.perf_counter()
    output = layer(*arrays)
    ran = time.perf_counter()
    print(f"layer.mlir: compiled in {compiled - start:.2f} s, ran in "
          f"{ran - compiled:.3f} s on {fpa.get_threads()} threads")

    expected = reference_layer(*arrays)
    error = np.abs(output - expected).max() / np.abs(expected).max()
    good = bool(error < 1e-5)
    print(f"output against the float64 reference: largest error {error:.1e} of "
          f"the largest value, {'ok' if good else 'WRONG'} (limit 1e-05)")

    penalty = compiled_penalty(arrays[1], STRENGTH[0])
    wrong = check_scopes(tokens, penalty, STRENGTH[0])
    print(f"unpenalised keys against the enclosing scopes: "
          f"{len(tokens) - wrong} of {len(tokens)} positions equal, "
          f"{'ok' if not wrong else 'WRONG'}")

    deepest = [int(p) for p in np.argsort(-depth, kind="stable")[:1]]
    for position in sorted({len(tokens) // 4, *deepest, len(tokens) * 3 // 4}):
        live = np.flatnonzero(penalty[position, :position + 1]
                              < STRENGTH[0] / 2)
        show_position(tokens, source, position, live)

    picture = os.path.join(out, "penalty.png")
    fpa.plot.penalty_matrix(picture, penalty, STRENGTH[0])
    write_levels(out)
    print(f"\nthe picture of the penalty is {os.path.relpath(picture)}\n"
          f"the layer's text, level by level:")
    for name in sorted(os.listdir(out)):
        if name.endswith(".mlir"):
            with open(os.path.join(out, name), encoding="utf-8") as file:
                count = sum(1 for _ in file)
            print(f"  {os.path.relpath(os.path.join(out, name))}: "
                  f"{count} lines")
    return good and not wrong
