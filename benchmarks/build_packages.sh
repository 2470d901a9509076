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
fail() {
  echo "build_packages: error: $1" >&2
  exit 2
}
case ${1:-} in
-h | --help)
  sed -n '/^# Builds/,/^set /{/^set /d;s/^# \{0,1\}//;p;}' "$0"
  exit
  ;;
esac
if [ "${1:-}" = -o ]; then
  [ $# -ge 2 ] || fail "expected a folder after -o"
  out=$2
  shift 2
fi
chips=("$@")
[ $# -gt 0 ] || chips=(sm_80 sm_86 sm_89 sm_90 sm_100 sm_120)
for chip in "${chips[@]}"; do
  case $chip in
  sm_80 | sm_86 | sm_89 | sm_90 | sm_100 | sm_120) ;;
  *) fail "expected chips among sm_80, sm_86, sm_89, sm_90, sm_100 and sm_120, got '$chip'" ;;
  esac
done
for type in ${FPA_TYPES:-f16 bf16}; do
  case $type in
  f16 | bf16 | f32) ;;
  *) fail "FPA_TYPES: expected types among f16, bf16 and f32, got '$type'" ;;
  esac
done
for head in ${FPA_HEADS:-64 128 256}; do
  [[ $head =~ ^[1-9][0-9]{0,2}$ ]] && [ "$head" -le 256 ] ||
    fail "FPA_HEADS: expected head sizes from 1 to 256, got '$head'"
done
compile=$build/bin/fpa-compile
loader=$build/lib/libfpa_loader.so
bindings=$here/../python/fpa/package.py
for file in "$compile" "$loader"; do
  [ -e "$file" ] || { echo "build_packages: error: expected '$file'; build first (scripts/build.sh)" >&2; exit 2; }
done
mkdir -p "$out"
cp "$loader" "$bindings" "$here"/gpu_check.sh "$here"/gpu_check.py \
  "$here"/gpu_reference.py "$here"/gpu_table.py "$out"

# program TYPE D: attention with a tied field, plain causal attention, and the
# gradients of both.
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
func.func @attention(%q: $x, %k: $x, %v: $x, %f: $f) -> ($x, $f) {
  $sizes
  $init
  %n = tensor.empty(%b, %h, %l) : $f
  %r:2 = fpa.attention ins(%q, %k, %v : $x, $x, $x) field(%f : $f) outs(%o, %n : $x, $f) -> $x, $f
  return %r#0, %r#1 : $x, $f
}
func.func @causal(%q: $x, %k: $x, %v: $x) -> ($x, $f) {
  $sizes
  $init
  %n = tensor.empty(%b, %h, %l) : $f
  %r:2 = fpa.attention ins(%q, %k, %v : $x, $x, $x) outs(%o, %n : $x, $f) -> $x, $f
  return %r#0, %r#1 : $x, $f
}
func.func @attention_backward(%q: $x, %k: $x, %v: $x, %f: $f, %y: $x, %e: $f, %g: $x) -> ($x, $x, $x, $f) {
  $sizes
  $init
  %n = tensor.empty(%b, %h, %l) : $f
  %r:4 = fpa.attention_backward ins(%q, %k, %v : $x, $x, $x) field(%f : $f) saved(%y, %e : $x, $f)
    gradient(%g : $x) outs(%o, %o, %o, %n : $x, $x, $x, $f) -> $x, $x, $x, $f
  return %r#0, %r#1, %r#2, %r#3 : $x, $x, $x, $f
}
func.func @causal_backward(%q: $x, %k: $x, %v: $x, %y: $x, %e: $f, %g: $x) -> ($x, $x, $x) {
  $sizes
  $init
  %r:3 = fpa.attention_backward ins(%q, %k, %v : $x, $x, $x) saved(%y, %e : $x, $f)
    gradient(%g : $x) outs(%o, %o, %o : $x, $x, $x) -> $x, $x, $x
  return %r#0, %r#1, %r#2 : $x, $x, $x
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
      "$compile" "$work/attention.mlir" --target=nvptx --chip="$chip" \
        --emit=package -o "$out/$name"
      echo "$out/$name"
    done
  done
done
