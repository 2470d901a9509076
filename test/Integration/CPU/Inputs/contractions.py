"""Products of matrices, written in linalg in many ways and compiled, against
NumPy's in float64. Prints how many were right."""

import sys

import numpy as np

import fpa

# (dimensions of the factors and of the result, sizes); capital letters have a
# size that is known at run time only.
CASES = [
    ("Mk,kn->Mn", dict(M=1, k=100, n=70)),
    ("Mk,kn->Mn", dict(M=200, k=100, n=300)),
    ("MK,KN->MN", dict(M=65, K=129, N=130)),
    ("MK,KN->MN", dict(M=0, K=5, N=7)),
    ("MK,KN->MN", dict(M=5, K=0, N=7)),
    ("mk,kn->mn", dict(m=128, k=256, n=256)),
    ("mk,kn->mn", dict(m=1, k=1, n=1)),
    ("mk,kn->mn", dict(m=1, k=300, n=129)),
    ("mk,kn->mn", dict(m=3, k=7, n=1)),
    ("mk,nk->mn", dict(m=130, k=140, n=150)),   # a weight of torch's Linear
    ("km,kn->mn", dict(m=70, k=80, n=90)),
    ("km,nk->nm", dict(m=70, k=80, n=90)),
    ("Bmk,Bkn->Bmn", dict(B=3, m=20, k=30, n=40)),
    ("BLd,ed->BLe", dict(B=2, L=33, d=48, e=64)),
    ("bLhd,hde->bLe", dict(b=1, L=20, h=3, d=16, e=24)),  # two contracted
    ("bhLd,bhMd->bhLM", dict(b=2, h=3, L=17, d=8, M=19)),
    ("Lbd,bde->bLe", dict(b=2, L=9, d=5, e=6)),
    ("mk,knp->mnp", dict(m=9, k=5, n=3, p=6)),
    ("mk,kn->nm", dict(m=9, k=130, n=140)),
    ("k,kn->n", dict(k=30, n=20)),               # left alone
    ("mk,k->m", dict(k=30, m=20)),
]
TYPES = {"f32": np.float32, "f64": np.float64, "f16": np.float16}


def tensor(dims, sizes, element):
    return "tensor<" + "".join(
        f"{'?' if d.isupper() else sizes[d]}x" for d in dims) + element + ">"


def module(expression, sizes, element, total):
    (x, y), z = expression.split("->")[0].split(","), expression.split("->")[1]
    loops = sorted(set(x + y + z), key=(z + x + y).index)
    names = {d: f"d{i}" for i, d in enumerate(loops)}
    maps = ", ".join(
        f"affine_map<({', '.join(names[d] for d in loops)}) -> "
        f"({', '.join(names[d] for d in side)})>" for side in (x, y, z))
    kinds = ", ".join('"parallel"' if d in z else '"reduction"' for d in loops)
    tx, ty = tensor(x, sizes, element), tensor(y, sizes, element)
    tz = tensor(z, sizes, total)
    widen = "".join(
        f"    %w{v} = arith.extf %{v} : {element} to {total}\n" for v in "xy"
    ) if element != total else ""
    used = ("%wx", "%wy") if widen else ("%x", "%y")
    # The result starts from what is given, so that adding to it is seen.
    return f"""
func.func @main(%a: {tx}, %b: {ty}, %c: {tz}) -> {tz} {{
  %r = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}}
    ins(%a, %b : {tx}, {ty}) outs(%c : {tz}) {{
  ^bb0(%x: {element}, %y: {element}, %z: {total}):
{widen}    %p = arith.mulf {used[0]}, {used[1]} : {total}
    %s = arith.addf %z, %p : {total}
    linalg.yield %s : {total}
  }} -> {tz}
  return %r : {tz}
}}
"""


def check(expression, sizes, element):
    rng = np.random.default_rng(1)
    total = "f64" if element == "f64" else "f32"
    sides = expression.replace("->", ",").split(",")
    a, b, c = (rng.standard_normal([sizes[d] for d in side]).astype(TYPES[t])
               for side, t in zip(sides, (element, element, total)))
    got = fpa.compile(module(expression, sizes, element, total))(a, b, c)
    want = c.astype("f8") + np.einsum(expression, a.astype("f8"), b.astype("f8"))
    depth = max(1, a.size // max(1, min(a.shape, default=1)))
    bound = np.finfo(TYPES[total]).eps * 4 * np.sqrt(depth)
    scale = np.abs(c) + np.einsum(expression, np.abs(a.astype("f8")),
                                  np.abs(b.astype("f8")))
    return got.shape == want.shape and bool(
        np.all(np.abs(got - want) <= bound * scale))


right = 0
for expression, sizes in CASES:
    for element in TYPES:
        if check(expression, sizes, element):
            right += 1
        else:
            print("wrong:", expression, sizes, element)
print(f"{right} of {len(CASES) * len(TYPES)} products are right")
sys.exit(right != len(CASES) * len(TYPES))
