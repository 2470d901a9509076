#!/usr/bin/env bash
# Sets up, configures and builds everything into build/. Arguments go to
# `cmake --build`, for example `scripts/build.sh --target fpa-opt`.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh

# A build folder that was copied or moved here belongs to another source tree.
if [ -f build/CMakeCache.txt ] &&
   ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$PWD" build/CMakeCache.txt; then
  echo "build.sh: build/ was configured for another source tree; starting it anew"
  rm -rf build
fi

# A compile of a file with MLIR's headers takes up to 1.5 GiB.
memory_gib=$(awk '/^MemAvailable/ {print int($2 / 1048576)}' /proc/meminfo)
jobs=$(nproc)
[ "$jobs" -le $((memory_gib * 2 / 3)) ] || jobs=$((memory_gib * 2 / 3))
[ "$jobs" -ge 1 ] || jobs=1

mkdir -p build
if ! cmake --preset default >build/configure.log 2>&1; then
  cat build/configure.log >&2
  echo "build.sh: cmake could not configure the build" >&2
  exit 1
fi
cmake --build build -j "$jobs" "$@"
