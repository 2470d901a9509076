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

#endif // FPA_DIALECT_TRANSFORMS_PASSES_TD
