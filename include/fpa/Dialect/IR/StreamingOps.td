//===- StreamingOps.td - Ops inside tiled loops ------------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_STREAMINGOPS_TD
#define FPA_DIALECT_IR_STREAMINGOPS_TD

include "fpa/Dialect/IR/FpaOpBase.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/Dialect/SCF/IR/DeviceMappingInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/Interfaces/TilingInterface.td"

def Fpa_WorkItemAttr : AttrDef<Fpa_Dialect, "WorkItem", [
    DeclareAttrInterfaceMethods<DeviceMappingAttrInterface>]> {
  let mnemonic = "work_item";
  let summary = "dimension of the parallel loop over query tiles";
  let description = [{
    The `mapping` of a dimension of the `scf.forall` that streams attention. It
    keeps the loop where it has one iteration only: what is mapped to a machine
    further down is the body of a loop.
  }];
  let parameters = (ins "int64_t":$dimension);
  let assemblyFormat = "`<` $dimension `>`";
}

def Fpa_OnlineAttentionOp : Fpa_DestinationOp<"online_attention", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>,
    DeclareOpInterfaceMethods<TilingInterface,
      ["getIterationDomain", "getLoopIteratorTypes", "getResultTilePosition",
       "getTiledImplementation", "generateResultTileValue",
       "getIterationDomainTileFromResultTile"]>,
    DeclareOpInterfaceMethods<PartialReductionOpInterface,
      ["generateInitialTensorForPartialReduction", "tileToPartialReduction",
       "mergeReductions", "getPartialResultTilePosition"]>]> {
  let summary = "one key tile of attention, carrying its state";
  let description = [{
    Adds N keys to the state of M query rows of one head. Keys are added from
    right to left: each op's keys lie directly to the left of the one before.

    | operand | shape | |
    |---|---|---|
    | query, key, value | M x D, N x D, N x Dv | one float type |
    | field, level | N, f32 or f64 | absent as in `fpa.attention` |
    | suffix | N | `min { field_t : j < t }` in this tile, if known already |
    | common | as field, a scalar | R of every row, where it is one number; may be absent |
    | smooth | as common | beta, where it is no attribute |
    | first, last | M, i64 | the keys a row sees; absent when it sees all |
    | key_offset | index | the key index of the tile's first key |
    | outs: accumulator | S x Dv, S >= M | sum of exp2(s2 - maximum) * v |
    | outs: maximum | S | running maximum of s2, -inf at first |
    | outs: sum | S | sum of exp2(s2 - maximum), 0 at first |
    | outs: minimum | S | running minimum of the field, +inf at first |

    `s2 = log2(e) * s` are logits in base 2. With S the suffix minimum and R
    the running minimum, the inner form (no first and last) computes

    ```
    A_j      = max(0, level_j - S_j)
    pen(i,j) = max(A_j, level_j - R_i)
    R_i      = min(R_i, min of the tile's field)
    ```

    and the edge form takes the minimum over `j < t <= last_i` row by row, and
    masks keys outside of `[first_i, last_i]` with -inf. NaN in a masked value
    row does not reach the accumulator.

    With `common` the inner form takes it for every `R_i`: the penalty is then one
    number per key. The minimum of the state is left as it is.

    query, first and last may have fewer rows than the outs (never more): the
    last query tile of a head keeps the state of a whole block. What the state's
    surplus rows hold is not specified. See D12, D13 and O1 to O7 of
    `docs/Spec.md`.

    ```mlir
    %a, %m, %s, %r = fpa.online_attention
      ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>)
      field(%f : tensor<256xf32>) level(%l : tensor<256xf32>)
      outs(%a0, %m0, %s0, %r0 : tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
      {scale = 0.125 : f64}
      -> tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>
    ```
  }];
  let arguments = (ins
    AnyShaped:$query, AnyShaped:$key, AnyShaped:$value,
    Optional<AnyShaped>:$field, Optional<AnyShaped>:$level,
    Optional<AnyShaped>:$suffix, Optional<AnyFloat>:$common,
    Optional<AnyFloat>:$beta,
    Optional<AnyShaped>:$first, Optional<AnyShaped>:$last,
    Optional<Index>:$key_offset,
    Variadic<AnyShaped>:$outs,
    F64Attr:$scale, OptionalAttr<F64Attr>:$smooth, UnitAttr:$non_increasing);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $query `,` $key `,` $value `:`
      type($query) `,` type($key) `,` type($value) `)`
    (`field` `(` $field^ `:` type($field) `)`)?
    (`level` `(` $level^ `:` type($level) `)`)?
    (`suffix` `(` $suffix^ `:` type($suffix) `)`)?
    (`common` `(` $common^ `:` type($common) `)`)?
    (`smooth` `(` $beta^ `:` type($beta) `)`)?
    (`interval` `(` $first^ `,` $last `at` $key_offset `:`
      type($first) `,` type($last) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = baseDeclaration # [{
    ::mlir::Value getAccumulator() { return getOuts()[0]; }
    ::mlir::Value getMaximum() { return getOuts()[1]; }
    ::mlir::Value getSum() { return getOuts()[2]; }
    ::mlir::Value getMinimum() { return getOuts()[3]; }
    ::mlir::Value getLevelOrField() { return getLevel() ? getLevel() : getField(); }
    /// True when rows see different keys of the tile (masked form).
    bool isEdge() { return bool(getFirst()); }
  }];
}

