# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Gradients must be the same bit for bit in every run on every thread count."""

import numpy as np

import fpa


def gradients(threads, heads, kv_heads, length):
    fpa.set_threads(threads)
    rng = np.random.default_rng(0)

    def normal(*shape):
        return rng.normal(size=shape).astype(np.float32)

    q, do = normal(1, heads, length, 32), normal(1, heads, length, 32)
    k, v = normal(1, kv_heads, length, 32), normal(1, kv_heads, length, 32)
    field = np.cumsum(normal(1, kv_heads, length), axis=-1)
    level = field + normal(1, kv_heads, length)
    o, lse = fpa.attention(q, k, v, field, level, return_lse=True)
    return fpa.attention_backward(q, k, v, field, level, o, lse, do)


for case in ((2, 1, 700), (4, 2, 333), (3, 3, 64)):
    first = [x.tobytes() for x in gradients(1, *case)]
    for threads in (1, 2, 3, 7):
        again = [x.tobytes() for x in gradients(threads, *case)]
        differ = [name for name, a, b in zip(
            ("dq", "dk", "dv", "dfield", "dlevel"), first, again) if a != b]
        print(f"{case} on {threads} threads: {differ or 'same'}")
