"""Writes and checks .npy files without NumPy: npy.py COMMAND FILE."""

import struct
import sys

command, path = sys.argv[1:3]


def header(text, version=1):
    text = text.encode()
    size = struct.pack("<H" if version == 1 else "<I", len(text))
    return b"\x93NUMPY" + bytes([version, 0]) + size + text


def dictionary(descr, shape, fortran="False"):
    return "{'descr': '%s', 'fortran_order': %s, 'shape': %s, }" % (descr, fortran, shape)


DATA = struct.pack("<12f", *range(12))
FILES = {
    # Version 1 as NumPy writes it, the others by hand.
    "v1": header(dictionary("<f4", "(3, 4)") + " " * 20 + "\n") + DATA,
    "v2": header('{"shape":(3,4),"fortran_order":False,"descr":"<f4"}', 2) + DATA,
    "v3": header(dictionary("<f4", "(3, 4)"), 3) + DATA,
    # Column by column: element (i, j) is i + 3 j.
    "fortran": header(dictionary("<f4", "(3, 4)", "True")) + DATA,
    "bf16": header(dictionary("<V2", "(3,)")) + struct.pack("<3H", 0x3F80, 0xC000, 0x7F80),
    "f16": header(dictionary("<f2", "()")) + struct.pack("<e", 1.5),
    "bool": header(dictionary("|b1", "(2,)")) + b"\x01\x00",
    "empty": header(dictionary("<f4", "(0, 7)")),
    "truncated": header(dictionary("<f4", "(3, 4)")) + DATA[:-1],
    "trailing": header(dictionary("<f4", "(3, 4)")) + DATA + b"x",
    "short-header": header(dictionary("<f4", "(3, 4)"))[:30],
    "short-magic": b"\x93NUMPY\x01",
    "not-npy": b"hello",
    "version": header(dictionary("<f4", "(3, 4)"), 9),
    "big-endian": header(dictionary(">f4", "(3, 4)")) + DATA,
    "record": header("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,)}"),
    "negative": header(dictionary("<f4", "(-3, 4)")) + DATA,
    "overflow": header(dictionary("<f4", "(4611686018427387904, 4)")),
    "digits": header(dictionary("<f4", "(99999999999999999999,)")),
    "missing-key": header("{'descr': '<f4', 'shape': (3, 4)}") + DATA,
    "twice": header("{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (3, 4)}") + DATA,
    "unclosed": header("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4") + DATA,
    "after": header(dictionary("<f4", "(3, 4)") + " x") + DATA,
}

if command == "show":
    data = open(path, "rb").read()
    assert data[:8] == b"\x93NUMPY\x01\x00"
    size = struct.unpack("<H", data[8:10])[0]
    assert (10 + size) % 64 == 0 and data[9 + size:10 + size] == b"\n"
    print(data[10:10 + size].decode().rstrip(), data[10 + size:].hex())
else:
    open(path, "wb").write(FILES[command])
