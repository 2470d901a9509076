// LLVM makes vectors of an uneven length out of the copies of a short tile; its
// code generators can take those of bf16 apart as integers only.

// RUN: fpa-run %s --input=1x2x61x32xbf16 --input=1x2x61x32xbf16 --input=1x2x61x32xbf16 --input=1x2x61xf32:walk \
// RUN:   --pipeline="query-tile=8 key-tile=32 edge-tile=16" --poison --tolerance=8e-3 | FileCheck %s
// RUN: fpa-run %s --entry=narrow --input=1x2x61x16xbf16 --input=1x2x61x16xbf16 --input=1x2x61x16xbf16 --input=1x2x61xf32:walk \
// RUN:   --pipeline="query-tile=8 key-tile=16 edge-tile=8" --poison --tolerance=8e-3 | FileCheck %s
// CHECK: output 0: max absolute error {{.*}}, mismatched nan or inf 0

// RUN: fpa-compile %s --entry=main --pipeline="query-tile=8 key-tile=32 edge-tile=16" --emit=llvm -o %t.ll
// RUN: FileCheck %s --check-prefix=IR < %t.ll
// IR-NOT: <{{[0-9]*[13579]}} x bfloat>

!wide = tensor<1x2x?x32xbf16>
!slim = tensor<1x2x?x16xbf16>
!f = tensor<1x2x?xf32>

func.func @main(%q: !wide, %k: !wide, %v: !wide, %f: !f) -> !wide {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : !wide
  %e = tensor.empty(%n) : !wide
  %o = fpa.attention ins(%q, %k, %v : !wide, !wide, !wide) field(%f : !f) outs(%e : !wide) -> !wide
  return %o : !wide
}

func.func @narrow(%q: !slim, %k: !slim, %v: !slim, %f: !f) -> !slim {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : !slim
  %e = tensor.empty(%n) : !slim
  %o = fpa.attention ins(%q, %k, %v : !slim, !slim, !slim) field(%f : !f) outs(%e : !slim) -> !slim
  return %o : !slim
}
