# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The .mlir text of a case."""

from . import dtypes


def _tensor(shape, element):
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def _dims(case, *sizes):
    """Sizes as they are, or `?`; head sizes are always known."""
    return [n if case.static or n is None else "?" for n in sizes]


def attention(case, has_level, name="main"):
    """A function that takes the operands and returns output (and lse)."""
    b, hq, hk, hf, lq, lk = _dims(case, case.batch, case.hq, case.hk,
                                  case.field_heads, case.lq, case.lk)
    element, acc = case.dtype, dtypes.accumulator(case.dtype)
    types = {"q": _tensor([b, hq, lq, case.d], element),
             "k": _tensor([b, hk, lk, case.d], element),
             "v": _tensor([b, hk, lk, case.value_size], element)}
    clauses = ""
    if case.pattern:
        types["f"] = _tensor([b, hf, lk], acc)
        clauses += f" field(%f : {types['f']})"
        if has_level:
            types["l"] = types["f"]
            clauses += f" level(%l : {types['l']})"
    if case.packed is not None:
        n = _dims(case, len(case.packed) + 1)
        types["cq"] = types["ck"] = _tensor(n, "i64")
        clauses += (f" cu_seqlens(%cq, %ck : {types['cq']}, {types['ck']})")
    arguments = ", ".join(f"%{n}: {t}" for n, t in types.items())
    outs = [("o", _tensor([b, hq, lq, case.value_size], element))]
    if case.lse:
        outs.append(("s", _tensor([b, hq, lq], acc)))
    results = ", ".join(t for _, t in outs)
    lines = [f"func.func @{name}({arguments}) -> ({results}) {{"]
    sizes = ""
    if not case.static:
        for i in range(3):
            lines.append(f"  %c{i} = arith.constant {i} : index")
            lines.append(f"  %d{i} = tensor.dim %q, %c{i} : {types['q']}")
        sizes = "%d0, %d1, %d2"
    for n, t in outs:
        lines.append(f"  %{n}0 = tensor.empty({sizes}) : {t}")
    inits = ", ".join(f"%{n}0" for n, _ in outs)
    names = ", ".join(f"%{n}" for n, _ in outs)
    lines.append(
        f"  {names} = fpa.attention ins(%q, %k, %v : {types['q']}, "
        f"{types['k']}, {types['v']}){clauses} outs({inits} : {results})"
        f"{_attributes(case)} -> {results}")
    lines += [f"  return {names} : {results}", "}", ""]
    return "\n".join(lines)


def _attributes(case):
    given = []
    if case.scale is not None:
        given.append(f"scale = {case.scale!r} : f64")
    if case.window is not None:
        given.append(f"window = {case.window} : i64")
    if case.smooth is not None:
        given.append(f"smooth = {case.smooth!r} : f64")
    if case.non_increasing:
        given.append("non_increasing")
    return f" {{{', '.join(given)}}}" if given else ""


def prefix(op, shape, dtype, axis, reverse=False, exclusive=False,
           segment=None, index=False, static=False, name="main"):
    """A function of one tensor that returns its scan (and the indices)."""
    dims = shape if static else ["?"] * len(shape)
    source = _tensor(dims, dtype)
    outs = [("m", source)] + ([("i", _tensor(dims, "i64"))] if index else [])
    results = ", ".join(t for _, t in outs)
    lines = [f"func.func @{name}(%x: {source}) -> ({results}) {{"]
    sizes = []
    if not static:
        for i in range(len(shape)):
            lines.append(f"  %c{i} = arith.constant {i} : index")
            lines.append(f"  %d{i} = tensor.dim %x, %c{i} : {source}")
            sizes.append(f"%d{i}")
    for n, t in outs:
        lines.append(f"  %{n}0 = tensor.empty({', '.join(sizes)}) : {t}")
    flags = "".join([" reverse" * reverse, " exclusive" * exclusive,
                     f" segment({segment})" if segment else ""])
    inits = ", ".join(f"%{n}0" for n, _ in outs)
    names = ", ".join(f"%{n}" for n, _ in outs)
    lines.append(f"  {names} = fpa.{op} axis({axis}){flags} "
                 f"ins(%x : {source}) outs({inits} : {results}) -> {results}")
    lines += [f"  return {names} : {results}", "}", ""]
    return "\n".join(lines)
