#!/usr/bin/env bash
# Sets up, builds, and runs an attention layer over a C++ source file of this
# repository; see examples/attention-layer. Arguments go to its run.py, for
# example the name of another C++ file.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
"$root/scripts/build.sh" --target fpa-opt FpaPython
exec /usr/bin/python3 "$root/examples/attention-layer/run.py" "$@"
