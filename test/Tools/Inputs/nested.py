# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""nested.py regions|tuples|branches DEPTH: a module with something nested so deep."""

import sys


def regions(depth):
    open_ = "%x = scf.execute_region -> f32 {\n" * depth
    close = "scf.yield %c : f32\n}\n" * depth
    return ("func.func @main() -> tensor<f32> {\n%c = arith.constant 1.0 : f32\n"
            f"{open_}{close}%r = tensor.from_elements %x : tensor<f32>\n"
            "return %r : tensor<f32>\n}\n")


def tuples(depth):
    return f"func.func private @f({'tuple<' * depth}i32{'>' * depth})\n"


def branches(depth):
    """Loops in two functions: passes may go through them at the same time."""
    loops = "".join(f"scf.for %i{n} = %c0 to %c1 step %c1 {{\n" for n in range(depth))
    body = f"{loops}memref.store %z, %m[] : memref<f32>\n{'}' * depth}"
    function = ("(%m: memref<f32>) {{\n%c0 = arith.constant 0 : index\n"
                "%c1 = arith.constant 1 : index\n%z = arith.constant 0.0 : f32\n"
                "{0}\nreturn\n}}\n").format(body)
    return f"func.func @main{function}func.func @other{function}"


print({"regions": regions, "tuples": tuples, "branches": branches}[sys.argv[1]](
    int(sys.argv[2])))
