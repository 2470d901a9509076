//===- FpaDialect.td - The fpa dialect ---------------------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_FPADIALECT_TD
#define FPA_DIALECT_IR_FPADIALECT_TD

include "mlir/IR/OpBase.td"

def Fpa_Dialect : Dialect {
  let name = "fpa";
  let cppNamespace = "::mlir::fpa";
  let summary = "First Passage Attention";
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
  let useDefaultAttributePrinterParser = 1;
  // Folds give arith constants, canonical forms arith and vector ops.
  let hasConstantMaterializer = 1;
  let dependentDialects = ["::mlir::arith::ArithDialect",
                           "::mlir::vector::VectorDialect"];
  let description = [{
    Attention whose logits drop by the deepest dip of a scalar *field* below a
    key's *level* between key and query. `docs/Spec.md` is the definition,
    `docs/Rationale.md` says why the ops are what they are.

    The ops stand on four levels, each of them text:

    1. graph: `fpa.attention`, `fpa.prefix_min`, `fpa.prefix_min_backward`, `fpa.prefix_sum`,
       `fpa.key_intervals` on whole tensors, and for decoding `fpa.live_keys`,
       `fpa.cached_attention`, `fpa.update_cache`;
    2. streaming: `fpa.online_attention` and `fpa.online_finalize` inside tiled
       loops, carrying accumulator, row maximum, row sum and running minimum;
    3. tile program: block-sized vectors, with `fpa.vector_scan`,
       and `fpa.convert_layout` where threads hold their elements;
    4. machine: `fpa.parallel_call` and upstream's vector, scf and memref.
  }];
}

#endif // FPA_DIALECT_IR_FPADIALECT_TD
