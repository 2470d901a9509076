// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

func.func private @body(index, memref<?xf32>, index)
func.func @bare(%i: index) { return }
// A callee that was lowered already no longer has this op's types.
llvm.func @lowered(i64, !llvm.ptr)

// CHECK-LABEL: func.func @main
// CHECK: fpa.parallel_call @body(%{{.*}}) args(%{{.*}}, %{{.*}} : memref<?xf32>, index)
// CHECK: fpa.parallel_call @bare(%{{.*}})
// CHECK: fpa.parallel_call @lowered(%{{.*}}) args(%{{.*}} : memref<?xf32>)
func.func @main(%n: index, %a: memref<?xf32>, %b: index) {
  fpa.parallel_call @body(%n) args(%a, %b : memref<?xf32>, index)
  fpa.parallel_call @bare(%n)
  fpa.parallel_call @lowered(%n) args(%a : memref<?xf32>)
  return
}
