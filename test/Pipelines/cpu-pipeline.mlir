// RUN: fpa-opt %s --fpa-cpu-pipeline="strategy=decompose" | FileCheck %s --check-prefix=LLVM
// RUN: fpa-opt %s --fpa-cpu-buffer-pipeline="strategy=decompose" \
// RUN:   | FileCheck %s --check-prefix=BUFFER

// Nothing but the llvm dialect is left, memory comes from the runtime library,
// and buffers that are not returned are freed.
//  LLVM-NOT: unrealized_conversion_cast
//  LLVM-NOT: {{(fpa|memref|func|arith|math|linalg)\.}}
//      LLVM: llvm.func @main
//      LLVM:   llvm.call @_mlir_memref_to_llvm_aligned_alloc
//      LLVM:   llvm.call @_mlir_memref_to_llvm_free

// Functions take and return buffers of identity layout. What a function
// returns belongs to its caller: an argument is copied.
// BUFFER-LABEL: func.func @main(
//  BUFFER-SAME:   memref<1x2x?x8xf32>, {{.*}} -> memref<1x2x?x8xf32>
//   BUFFER-NOT:   tensor<
// BUFFER-LABEL: func.func @same(
//  BUFFER-SAME:   %[[X:.*]]: memref<4xf32>) -> memref<4xf32>
//       BUFFER:   %[[NEW:.*]] = memref.alloc() {{.*}}: memref<4xf32>
//       BUFFER:   memref.copy %[[X]], %[[NEW]]
//       BUFFER:   return %[[NEW]]
func.func @main(%q: tensor<1x2x?x8xf32>, %k: tensor<1x2x?x8xf32>,
                %v: tensor<1x2x?x8xf32>, %f: tensor<1x2x?xf32>) -> tensor<1x2x?x8xf32> {
  %c2 = arith.constant 2 : index
  %n = tensor.dim %q, %c2 : tensor<1x2x?x8xf32>
  %init = tensor.empty(%n) : tensor<1x2x?x8xf32>
  %o = fpa.attention
    ins(%q, %k, %v : tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>)
    field(%f : tensor<1x2x?xf32>) outs(%init : tensor<1x2x?x8xf32>)
    -> tensor<1x2x?x8xf32>
  return %o : tensor<1x2x?x8xf32>
}

func.func @same(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
