# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The .mlir text of a case."""

import re


def _tensor(shape, element):
    return "tensor<" + "".join(f"{n}x" for n in shape) + element + ">"


def _dims(case, *sizes):
    """Sizes as they are, or `?`; head sizes are always known."""
    return [n if case.static or n is None else "?" for n in sizes]


def _shapes(case):
    """Sizes and element type of what attention and its gradients take."""
    b, hq, hk, hf, lq, lk = _dims(case, case.batch, case.hq, case.hk,
                                  case.field_heads, case.lq, case.lk)
    shapes = {"query": [b, hq, lq, case.d], "key": [b, hk, lk, case.d],
              "value": [b, hk, lk, case.value_size],
              "output": [b, hq, lq, case.value_size], "lse": [b, hq, lq],
              "output_gradient": [b, hq, lq, case.value_size],
              "lse_gradient": [b, hq, lq],
              "field": [b, hf, lk], "level": [b, hf, lk]}
    if case.smooth_given:
        shapes["smooth"] = []
    if case.packed is not None:
        bounds = _dims(case, len(case.packed) + 1)
        shapes["cu_seqlens_q"] = shapes["cu_seqlens_k"] = bounds
    return {name: (shape, case.stored_type(name))
            for name, shape in shapes.items()}


def _inits(lines, shapes, names):
    """Lines that make an uninitialised tensor %NAME0 for each name, of the size
    of the operand it is given; their types by name."""
    types = {}
    for name, like in names.items():
        shape, element = shapes[like]
        types[name] = _tensor(shape, element)
        sizes = []
        # An output has no operand to ask for its size.
        source = "query" if like in ("output", "lse") else like
        for i in range(3):
            if shape[i] == "?":
                sizes.append(f"%{name}{i + 1}")
                lines += [f"  %{name}_{i} = arith.constant {i} : index",
                          f"  {sizes[-1]} = tensor.dim %{source}, %{name}_{i}"
                          f" : {_tensor(*shapes[source])}"]
        lines.append(f"  %{name}0 = tensor.empty({', '.join(sizes)}) "
                     f": {types[name]}")
    return types


def _clause(word, shapes, given, *names):
    """` word(%a, %b : types)`, or nothing where %a is not given."""
    if names[0] not in given:
        return ""
    return (f" {word}({', '.join('%' + n for n in names)} : "
            f"{', '.join(_tensor(*shapes[n]) for n in names)})")


def _call(lines, case, op, clauses, types):
    """The line of an op that returns tensors of `types` by name."""
    results = ", ".join(types.values())
    inits = ", ".join(f"%{n}0" for n in types)
    lines.append(f"  {', '.join('%' + n for n in types)} = fpa.{op}{clauses} "
                 f"outs({inits} : {results}){_attributes(case)} -> {results}")


def _function(name, shapes, given, lines, types):
    arguments = ", ".join(f"%{n}: {_tensor(*shapes[n])}" for n in given)
    results = ", ".join(types.values())
    return "\n".join(
        [f"func.func @{name}({arguments}) -> ({results}) {{", *lines,
         f"  return {', '.join('%' + n for n in types)} : {results}", "}", ""])


def _operands(shapes, given):
    return (_clause("ins", shapes, given, "query", "key", "value") +
            _clause("field", shapes, given, "field") +
            _clause("level", shapes, given, "level") +
            _clause("cu_seqlens", shapes, given, "cu_seqlens_q",
                    "cu_seqlens_k") +
            _clause("smooth", shapes, given, "smooth"))


def attention(case, given, name="main"):
    """A function that takes the operands `given` and returns output and, if the
    case wants it, lse."""
    shapes, lines = _shapes(case), []
    names = {"output": "output", **({"lse": "lse"} if case.lse else {})}
    if case.lse and case.prune is not None:
        names["dropped"] = "lse"
    types = _inits(lines, shapes, names)
    _call(lines, case, "attention", _operands(shapes, given), types)
    same = dict(case.same)
    text = _function(name, shapes, [n for n in given if n not in same], lines,
                     types)
    # A tensor in two roles is one parameter.
    for one, other in same.items():
        text = re.sub(rf"%{one}\b", f"%{other}", text)
    return text


def attention_backward(case, given, name="main"):
    """A function that takes the operands `given` and returns the case's
    gradients; computes output and lse if they are not given."""
    shapes, lines = _shapes(case), []
    if "lse" not in given:
        saved = _inits(lines, shapes, {"output": "output", "lse": "lse"})
        _call(lines, case, "attention", _operands(shapes, given), saved)
    types = _inits(lines, shapes, case.gradients(given))
    known = [*given, "output", "lse"]
    clauses = (_operands(shapes, given) +
               _clause("saved", shapes, known, "output", "lse") +
               _clause("gradient", shapes, given, "output_gradient") +
               _clause("lse_gradient", shapes, given, "lse_gradient"))
    _call(lines, case, "attention_backward", clauses, types)
    return _function(name, shapes, given, lines, types)


def _attributes(case):
    given = []
    if case.scale is not None:
        given.append(f"scale = {case.scale!r} : f64")
    if case.window is not None:
        given.append(f"window = {case.window} : i64")
    if case.smooth is not None and not case.smooth_given:
        given.append(f"smooth = {case.smooth!r} : f64")
    if case.prune is not None:
        given.append(f"prune_eps = {case.prune:.17e} : f64")
    if case.non_increasing:
        given.append("non_increasing")
    if getattr(case, "walks", None):
        sizes = [f"{{edge = {key} : i64, key = {key} : i64, query = {query} : "
                 f"i64, stages = 2 : i64, warps = {warps} : i64}}"
                 for query, key, warps in case.walks]
        given.append(f"fpa.tiles = {{keys = {sizes[1]}, queries = {sizes[0]}}}")
    return f" {{{', '.join(given)}}}" if given else ""


def program(case, given):
    """The function of a case of attention or of its gradients."""
    of = attention_backward if hasattr(case, "gradients") else attention
    return of(case, given)


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
