"""Functions of one kernel each, compiled for a GPU and run on the emulator."""

import os
import re
import subprocess
import tempfile

import numpy as np


def pipe(*command, stdin=None):
    done = subprocess.run(command, input=stdin, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(" ".join(command) + "\n" + done.stderr)
    return done.stdout


LAUNCH = re.compile(
    r"gpu\.launch_func\s+@kernels::@(\w+) blocks in \((.*?)\) threads in "
    r"\((.*?)\)\s+(?:dynamic_shared_memory_size (%\w+) )?args\((.*)\)")


class Module:
    """Functions on memrefs of static sizes."""

    def __init__(self, text, passes):
        self.text = pipe("fpa-opt", "-", *passes, stdin=text)
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "module.mlir")
        with open(self.path, "w") as file:
            file.write(self.text)

    def launch_of(self, function):
        """(kernel, grid, block, shared, [operand]) with constants as numbers and
        parameters as their places."""
        body = re.search(rf"func\.func @{function}\((.*?)\).*?\n  }}",
                         self.text, re.S)
        values = {name: place for place, name in enumerate(
            re.findall(r"(%\w+): memref", body[1]))}
        parameters = set(values)
        for name, number in re.findall(
                r"(%\w+) = arith\.constant (-?[\d.e+]+) :", body[0]):
            values[name] = number
        found = LAUNCH.findall(body[0])
        if len(found) != 1:
            raise SystemExit(f"{function}: expected one launch in {body[0]}")
        kernel, grid, block, shared, operands = found[0]
        number = lambda names: ",".join(
            values[name.strip()] for name in names.split(","))
        arguments = []
        for operand in re.split(r", (?=%)", operands):
            name, kind = operand.split(" : ")
            arguments.append(values[name] if name in parameters
                             else f"{kind}:{values[name]}")
        return (kernel, number(grid), number(block),
                number(shared) if shared else "0", arguments)

    def call(self, function, inputs, outputs):
        """Parameters are the inputs, then the outputs, which are written."""
        kernel, grid, block, shared, arguments = self.launch_of(function)
        files = []
        for place, array in enumerate(inputs):
            files.append(os.path.join(self.folder.name, f"{place}.npy"))
            np.save(files[-1], array)
        names = {np.float16: "f16", np.float32: "f32", np.float64: "f64",
                 np.int64: "i64"}
        command, printed = [], []
        for argument in arguments:
            if isinstance(argument, str):
                command.append(f"--arg={argument}")
            elif argument < len(inputs):
                command.append(f"--arg=@{files[argument]}")
            else:
                array = outputs[argument - len(inputs)]
                shape = "x".join(map(str, array.shape))
                command.append(
                    f"--arg=out:{shape}x{names[array.dtype.type]}:undefined")
                printed.append(array)
        text = pipe("fpa-emulate", self.path, f"--kernel={kernel}",
                    f"--grid={grid}", f"--block={block}", f"--shared={shared}",
                    *command)
        blocks = re.split(r"^\S*x?(?:f16|f32|f64|i64)$", text, flags=re.M)[1:]
        for array, numbers in zip(printed, blocks):
            parsed = numbers.replace("[", " ").replace("]", " ").split()
            kind = int if array.dtype == np.int64 else float
            array[...] = np.array([kind(x) for x in parsed],
                                  array.dtype).reshape(array.shape)
