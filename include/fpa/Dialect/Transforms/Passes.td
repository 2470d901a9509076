//===- Passes.td - Passes on the fpa dialect ---------------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_TRANSFORMS_PASSES_TD
#define FPA_DIALECT_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def Decompose : Pass<"fpa-decompose"> {
  let summary = "replace aggregate fpa ops by plain linalg";
  let description = [{
    Replaces every fpa op that has an AggregatedOpInterface by its
    decomposition. For `fpa.attention` that is the O(L^2) meaning of the op,
    readable and slow.
  }];
  let dependentDialects = ["arith::ArithDialect", "linalg::LinalgDialect",
                           "math::MathDialect", "tensor::TensorDialect"];
}

def LowerStridedCopies : Pass<"fpa-lower-strided-copies"> {
  let summary = "turn copies between strided memrefs into linalg";
  let description = [{
    Copies of contiguous memrefs become memcpy further down; of any other,
    upstream makes a call of a library function that walks the elements one by
    one. This pass turns those into `linalg.generic`, so that they become loops
    the compiler sees:

    ```mlir
    memref.copy %from, %to : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
    // becomes
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%from : memref<4x8xf32, strided<[16, 1]>>) outs(%to : memref<4x8xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    ```
  }];
  let dependentDialects = ["linalg::LinalgDialect"];
  let statistics = [Statistic<"numCopies", "copies", "copies turned into linalg">];
}

#endif // FPA_DIALECT_TRANSFORMS_PASSES_TD
