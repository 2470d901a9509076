"""Reads a PNG and says what it is."""

import struct
import sys
import zlib

data = open(sys.argv[1], "rb").read()
width, height = struct.unpack(">II", data[16:24])
at, pixels = 8, b""
while at < len(data):
    size, = struct.unpack(">I", data[at:at + 4])
    body = data[at + 4:at + 8 + size]
    assert zlib.crc32(body) == struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0]
    if body[:4] == b"IDAT":
        pixels += body[4:]
    at += size + 12
whole = len(zlib.decompress(pixels)) == height * (width + 1)
print("square" if width == height else "rectangle", "of at least 1000 pixels,"
      if width >= 1000 else "of few pixels,", "whole" if whole else "torn")
