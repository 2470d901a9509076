#!/usr/bin/env bash
# Sets up, builds, and runs an attention layer over a C++ source file of this
# repository; see examples/attention-layer. Arguments go to its run.py, for
# example the name of another C++ file.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
layer=$root/examples/attention-layer/run.py
# What is wrong with the arguments is said before minutes of building, where
# there is a Python already.
if [ -x /usr/bin/python3 ]; then
  /usr/bin/python3 "$layer" --check "$@"
fi
"$root/scripts/build.sh" --target fpa-opt FpaPython
exec /usr/bin/python3 "$layer" "$@"
