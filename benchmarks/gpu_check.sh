#!/usr/bin/env bash
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Checks and times attention on this machine's GPU, beside PyTorch's.
#
#   benchmarks/gpu_check.sh [PACKAGES] [options of gpu_check.py]
#
# PACKAGES is the folder that benchmarks/build_packages.sh has made (default: the
# folder of this script if it is one of those, else build/packages). Needs the
# GPU's driver and a Python 3.10 or newer that has PyTorch, which the variable
# FPA_PYTHON may name; no LLVM, no compiler, no network.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=${FPA_PYTHON:-python3}
if ! command -v "$python" >/dev/null; then
  echo "gpu_check: error: expected a Python, found no '$python'" >&2
  exit 2
fi
exec "$python" "$here/gpu_check.py" "$@"
