# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ways to spoil a module or an array file. All randomness comes from `rng`."""

import re
import struct

TOKEN = re.compile(r"%?[A-Za-z_][\w.$]*|-?\d+(?:\.\d+)?|->|\s+|.", re.S)
TENSOR = re.compile(r"tensor<[^>]*>")
NAME = re.compile(r"%\w+")
ATTRIBUTE = re.compile(r"(\w+) = [-\w.]+ : \w+")
ELEMENTS = ("f16", "bf16", "f32", "f64", "i1", "i8", "i32", "i64", "index",
            "complex<f32>", "f8E4M3FN", "vector<4xf32>", "!fpa.x", "none",
            "memref<2xf32>", "tf32", "f80")
SIZES = ("?", "0", "1", "2", "3", "7", "16", "33", "64", "-1",
         "4294967296", "9223372036854775807", "9223372036854775808")
NUMBERS = ("0", "-1", "1", "1.5", "-2.0e300", "0x7FF0000000000000",
           "0x7FF8000000000000", "9223372036854775807", "1.0e-320", "true",
           "unit", "\"x\"", "[1]")
NOISE = ("\0", "\xff", "{", "}", "(", ")", "<", ">", "->", "@", "%", "#fpa",
         "\"", "//", "loc(", "attributes", "}}}}", "\n", "?", "!", "tensor<")


def _tokens(text):
    return TOKEN.findall(text)


def _solid(tokens):
    return [i for i, t in enumerate(tokens) if not t.isspace()]


def delete_token(rng, text):
    tokens = _tokens(text)
    for _ in range(rng.randint(1, 3)):
        del tokens[rng.choice(_solid(tokens))]
    return "".join(tokens)


def double_token(rng, text):
    tokens = _tokens(text)
    at = rng.choice(_solid(tokens))
    tokens.insert(at, tokens[at] + " ")
    return "".join(tokens)


def swap_tokens(rng, text):
    tokens = _tokens(text)
    a, b = rng.sample(_solid(tokens), 2)
    tokens[a], tokens[b] = tokens[b], tokens[a]
    return "".join(tokens)


def truncate(rng, text):
    return text[:rng.randrange(len(text))]


def insert_noise(rng, text):
    at = rng.randrange(len(text))
    return text[:at] + rng.choice(NOISE) + text[at:]


def swap_values(rng, text):
    """Exchanges two uses of values: types and ranks no longer fit."""
    uses = list(NAME.finditer(text))
    a, b = sorted(rng.sample(uses, 2), key=lambda m: m.start())
    return (text[:a.start()] + b.group() + text[a.end():b.start()] +
            a.group() + text[b.end():])


def _edit_type(rng, text, edit, everywhere):
    found = rng.choice(TENSOR.findall(text))
    changed = edit(found)
    if everywhere:
        return text.replace(found, changed)
    at = rng.choice([m.start() for m in re.finditer(re.escape(found), text)])
    return text[:at] + changed + text[at + len(found):]


def _parts(tensor):
    *dims, element = tensor[7:-1].split("x")
    return dims, element


def _tensor(dims, element):
    return "tensor<" + "x".join([*dims, element]) + ">"


def edit_size(rng, text):
    def edit(tensor):
        dims, element = _parts(tensor)
        if dims:
            dims[rng.randrange(len(dims))] = rng.choice(SIZES)
        return _tensor(dims, element)
    return _edit_type(rng, text, edit, rng.random() < 0.6)


def edit_rank(rng, text):
    def edit(tensor):
        dims, element = _parts(tensor)
        at = rng.randrange(len(dims) + 1)
        if dims and rng.random() < 0.5:
            del dims[min(at, len(dims) - 1)]
        else:
            dims.insert(at, rng.choice(SIZES))
        return rng.choice((_tensor(dims, element), f"tensor<*x{element}>",
                           f"tensor<{element}>"))
    return _edit_type(rng, text, edit, rng.random() < 0.6)


def edit_element(rng, text):
    def edit(tensor):
        return _tensor(_parts(tensor)[0], rng.choice(ELEMENTS))
    return _edit_type(rng, text, edit, rng.random() < 0.6)


def edit_element_everywhere(rng, text):
    return re.sub(r"x(f32|f16)>", f"x{rng.choice(ELEMENTS)}>", text)


def to_memref(rng, text):
    return _edit_type(rng, text, lambda t: "memref" + t[6:],
                      rng.random() < 0.7)


def edit_number(rng, text):
    found = rng.choice(list(re.finditer(r"\b\d+(\.\d+)?\b", text)))
    return text[:found.start()] + rng.choice(NUMBERS) + text[found.end():]