def Fpa_OnlineFinalizeOp : Fpa_DestinationOp<"online_finalize", [
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "output and log-sum-exp from the state of online attention";
  let description = [{
    `output = accumulator / sum` and `lse = ln(2) * maximum + log(sum)`; a row
    with `sum = 0` gives 0 and -inf. accumulator is S x Dv, maximum and sum are
    S; outs are the output (M x Dv, any float type) and, if wanted, lse (M). The
    outs may have fewer rows than the state (never more); its surplus rows are
    ignored. See O8 to O11 of `docs/Spec.md`.

    ```mlir
    %o, %lse = fpa.online_finalize
      ins(%a, %m, %s : tensor<48x64xf32>, tensor<48xf32>, tensor<48xf32>)
      outs(%o0, %l0 : tensor<48x64xf16>, tensor<48xf32>)
      -> tensor<48x64xf16>, tensor<48xf32>
    ```
  }];
  let arguments = (ins AnyShaped:$accumulator, AnyShaped:$maximum,
                       AnyShaped:$sum, Variadic<AnyShaped>:$outs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $accumulator `,` $maximum `,` $sum `:`
      type($accumulator) `,` type($maximum) `,` type($sum) `)`
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
}

def Fpa_PassFieldOp : Fpa_DestinationOp<"pass_field", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "running minimum of the field, past one key tile";
  let description = [{
    `minimum_i = min(minimum_i, field_t : t <= last_i)` over the N keys of a
    tile, for M query rows; without `interval` every row sees all of them. It is
    what `fpa.online_attention` does to its minimum, by itself: the backward
    walks the keys from left to right and wants the minima beforehand.

    | operand | shape | |
    |---|---|---|
    | field | N, f32 or f64 | |
    | suffix | N | `min { field_t : j < t }` in this tile, if known already |
    | last | M, i64 | the last key a row sees; absent when it sees all |
    | key_offset | index | the key index of the tile's first key |
    | outs: minimum | S >= M | +inf at first |
    | outs: copy | S | the new minimum once more, where it is wanted |

    See D21 and G1 to G4 of `docs/Spec.md`.

    ```mlir
    %r1 = fpa.pass_field field(%f : tensor<256xf32>) suffix(%s : tensor<256xf32>)
      outs(%r0 : tensor<48xf32>) -> tensor<48xf32>
    ```
  }];
  let arguments = (ins AnyShaped:$field, Optional<AnyShaped>:$suffix,
                       Optional<AnyShaped>:$last, Optional<Index>:$key_offset,
                       Variadic<AnyShaped>:$outs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `field` `(` $field `:` type($field) `)`
    (`suffix` `(` $suffix^ `:` type($suffix) `)`)?
    (`interval` `(` $last^ `at` $key_offset `:` type($last) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
}

def Fpa_BackwardDeltaOp : Fpa_DestinationOp<"backward_delta", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "what the derivative of the softmax subtracts, for query rows";
  let description = [{
    `delta_i = sum_e output_gradient_ie output_ie - lse_gradient_i`, which
    `fpa.backward_tile` takes. output and output_gradient are M x Dv of one float
    type, lse_gradient (M) may be absent; the out is S, S >= M, f32 or f64, and 0
    in its surplus rows. See G13 of `docs/Spec.md`.

    ```mlir
    %delta = fpa.backward_delta
      ins(%o, %do : tensor<48x64xf16>, tensor<48x64xf16>) lse_gradient(%dlse : tensor<48xf32>)
      outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
    ```
  }];
  let arguments = (ins AnyShaped:$output, AnyShaped:$output_gradient,
                       Optional<AnyShaped>:$lse_gradient,
                       Variadic<AnyShaped>:$outs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $output `,` $output_gradient `:`
      type($output) `,` type($output_gradient) `)`
    (`lse_gradient` `(` $lse_gradient^ `:` type($lse_gradient) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
}

def Fpa_GradientPart : I32EnumAttr<"GradientPart",
    "whose gradients a step of the backward adds to", [
    I32EnumAttrCase<"All", 0, "all">, I32EnumAttrCase<"Queries", 1, "queries">,
    I32EnumAttrCase<"Keys", 2, "keys">]> {
  let cppNamespace = "::mlir::fpa";
  let genSpecializedAttr = 0;
}
def Fpa_GradientPartAttr
    : EnumAttr<Fpa_Dialect, Fpa_GradientPart, "gradient_part"> {
  let assemblyFormat = "`<` $value `>`";
}

def Fpa_BackwardTileOp : Fpa_DestinationOp<"backward_tile", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "gradients from one tile of query rows and keys";
  let description = [{
    Adds what M query rows and N keys of one head contribute to the gradients of
    `fpa.attention`. Tiles of one row are visited from left to right.

    | operand | shape | |
    |---|---|---|
    | query, key, value | M x D, N x D, N x Dv | one float type |
    | output_gradient | M x Dv | as query |
    | lse, delta | M and R >= M, f32 or f64 | delta as of `fpa.backward_delta` |
    | field, level | N, as lse | absent as in `fpa.attention` |
    | suffix | N | as in `fpa.online_attention` |
    | minimum | R | `min field_t` from the tile's end to the row's last key |
    | passed | as lse, a scalar | the minimum is no more than this; may be absent |
    | least | as lse, a scalar | the minimum of the field over the tiles that share suffixes; absent: it is found |
    | ends | i1 | whether carries may end here; absent: they may |
    | below | i1 | whether all minima are known to be below the tile's fields and levels; absent: they are not |
    | above | i1 | whether no minimum is known to be below any level of the tile; absent: some may |
    | smooth | as passed | beta, where it is no attribute |
    | first, last, key_offset | M, M, index | as in `fpa.online_attention` |
    | outs: query gradient | S x D, S >= M | sum of dS k, not yet scaled |
    | outs: key gradient | T x D, T >= N | sum of dS q, not yet scaled |
    | outs: value gradient | T x Dv | sum of P do |
    | outs: carry | S | see below, 0 at first |
    | outs: level gradient | N; T in `<keys>` | |
    | outs: suffix gradient | N; T in `<keys>` | see below |
    | outs: field gradient | N | |

    `P = exp2(s2 - log2(e) lse)` and `dS = P (do v - delta)`; `E` is dS where the
    key is penalised, in the smooth form dS times the slope of the penalty. The
    level's gradient is `-sum_i E`. E of the keys whose minimum is not in this
    tile but to the right of it is summed over j into the carry, which moves on
    with the row. Where the minimum of this tile is below what lies to the right,
    the carry of the tiles to the left ends here.

    In the inner form (no first and last) the suffix gradient of key j is the
    sum of E whose minimum is that of the tile to the right of j, and that of
    the last key, to whose right there is nothing, is the carry that ends here:
    the tile's own minimum. The edge form adds to the field's gradient itself.

    Several tiles may share their suffixes, which then reach to the end of the
    last of them; the minimum is that from there on. Carries end in the first.

    The last four outs are there together, or none: then field and level are
    constants. See D22 to D26 and G5 to G10 of `docs/Spec.md`.

    `part <...>` says which of this is computed, each with its outs in the order
    of the table. `<queries>`: gradients of query, carry, suffix (of what the carry
    leaves) and field, as rows walk along keys. `<keys>`: gradients of key,
    value, level and suffix (of all but the carry), as keys walk along rows, in
    any order; blocks then have a row for each key.

    ```mlir
    %dq, %dk, %dv, %c, %dl, %ds, %df = fpa.backward_tile
      ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>)
      gradient(%do : tensor<48x64xf32>) saved(%lse, %delta : tensor<48xf32>, tensor<48xf32>)
      field(%f, %r : tensor<256xf32>, tensor<48xf32>)
      level(%l : tensor<256xf32>) suffix(%s : tensor<256xf32>)
      outs(%dq0, %dk0, %dv0, %c0, %dl0, %ds0, %df0 : tensor<48x64xf32>,
        tensor<256x64xf32>, tensor<256x64xf32>, tensor<48xf32>,
        tensor<256xf32>, tensor<256xf32>, tensor<256xf32>)
      {scale = 0.125 : f64} -> tensor<48x64xf32>,
        tensor<256x64xf32>, tensor<256x64xf32>, tensor<48xf32>,
        tensor<256xf32>, tensor<256xf32>, tensor<256xf32>
    ```
  }];
  let arguments = (ins
    AnyShaped:$query, AnyShaped:$key, AnyShaped:$value,
    AnyShaped:$output_gradient, AnyShaped:$lse, AnyShaped:$delta,
    Optional<AnyShaped>:$field, Optional<AnyShaped>:$level,
    Optional<AnyShaped>:$suffix, Optional<AnyShaped>:$minimum,
    Optional<AnyFloat>:$passed, Optional<AnyFloat>:$least,
    Optional<I1>:$ends, Optional<I1>:$below, Optional<I1>:$above,
    Optional<AnyFloat>:$beta, Optional<AnyShaped>:$first,
    Optional<AnyShaped>:$last, Optional<Index>:$key_offset,
    Variadic<AnyShaped>:$outs,
    F64Attr:$scale, OptionalAttr<F64Attr>:$smooth,
    DefaultValuedAttr<Fpa_GradientPartAttr, "::mlir::fpa::GradientPart::All">:$part);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    (`part` $part^)? `ins` `(` $query `,` $key `,` $value `:`
      type($query) `,` type($key) `,` type($value) `)`
    `gradient` `(` $output_gradient `:` type($output_gradient) `)`
    `saved` `(` $lse `,` $delta `:` type($lse) `,` type($delta) `)`
    (`field` `(` $field^ `,` $minimum `:` type($field) `,` type($minimum) `)`)?
    (`passed` `(` $passed^ `:` type($passed) `)`)?
    (`least` `(` $least^ `:` type($least) `)`)?
    (`ends` `(` $ends^ `)`)?
    (`below` `(` $below^ `)`)?
    (`above` `(` $above^ `)`)?
    (`level` `(` $level^ `:` type($level) `)`)?
    (`suffix` `(` $suffix^ `:` type($suffix) `)`)?
    (`smooth` `(` $beta^ `:` type($beta) `)`)?
    (`interval` `(` $first^ `,` $last `at` $key_offset `:`
      type($first) `,` type($last) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = baseDeclaration # [{
    /// The outs that a step may have, in their order.
    enum class Sum { Query, Key, Value, Carry, Level, Suffix, Field };
    /// Those that this step has.
    ::llvm::SmallVector<Sum> getSums();
    /// An out, or null.
    ::mlir::Value getSum(Sum sum);
    /// True when field and level have gradients.
    bool hasFieldGradient();
    /// True when rows see different keys of the tile (masked form).
    bool isEdge() { return bool(getFirst()); }
  }];
}

def Fpa_BackwardFinalizeOp : Fpa_DestinationOp<"backward_finalize", [
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "gradient of query rows from its sum";
  let description = [{
    `gradient = scale * sum` in the gradient's type, for the sum (S x D) that
    `fpa.backward_tile` carries. The outs (M x D, M <= S) may have fewer rows.
    See G11 of `docs/Spec.md`.

    ```mlir
    %dq = fpa.backward_finalize ins(%a : tensor<48x64xf32>)
      outs(%dq0 : tensor<48x64xf16>) {scale = 0.125 : f64} -> tensor<48x64xf16>
    ```
  }];
  let arguments = (ins AnyShaped:$accumulator, Variadic<AnyShaped>:$outs,
                       F64Attr:$scale);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $accumulator `:` type($accumulator) `)`
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
}

#endif // FPA_DIALECT_IR_STREAMINGOPS_TD
