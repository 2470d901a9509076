#!/usr/bin/env bash
# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds what benchmarks/gpu_check.sh takes to a machine with a GPU: packages of
# attention, the library that loads them, and the script itself.
#
#   benchmarks/build_packages.sh [-o FOLDER] [CHIP ...]
#
# CHIPs default to all that fpa-compile knows; FPA_TYPES and FPA_HEADS narrow the
# element types and head sizes down. Copy the FOLDER (default
# build/packages) and run FOLDER/gpu_check.sh there.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
build=${FPA_BUILD:-$here/../build}
out=$build/packages
if [ "${1:-}" = -o ]; then
  [ $# -ge 2 ] || { echo "build_packages: error: expected a folder after -o" >&2; exit 2; }
  out=$2
  shift 2
fi
chips=("$@")
[ $# -gt 0 ] || chips=(sm_80 sm_86 sm_89 sm_90 sm_100 sm_120)
compile=$build/bin/fpa-compile
loader=$build/lib/libfpa_loader.so
bindings=$here/../python/fpa/package.py
for file in "$compile" "$loader"; do
  [ -e "$file" ] || { echo "build_packages: error: expected '$file'; build first (scripts/build.sh)" >&2; exit 2; }
done
mkdir -p "$out"
cp "$loader" "$bindings" "$here"/gpu_check.sh "$here"/gpu_check.py \
  "$here"/gpu_reference.py "$here"/gpu_table.py "$out"

# program TYPE D: attention with a tied field, and plain causal attention.
program() {
  local x="tensor<?x?x?x$2x$1>" f="tensor<?x?x?xf32>"
  local sizes='%c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index'
  local init="%b = tensor.dim %q, %c0 : $x
  %h = tensor.dim %q, %c1 : $x
  %l = tensor.dim %q, %c2 : $x
  %o = tensor.empty(%b, %h, %l) : $x"
  cat <<MLIR
func.func @attention(%q: $x, %k: $x, %v: $x, %f: $f) -> $x {
  $sizes
  $init
  %r = fpa.attention ins(%q, %k, %v : $x, $x, $x) field(%f : $f) outs(%o : $x) -> $x
  return %r : $x
}
func.func @causal(%q: $x, %k: $x, %v: $x) -> $x {
  $sizes
  $init
  %r = fpa.attention ins(%q, %k, %v : $x, $x, $x) outs(%o : $x) -> $x
  return %r : $x
}
MLIR
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for type in ${FPA_TYPES:-f16 bf16}; do
  for head in ${FPA_HEADS:-64 128 256}; do
    program "$type" "$head" >"$work/attention.mlir"
    for chip in "${chips[@]}"; do
      name=attention-$type-d$head-$chip.pkg
      # The sizes that the model of the chip chooses.
      sizes=$("$compile" --list-strategies --chip="$chip" --type="$type" \
        --head="$head" | sed -E 's/^.*: (.*) \(.*$/\1/')
      "$compile" "$work/attention.mlir" --target=nvptx --chip="$chip" \
        --emit=package --pipeline="$sizes" -o "$out/$name"
      echo "$out/$name"
    done
  done
done