def drop_attribute(rng, text):
    found = list(ATTRIBUTE.finditer(text))
    if not found:
        return delete_token(rng, text)
    m = rng.choice(found)
    return text[:m.start()] + text[m.end():]


def add_attribute(rng, text):
    extra = rng.choice((
        "window = 0 : i64", "window = -5 : i64", "window = 1 : i32",
        "window = 9223372036854775807 : i64", "smooth = 0.0 : f64",
        "smooth = -1.0 : f64", "smooth = 0x7FF0000000000000 : f64",
        "scale = 0x7FF8000000000000 : f64", "scale = 1 : i64",
        "non_increasing", "axis = 9 : i64", "segment = 0 : i64",
        "operandSegmentSizes = array<i32: 9, 9, 9>", "reverse = 3 : i32"))
    at = text.rfind("\n      ->")
    return text[:at] + f" {{{extra}}}" + text[at:] if at > 0 else extra + text


def drop_clause(rng, text):
    clauses = list(re.finditer(
        r"(field|level|cu_seqlens|outs|ins|at|axis|segment|interval)\([^)]*\)",
        text))
    m = rng.choice(clauses)
    return text[:m.start()] + text[m.end():]


def edit_flag(rng, text):
    flags = ("reverse", "exclusive", "segment(0)", "segment(-3)",
             "segment(7)", "segment(9223372036854775807)")
    return re.sub(r"axis\((\d+)\)", lambda m: rng.choice((
        f"axis({rng.choice((-1, 0, 1, 2, 5, 2**63))})",
        f"axis({m.group(1)}) {rng.choice(flags)}")), text, count=1)


def rename(rng, text):
    old, new = rng.choice((
        ("fpa.attention", "fpa.attentive"), ("@main", "@other"),
        ("fpa.attention", "fpa.prefix_min"), ("func.func", "func.fun"),
        ("func.func", "func.func private"), ("return", "func.call"),
        ("fpa.attention", "\"fpa.attention\""), ("tensor.empty", "tensor.full"),
        ("fpa.prefix_min", "fpa.prefix_sum"), ("fpa.online", "fpa.offline"),
        ("%o,", "%o:2,"), ("@main", "@\"ma\\00in\"")))
    return text.replace(old, new)


def twice(rng, text):
    return text + (text if rng.random() < 0.5 else
                   text.replace("@main", "@second"))


def unchanged(_, text):
    return text


MODULE = (delete_token, double_token, swap_tokens, truncate, insert_noise,
          swap_values, edit_size, edit_size, edit_rank, edit_element,
          edit_element_everywhere, to_memref, edit_number, drop_attribute,
          add_attribute, drop_clause, edit_flag, rename, twice)


# Spoiled .npy files: bytes in, bytes out.


def npy_truncate(rng, data):
    return data[:rng.randrange(len(data))]


def npy_empty(_, __):
    return b""


def npy_magic(_, data):
    return b"\x93NUMPX" + data[6:]


def npy_version(rng, data):
    return data[:6] + bytes([rng.choice((0, 4, 9, 255)), 0]) + data[8:]


def npy_header_length(rng, data):
    return data[:8] + struct.pack("<H", rng.choice((0, 1, 60000))) + data[10:]


def _npy_replace(data, old, new):
    size = struct.unpack("<H", data[8:10])[0]
    header = data[10:10 + size].replace(old, new)
    return data[:8] + struct.pack("<H", len(header)) + header + data[10 + size:]


def npy_type(rng, data):
    return _npy_replace(data, b"<f4", rng.choice(
        (b"<f8", b">f4", b"|O", b"<U9", b"<c8", b"<f3", b"f", b"<i4", b"",
         b"|V2", b"<f4\\n")))


def npy_order(_, data):
    return _npy_replace(data, b"False", b"True")


def npy_shape(rng, data):
    return _npy_replace(data, b"(", rng.choice(
        (b"(-", b"(9", b"(99999999999999999999, ", b"(0, ", b"((", b"[",
         b"(4294967296, 4294967296, ", b"(1.5, ", b"", b"(" + b"1, " * 90)))


def npy_key(_, data):
    return _npy_replace(data, b"shape", b"shapo")


def npy_noise(rng, data):
    data = bytearray(data)
    for _ in range(8):
        data[rng.randrange(min(len(data), 128))] = rng.randrange(256)
    return bytes(data)


def npy_longer(_, data):
    return data + b"tail"


NPY = (npy_truncate, npy_empty, npy_magic, npy_version, npy_header_length,
       npy_type, npy_order, npy_shape, npy_key, npy_noise, npy_longer)
