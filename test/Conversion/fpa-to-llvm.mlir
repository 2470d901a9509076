// RUN: fpa-opt %s --convert-fpa-to-llvm | FileCheck %s
// RUN: fpa-opt %s --convert-scf-to-cf --convert-to-llvm \
// RUN:   --reconcile-unrealized-casts | FileCheck %s --check-prefix=WHOLE

// CHECK: func.func private @fpa_parallel_for(index, !llvm.ptr, !llvm.ptr)
// WHOLE: llvm.func @fpa_parallel_for(i64, !llvm.ptr, !llvm.ptr)
// WHOLE-NOT: unrealized_conversion_cast

// WHOLE-LABEL: llvm.func @body(
func.func @body(%i: index, %out: memref<?xf32>, %x: f32) {
  memref.store %x, %out[%i] : memref<?xf32>
  return
}

// The slot lies outside of the loop.
// CHECK-LABEL: func.func @fill
//  CHECK-SAME:   %[[N:.*]]: index,
//       CHECK:   %[[SLOT:.*]] = llvm.alloca %{{.*}} x ![[CAPTURES:llvm.struct<\(struct<\(ptr, ptr, i64, array<1 x i64>, array<1 x i64>\)>, f32\)>]]
//       CHECK:   scf.for
//       CHECK:     llvm.store %{{.*}}, %[[SLOT]] : ![[CAPTURES]], !llvm.ptr
//       CHECK:     %[[F:.*]] = func.constant @fpa_trampoline_body
//       CHECK:     %[[P:.*]] = builtin.unrealized_conversion_cast %[[F]]
//       CHECK:     func.call @fpa_parallel_for(%[[N]], %[[P]], %[[SLOT]])
//   CHECK-NOT:   fpa.parallel_call
// WHOLE-LABEL: llvm.func @fill
//       WHOLE:   %[[SLOT:.*]] = llvm.alloca
//       WHOLE:   llvm.cond_br
//       WHOLE:   %[[F:.*]] = llvm.mlir.addressof @fpa_trampoline_body
//       WHOLE:   llvm.call @fpa_parallel_for(%{{.*}}, %[[F]], %[[SLOT]])
func.func @fill(%n: index, %out: memref<?xf32>, %x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    fpa.parallel_call @body(%n) args(%out, %x : memref<?xf32>, f32)
  }
  return
}

// A callee without captures gets a null context.
// CHECK-LABEL: func.func @nothing
//       CHECK:   %[[NULL:.*]] = llvm.mlir.zero : !llvm.ptr
//       CHECK:   call @fpa_parallel_for(%{{.*}}, %{{.*}}, %[[NULL]])
func.func @nothing(%n: index) {
  fpa.parallel_call @idle(%n)
  return
}
func.func private @idle(%i: index) {
  return
}

// A second call of the same callee uses the same trampoline.
func.func @again(%n: index, %out: memref<?xf32>, %x: f32) {
  fpa.parallel_call @body(%n) args(%out, %x : memref<?xf32>, f32)
  return
}

// CHECK-LABEL: func.func private @fpa_trampoline_body(
//  CHECK-SAME:   %[[I:.*]]: index, %[[CTX:.*]]: !llvm.ptr)
//       CHECK:   %[[ALL:.*]] = llvm.load %[[CTX]] : !llvm.ptr -> ![[CAPTURES]]
//       CHECK:   %[[OUT:.*]] = llvm.extractvalue %[[ALL]][0]
//       CHECK:   %[[CAST:.*]] = builtin.unrealized_conversion_cast %[[OUT]]
//       CHECK:   %[[X:.*]] = llvm.extractvalue %[[ALL]][1]
//       CHECK:   call @body(%[[I]], %[[CAST]], %[[X]])
// CHECK-LABEL: func.func private @fpa_trampoline_idle(
//       CHECK:   call @idle(%{{.*}}) : (index) -> ()
//   CHECK-NOT: @fpa_trampoline
// WHOLE-LABEL: llvm.func internal @fpa_trampoline_body(
//  WHOLE-SAME:   i64, %{{.*}}: !llvm.ptr)
//       WHOLE:   llvm.call @body(%{{.*}}) : (i64, !llvm.ptr, !llvm.ptr, i64, i64, i64, f32) -> ()
