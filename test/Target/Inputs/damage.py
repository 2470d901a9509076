"""Damages packages: damage.py GOOD BAD KIND [LOADER_FOLDER]."""

import sys

HEADER = 32


def sealed(data):
    """The package with a size and a checksum that fit its payload."""
    payload = data[HEADER:]
    value = 0xcbf29ce484222325
    for byte in payload:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return (data[:16] + len(payload).to_bytes(8, "little")
            + value.to_bytes(8, "little") + payload)


def refuses(package, path, data):
    with open(path, "wb") as file:
        file.write(data)
    try:
        package.Package(path)
    except package.PackageError as error:
        return "\n" not in str(error)
    return False


def every(good, path, folder):
    sys.path.insert(0, folder)
    import package
    places = list(range(HEADER + 400)) + list(
        range(HEADER + 400, len(good), max(1, len(good) // 200)))
    for at in places:
        data = bytearray(good)
        data[at] ^= 0x10
        assert refuses(package, path, bytes(data)), f"byte {at} was not missed"
    print(f"flipped {len(places)} bytes, refused all")
    # A count or length that lies, and a payload that ends early.
    count = 0
    for at in range(HEADER, HEADER + 1200, 3):
        for value in (0xff, 0x00, 0x7f):
            data = bytearray(good)
            data[at] = value
            refuses(package, path, sealed(bytes(data)))
            refuses(package, path, sealed(bytes(good[:at])))
            count += 2
    print(f"resealed {count} packages without a crash")


def main(good_path, bad_path, kind, *rest):
    with open(good_path, "rb") as file:
        good = file.read()
    if kind == "every":
        return every(good, bad_path, *rest)
    bad = {"cut": good[:-1], "head": good[:20], "longer": good + b"x",
           "version": good[:8] + b"\2" + good[9:]}[kind]
    with open(bad_path, "wb") as file:
        file.write(bad)


main(*sys.argv[1:])
