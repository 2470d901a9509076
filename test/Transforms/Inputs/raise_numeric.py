"""Runs each function of MLIR files before and after fpa-raise-attention, on the
same random inputs, and compares the numbers: raise_numeric.py FOLDER FILE...

Sizes that are not given are 2 for the first one of a type and 9 for others."""

import pathlib
import re
import subprocess
import sys

import numpy as np

TOLERANCE = 2e-5


def shapes(text):
    """The sizes of arguments as fpa-run takes them."""
    for type_text in re.findall(r"%\w+: tensor<([^>]*)>", text):
        *sizes, element = type_text.split("x")
        sizes = [("2" if n == 0 else "9") if size == "?" else size
                 for n, size in enumerate(sizes)]
        yield "x".join(sizes + [element])


def run(text, name, inputs, results, folder):
    outputs = [folder / f"{name}-{n}.npy" for n in range(results)]
    subprocess.run(
        ["fpa-run", text, f"--entry={name}", "--seed=11", "--strategy=decompose"]
        + [f"--input={shape}" for shape in inputs]
        + [f"--output=@{path}" for path in outputs],
        check=True, stdout=subprocess.DEVNULL)
    return [np.load(path) for path in outputs]


def main():
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    count = 0
    for path in sys.argv[2:]:
        text = pathlib.Path(path).read_text()
        for section in text.split("\n// -----\n"):
            functions = re.findall(r"^func\.func @(\w+)\((.*?)\)\s*-> (.*?) {$",
                                   section, re.S | re.M)
            for name, arguments, result in functions:
                before, after = folder / "before.mlir", folder / "after.mlir"
                written_out = ["--fpa-decompose", "--canonicalize"] \
                    if "fpa.attention\n" in section else []
                source = folder / "section.mlir"
                source.write_text(section)
                subprocess.run(["fpa-opt", source, "-o", before] + written_out,
                               check=True)
                subprocess.run(["fpa-opt", before, "--fpa-raise-attention",
                                "-o", after], check=True)
                assert "fpa.attention" not in before.read_text(), name
                assert "fpa.attention" in after.read_text(), name
                inputs = list(shapes(arguments))
                results = result.count("tensor<")
                pairs = zip(run(before, name, inputs, results, folder),
                            run(after, name, inputs, results, folder))
                error = max(np.abs(np.float64(a) - b).max() for a, b in pairs)
                limit = 2e-3 if "f16" in arguments else TOLERANCE
                assert error <= limit, f"{name}: {error}"
                print(f"{name}: ok")
                count += 1
    print(f"{count} functions keep their numbers")


main()
