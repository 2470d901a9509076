#!/usr/bin/env bash
# Writes docs/generated/ from the TableGen files. With --check it writes nothing
# and fails, showing the difference, where a file is not current.
set -euo pipefail
cd "$(dirname "$0")/.."
llvm=/usr/lib/llvm-$(<LLVM_VERSION)
target=docs/generated
[ "${1:-}" != --check ] || target=$(mktemp -d)
mkdir -p "$target"

# generate FILE ARGUMENTS...: one page, without trailing blanks.
generate() {
  local file=$1
  shift
  "$llvm/bin/mlir-tblgen" -I include -I "$llvm/include" "$@" |
    sed -e 's/[[:space:]]*$//' >"$target/$file"
}

generate FpaOps.md -gen-dialect-doc -dialect=fpa include/fpa/Dialect/IR/FpaOps.td
generate FpaTransformOps.md -gen-op-doc include/fpa/Dialect/TransformOps/FpaTransformOps.td
generate FpaTransforms.md -gen-pass-doc include/fpa/Dialect/Transforms/Passes.td
generate FpaConversions.md -gen-pass-doc include/fpa/Conversion/Passes.td

if [ "${1:-}" = --check ]; then
  status=0
  diff -ru docs/generated "$target" || status=$?
  rm -rf "$target"
  [ "$status" = 0 ] ||
    echo "docs/generated is not current: run scripts/update-docs.sh" >&2
  exit "$status"
fi
