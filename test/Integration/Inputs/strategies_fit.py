"""The shared memory that the model of tile sizes counts, against what kernels of
those sizes ask for."""

import re
import subprocess
import sys

LINE = re.compile(r"(sm_\d+) (\w+) head (\d+) value-head (\d+): (.*) \((\d+) "
                  r"bytes shared")


def pipe(*command, stdin=None):
    done = subprocess.run(command, input=stdin, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(" ".join(command) + "\n" + done.stderr)
    return done.stdout


def program(kind, head, value_head):
    q, v = f"tensor<1x1x?x{head}x{kind}>", f"tensor<1x1x?x{value_head}x{kind}>"
    f = "tensor<1x1x?xf32>"
    return f"""
func.func @main(%q: {q}, %k: {q}, %v: {v}, %f: {f}, %l: {f}, %o: {v}) -> {v} {{
  %r = fpa.attention ins(%q, %k, %v : {q}, {q}, {v}) field(%f : {f})
    level(%l : {f}) outs(%o : {v}) -> {v}
  return %r : {v}
}}
"""


def asked_for(text):
    """The most dynamic shared memory of a launch."""
    constants = dict(re.findall(r"(%\w+) = arith\.constant (\d+) : i32", text))
    names = re.findall(r"dynamic_shared_memory_size (%\w+)", text)
    return max(int(constants[name]) for name in names)


def main():
    chips, kinds, heads = (sys.argv[i].split(",") for i in (1, 2, 3))
    count = 0
    for line in pipe("fpa-compile", "--list-strategies",
                     "--every-head").splitlines():
        chip, kind, head, value_head, options, counted = LINE.match(
            line).groups()
        if (chip not in chips or kind not in kinds or head not in heads or
                value_head != head):
            continue
        text = pipe("fpa-opt", "-", f"--fpa-gpu-buffer-pipeline={options}",
                    f"--fpa-gpu-machine-pipeline={options}",
                    stdin=program(kind, head, value_head))
        asked = asked_for(text)
        if not 0.98 * int(counted) <= asked <= int(counted):
            raise SystemExit(f"{line}: the kernel asks for {asked} bytes")
        count += 1
    print(f"{count} strategies fit")


main()
