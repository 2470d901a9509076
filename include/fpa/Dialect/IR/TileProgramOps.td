//===- TileProgramOps.td - Ops on block vectors ------------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_TILEPROGRAMOPS_TD
#define FPA_DIALECT_IR_TILEPROGRAMOPS_TD

include "fpa/Dialect/IR/FpaOpBase.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

def Fpa_ScanKind : I32EnumAttr<"ScanKind", "what a scan combines with", [
    I32EnumAttrCase<"Min", 0, "min">, I32EnumAttrCase<"Sum", 1, "sum">]> {
  let cppNamespace = "::mlir::fpa";
  let genSpecializedAttr = 0;
}
def Fpa_ScanKindAttr : EnumAttr<Fpa_Dialect, Fpa_ScanKind, "scan_kind"> {
  let assemblyFormat = "`<` $value `>`";
}

def Fpa_LayoutAttr : AttrDef<Fpa_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "where the elements of a block vector live on a GPU";
  let description = [{
    One string per dimension of a block vector. It lists who holds each bit of
    an element's index, from the lowest: `r` the registers of one thread, `l0`
    to `l4` the bits of the lane in its warp, `w0`, `w1`, ... the bits of the
    warp in its block; then `xN` for N further registers. `"r l0 l1 x8"` is a
    dimension of 64 elements, two neighbours in a thread, four threads side by
    side, repeated 8 times. Threads that differ in a bit no dimension names hold
    copies.

    `fpa-assign-layouts` puts an array of these, one per result, on every op of
    a tile program as `fpa.layouts`; `convert-fpa-tile-to-gpu` obeys them.

    ```mlir
    #fpa.layout<["l2 l3 l4 r w0 w1 x1", "r l0 l1 x8"]>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"::mlir::StringAttr">:$dims);
  let assemblyFormat = "`<` `[` $dims `]` `>`";
  let genVerifyDecl = 1;
}

def Fpa_VectorScanOp : Fpa_Op<"vector_scan", [Pure,
    AllTypesMatch<["source", "scanned"]>, AllTypesMatch<["init", "total"]>,
    OptionalTypesMatchWith<"reset has the shape of source", "source", "reset",
      "::llvm::cast<::mlir::VectorType>($_self).clone(::mlir::IntegerType::get($_ctxt, 1))">]> {
  let summary = "scan of a vector along one axis, with a carry in and out";
  let description = [{
    `scanned_t = init o source_0 o ... o source_t` along `axis`, where o is the
    minimum (a NaN wins) or the sum; `exclusive` leaves `source_t` out,
    `reverse` goes from the end. `total` is init combined with all of source.
    `init` and `total` have the shape of source without the axis; for a vector
    of rank 1 they are of rank 0.

    `reset` takes out of the scan, after each position where it holds, what
    `scanned` holds there: the next positions, and `total`, begin anew with the
    elements that follow; with `exclusive` with that of the position itself,
    which its `scanned` does not hold. See V1 to V4 of `docs/Spec.md`.

    ```mlir
    %m, %carry = fpa.vector_scan <min> axis(1) reverse exclusive %w, %r
      : vector<48x64xf32>, vector<48xf32>
    %s, %left = fpa.vector_scan <sum> axis(1) exclusive %w, %r reset(%stop)
      : vector<48x64xf32>, vector<48xf32>
    ```
  }];
  let arguments = (ins Fpa_ScanKindAttr:$kind, AnyVectorOfAnyRank:$source,
                       AnyVectorOfAnyRank:$init,
                       Optional<AnyVectorOfAnyRank>:$reset, I64Attr:$axis,
                       UnitAttr:$reverse, UnitAttr:$exclusive);
  let results = (outs AnyVectorOfAnyRank:$scanned, AnyVectorOfAnyRank:$total);
  let assemblyFormat = [{
    $kind `axis` `(` $axis `)` oilist(`reverse` $reverse | `exclusive` $exclusive)
    $source `,` $init (`reset` `(` $reset^ `)`)? attr-dict
    `:` type($source) `,` type($init)
  }];
  let extraClassDeclaration = [{
    /// +inf for the minimum, 0 for the sum.
    ::mlir::TypedAttr getNeutral();
  }];
  let hasVerifier = 1;
  let hasCanonicalizer = 1;
}

def Fpa_ConvertLayoutOp : Fpa_Op<"convert_layout", [Pure,
    SameOperandsAndResultType]> {
  let summary = "a block vector in another layout";
  let description = [{
    The same block; its `fpa.layouts` says who holds its elements from here on.
    They change hands through shared memory. `fpa-assign-layouts` puts it where
    what threads compute only once is needed by all of them.

    ```mlir
    %y = fpa.convert_layout %x {fpa.layouts = [#fpa.layout<["r l0 l1 x8"]>]} : vector<64xf32>
    ```
  }];
  let arguments = (ins AnyVectorOfAnyRank:$source);
  let results = (outs AnyVectorOfAnyRank:$result);
  let assemblyFormat = "$source attr-dict `:` type($source)";
}

#endif // FPA_DIALECT_IR_TILEPROGRAMOPS_TD
