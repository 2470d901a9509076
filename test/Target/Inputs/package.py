"""Opens, describes and runs packages through the Python file that works alone.

package.py LOADER_FOLDER COMMAND PACKAGE: describe, shared, load, run, launch,
time or bad, or shapes, with those of the inputs as a Python tuple behind.
"""

import ctypes
import sys

import numpy as np

sys.path.insert(0, sys.argv[1])
import package  # noqa: E402


def arrays(rows):
    x = np.arange(rows * 4, dtype="f4").reshape(rows, 4)
    return x, 10 * x


def on_device(x):
    return package.DeviceArray(x.ctypes.data, x.shape)


def refuse(p):
    """Prints what is said of arguments that make no sense."""
    p.load()
    x, y = arrays(3)
    z, odd = np.zeros_like(x), np.zeros(13, "f4")
    sets = [([on_device(x), on_device(y)], [on_device(z)])]
    moved = package.DeviceArray(odd.ctypes.data + 4, (3, 4))
    for call in (lambda: p.run("main", x),
                 lambda: p.run("main", x, y, [1, 2]),
                 lambda: p.run("main", x, y.astype(">f4")),
                 lambda: p.result_shapes("main", (2**64, 4), (3, 4)),
                 lambda: p.launch("main", *sets[0], stream="x"),
                 lambda: p.launch("main", [on_device(x), moved], sets[0][1]),
                 lambda: p.launch("main", sets[0][0], [moved]),
                 lambda: p.time("main", [], 3),
                 lambda: p.time("main", [*sets, ([], [])], 3)):
        try:
            print("accepted", call())
        except (package.PackageError, TypeError, ValueError) as error:
            print(type(error).__name__, error)


def main(command, path, shapes=None):
    p = package.Package(path)
    if command == "describe":
        print(p.chip, sorted(p.entries["main"].items()))
        print(sorted(p.kernels))
        print(p.result_shapes("main", (7, 4), (7, 4)))
        return
    if command == "shared":
        print({name: kernel["dynamic_shared_bytes"]
               for name, kernel in p.kernels.items()})
        return
    if command == "shapes":
        # What sizes give without a GPU, in the order of the arguments.
        print(p.result_shapes("main", *eval(shapes)))
        return
    if command == "bad":
        return refuse(p)
    name = p.load()
    x, y = arrays(3)
    if command == "load":
        print(name, p.capability)
    elif command == "run":
        z = p.run("main", x, y)
        print(z.dtype, z.shape, z.sum(), np.array_equal(z, x + y))
    elif command == "narrow":
        p.run("main", x[:, :2], y)
    elif command == "missing":
        ctypes_call = package._lib.fpaPackageRun
        if not ctypes_call(p._handle, b"none", *package._views([]),
                           *package._views([])):
            print("error:", package._last_error())
    elif command == "launch":
        # The mock GPU's memory is the host's.
        z = np.zeros_like(x)
        p.launch("main", [on_device(x), on_device(y)], [on_device(z)], 7)
        p.synchronize(7)
        print(np.array_equal(z, x + y))
        p.launch("main", [on_device(x), on_device(y)], [on_device(z[:2])])
    elif command == "time":
        sets = []
        for _ in range(2):
            z = np.zeros_like(x)
            sets.append(([on_device(x), on_device(y)], [on_device(z)]))
        print(p.time("main", sets, repetitions=3, warm_ups=1))


try:
    main(*sys.argv[2:])
except (package.PackageError, TypeError) as error:
    print("error:", error)
    sys.exit(1)
