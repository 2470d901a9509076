//===- FpaTransformOps.td - Transform ops for fpa ----------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_TRANSFORMOPS_FPATRANSFORMOPS_TD
#define FPA_DIALECT_TRANSFORMOPS_FPATRANSFORMOPS_TD

include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/IR/TransformTypes.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Fpa_TransformTileAttentionOp : Op<Transform_Dialect, "fpa.tile_attention",
    [FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface,
     TransformEachOpTrait, TransformOpInterface,
     ReportTrackingListenerFailuresOpTrait]> {
  let cppNamespace = "::mlir::fpa";
  let summary = "streams an fpa.attention, as the pass fpa-tile-attention does";
  let description = [{
    Replaces each `fpa.attention` of `target` by a parallel loop over batch,
    head and query tile that walks the keys with `fpa.online_attention`, and
    gives a handle to that loop. Sizes are in rows and keys; they default to
    those of the pass. Fails definitely where the op cannot be tiled.

    ```mlir
    %loop = transform.fpa.tile_attention %op query_tile(32) key_tile(128)
      : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$query_tile,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$key_tile,
    OptionalAttr<ConfinedAttr<I64Attr, [IntPositive]>>:$edge_tile);
  let results = (outs TransformHandleTypeInterface:$loop);
  let assemblyFormat = [{
    $target oilist(`query_tile` `(` $query_tile `)`
      | `key_tile` `(` $key_tile `)` | `edge_tile` `(` $edge_tile `)`)
    attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        ::mlir::Operation *target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def Fpa_TransformDecomposeOp : Op<Transform_Dialect, "fpa.decompose",
    [FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface,
     DeclareOpInterfaceMethods<TransformOpInterface>,
     ReportTrackingListenerFailuresOpTrait]> {
  let cppNamespace = "::mlir::fpa";
  let summary = "replaces an aggregate fpa op by plain linalg";
  let description = [{
    As the pass fpa-decompose does, for the ops of `target` only. Unlike
    `transform.structured.decompose_interface` it takes ops of any number of
    results; `decomposed` is a handle to the ops that now compute them, in order.
    Fails silenceably where an op has no decomposition.

    ```mlir
    %ops = transform.fpa.decompose %op : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$decomposed);
  let assemblyFormat =
    "$target attr-dict `:` functional-type(operands, results)";
}

#endif // FPA_DIALECT_TRANSFORMOPS_FPATRANSFORMOPS_TD
