//===- FpaOps.td - Ops of the fpa dialect ------------------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_FPAOPS_TD
#define FPA_DIALECT_IR_FPAOPS_TD

include "fpa/Dialect/IR/FpaDialect.td"
include "fpa/Dialect/IR/FpaInterfaces.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/Dialect/SCF/IR/DeviceMappingInterface.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/IndexingMapOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/TilingInterface.td"

class Fpa_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fpa_Dialect, mnemonic, traits>;

/// Ops on tensors or memrefs that write into their `outs`. On tensors they have
/// no effects and may be speculated; on memrefs they read ins and write outs.
class Fpa_DestinationOp<string mnemonic, list<Trait> traits = []>
    : Fpa_Op<mnemonic, !listconcat([
        DestinationStyleOpInterface,
        DeclareOpInterfaceMethods<ConditionallySpeculatable>,
        DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
        DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface, ["reifyResultShapes"]>
      ], traits)> {
  code baseDeclaration = [{
    ::mlir::MutableOperandRange getDpsInitsMutable() {
      return getOutsMutable();
    }
  }];
  let extraClassDeclaration = baseDeclaration;
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Graph level
//===----------------------------------------------------------------------===//

def Fpa_AttentionOp : Fpa_DestinationOp<"attention", [
    AttrSizedOperandSegments, AttentionOpInterface,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>,
    DeclareOpInterfaceMethods<TilingInterface,
      ["getIterationDomain", "getLoopIteratorTypes", "getResultTilePosition",
       "getTiledImplementation", "generateResultTileValue",
       "getIterationDomainTileFromResultTile"]>]> {
  let summary = "attention with a first passage penalty";
  let description = [{
    Shapes (B batch, HQ query heads, HK key heads, L lengths, D head sizes):

    | operand | shape | element type |
    |---|---|---|
    | query | B x HQ x Lq x D | f16, bf16, f32 or f64 |
    | key | B x HK x Lk x D | as query |
    | value | B x HK x Lk x Dv | as query |
    | field | B x HF x Lk, HF = HK or HQ | f32 (f64 when query is f64) |
    | level | as field | as field |
    | cu_seqlens_q, cu_seqlens_k | N + 1 | i64 |
    | outs: output | B x HQ x Lq x Dv | as query |
    | outs: lse (optional) | B x HQ x Lq | as field |

    HQ is a multiple of HK. With `p_i = i + Lk - Lq` (bottom-right causal):

    ```
    m(i,j)   = min { field_t : j < t <= p_i }      +inf when empty
    pen(i,j) = max(0, level_j - m(i,j))
    s(i,j)   = scale * <q_i, k_j> - pen(i,j)       for j <= p_i, else -inf
    output_i = sum_j softmax_j(s(i,j)) * v_j       lse_i = log sum_j exp s(i,j)
    ```

    - No `field`: plain causal softmax. No `level`: tied, `level = field`.
    - `scale` defaults to 1 / sqrt(D).
    - `window = w` keeps the keys with `p_i - w < j`.
    - `smooth = beta` replaces the penalty by `softplus(beta z) / beta` with
      `z = level_j - m(i,j)`; beta is in units of 1 / logit.
    - `non_increasing` asserts that level is tied and that the field never
      rises, as in FoX (a sum of log gates) and ALiBi; then
      `m(i,j) = field_{p_i}`. The canonicalizer sets it where it can prove it.
    - `cu_seqlens_q` and `cu_seqlens_k` (both or neither; B = 1) pack N
      sequences along L: sequence n has the query rows
      `[cu_seqlens_q[n], cu_seqlens_q[n+1])` and likewise its keys; nothing
      crosses a boundary and each sequence is aligned bottom-right by itself.
    - A row that sees no key gives output 0 and lse -inf.
    - Static sizes that disagree are refused, a dynamic size agrees with every
      other. With a dynamic D the scale must be given.

    Operands are all tensors, with one result for each of the outs, or all
    memrefs, without results. `docs/Spec.md` has the definition, what is
    refused (its rules A) and how exact a result is (its rules N).

    The canonicalizer drops a level that is the field itself, field and level
    that penalise nothing (a field of +inf, a level of -inf, a tied field that is
    one constant), a window that hides nothing and an lse that nobody reads.

    ```mlir
    %o, %lse = fpa.attention
      ins(%q, %k, %v : tensor<1x8x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>)
      field(%f : tensor<1x2x?xf32>) level(%l : tensor<1x2x?xf32>)
      outs(%o0, %l0 : tensor<1x8x?x64xf32>, tensor<1x8x?xf32>)
      {window = 128 : i64} -> tensor<1x8x?x64xf32>, tensor<1x8x?xf32>
    ```
  }];

  let arguments = (ins
    AnyShaped:$query, AnyShaped:$key, AnyShaped:$value,
    Optional<AnyShaped>:$field, Optional<AnyShaped>:$level,
    Optional<AnyShaped>:$cu_seqlens_q, Optional<AnyShaped>:$cu_seqlens_k,
    Variadic<AnyShaped>:$outs,
    OptionalAttr<F64Attr>:$scale,
    OptionalAttr<I64Attr>:$window,
    OptionalAttr<F64Attr>:$smooth,
    UnitAttr:$non_increasing);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $query `,` $key `,` $value `:`
      type($query) `,` type($key) `,` type($value) `)`
    (`field` `(` $field^ `:` type($field) `)`)?
    (`level` `(` $level^ `:` type($level) `)`)?
    (`cu_seqlens` `(` $cu_seqlens_q^ `,` $cu_seqlens_k `:`
      type($cu_seqlens_q) `,` type($cu_seqlens_k) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = baseDeclaration # [{
    ::mlir::Value getOutput() { return getOuts()[0]; }
    /// The init of the log-sum-exp, or null when it is not asked for.
    ::mlir::Value getLse() { return getOuts().size() > 1 ? getOuts()[1] : ::mlir::Value(); }
  }];
}

def Fpa_AttentionBackwardOp : Fpa_DestinationOp<"attention_backward", [
    AttrSizedOperandSegments, AttentionOpInterface,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "gradients of attention with a first passage penalty";
  let description = [{
    The gradients of `sum(output_gradient * output) + sum(lse_gradient * lse)`,
    output and lse as `fpa.attention` has them for the same operands and
    options. Shapes (as there):

    | operand | shape | element type |
    |---|---|---|
    | query, key, value, field, level, cu_seqlens | as in `fpa.attention` | |
    | saved: output | B x HQ x Lq x Dv | as query |
    | saved: lse | B x HQ x Lq | as field |
    | gradient: output_gradient | as output | as query |
    | lse_gradient (optional) | as lse | as field |
    | outs: gradients of query, key, value | as the operand | as query |
    | outs: gradients of field, level (optional) | as the operand | as field |

    ```
    P(i,j)  = exp(s(i,j) - lse_i)               for the keys that row i sees
    Delta_i = <output_gradient_i, output_i> - lse_gradient_i
    dS(i,j) = P(i,j) * (<output_gradient_i, v_j> - Delta_i)
    dv_j    = sum_i P(i,j) * output_gradient_i
    dq_i    = scale * sum_j dS(i,j) * k_j
    dk_j    = scale * sum_i dS(i,j) * q_i
    dlevel_j = -sum_i dS(i,j)                   over level_j > m(i,j)
    dfield_t = sum of dS(i,j)                   over level_j > m(i,j), t = t(i,j)
    ```

    - `t(i,j)` is where the field is least for `j < t <= p_i`; of equal minima
      the last counts.
    - Three outs: field and level, if any, are constants. Four: field and level
      are tied, and the field gets both its gradients. Five: of field and level,
      which needs a level.
    - With `smooth = beta` every pair of a non-empty `(j, p_i]` counts, times
      `sigmoid(beta z)` with `z = level_j - m(i,j)`.
    - Gradients of key, value, field and level are sums over the query heads
      that share the head.
    - A row that sees no key gives nothing and gets 0. Infinite fields and
      levels are those that `fpa.attention` puts in their place.
    - There is no `non_increasing`: the rule above covers it.

    Operands are all tensors, with one result for each of the outs, or all
    memrefs, without results. See D14 to D19, B1 to B6 of `docs/Spec.md`.

    ```mlir
    %dq, %dk, %dv, %df, %dl = fpa.attention_backward
      ins(%q, %k, %v : tensor<1x8x?x64xf32>, tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>)
      field(%f : tensor<1x2x?xf32>) level(%l : tensor<1x2x?xf32>)
      saved(%o, %lse : tensor<1x8x?x64xf32>, tensor<1x8x?xf32>)
      gradient(%do : tensor<1x8x?x64xf32>) lse_gradient(%dlse : tensor<1x8x?xf32>)
      outs(%q0, %k0, %v0, %df0, %dl0 : tensor<1x8x?x64xf32>, tensor<1x2x?x64xf32>,
        tensor<1x2x?x64xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>)
      {window = 128 : i64} -> tensor<1x8x?x64xf32>, tensor<1x2x?x64xf32>,
        tensor<1x2x?x64xf32>, tensor<1x2x?xf32>, tensor<1x2x?xf32>
    ```
  }];

  let arguments = (ins
    AnyShaped:$query, AnyShaped:$key, AnyShaped:$value,
    Optional<AnyShaped>:$field, Optional<AnyShaped>:$level,
    Optional<AnyShaped>:$cu_seqlens_q, Optional<AnyShaped>:$cu_seqlens_k,
    AnyShaped:$output, AnyShaped:$lse,
    AnyShaped:$output_gradient, Optional<AnyShaped>:$lse_gradient,
    Variadic<AnyShaped>:$outs,
    OptionalAttr<F64Attr>:$scale,
    OptionalAttr<I64Attr>:$window,
    OptionalAttr<F64Attr>:$smooth);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $query `,` $key `,` $value `:`
      type($query) `,` type($key) `,` type($value) `)`
    (`field` `(` $field^ `:` type($field) `)`)?
    (`level` `(` $level^ `:` type($level) `)`)?
    (`cu_seqlens` `(` $cu_seqlens_q^ `,` $cu_seqlens_k `:`
      type($cu_seqlens_q) `,` type($cu_seqlens_k) `)`)?
    `saved` `(` $output `,` $lse `:` type($output) `,` type($lse) `)`
    `gradient` `(` $output_gradient `:` type($output_gradient) `)`
    (`lse_gradient` `(` $lse_gradient^ `:` type($lse_gradient) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = baseDeclaration # [{
    ::mlir::Value getQueryGradient() { return getOuts()[0]; }
    ::mlir::Value getKeyGradient() { return getOuts()[1]; }
    ::mlir::Value getValueGradient() { return getOuts()[2]; }
    /// The inits of field and level gradients, or null where not asked for.
    /// Where the two are tied the field's is the sum of both.
    ::mlir::Value getFieldGradient() { return getOuts().size() > 3 ? getOuts()[3] : ::mlir::Value(); }
    ::mlir::Value getLevelGradient() { return getOuts().size() > 4 ? getOuts()[4] : ::mlir::Value(); }
  }];
}

class Fpa_PrefixOp<string mnemonic> : Fpa_DestinationOp<mnemonic, [
    DeclareOpInterfaceMethods<IndexingMapOpInterface>,
    DeclareOpInterfaceMethods<TilingInterface,
      ["getIterationDomain", "getLoopIteratorTypes", "getResultTilePosition",
       "getTiledImplementation", "generateResultTileValue",
       "getIterationDomainTileFromResultTile"]>]> {
  let arguments = (ins
    AnyShaped:$input, Variadic<AnyShaped>:$outs,
    I64Attr:$axis, UnitAttr:$reverse, UnitAttr:$exclusive,
    OptionalAttr<I64Attr>:$segment);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `axis` `(` $axis `)` oilist(`reverse` $reverse | `exclusive` $exclusive
      | `segment` `(` $segment `)`)
    `ins` `(` $input `:` type($input) `)`
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let hasFolder = 1;
  code prefixDeclaration = baseDeclaration # [{
    ::mlir::ShapedType getInputType() { return ::llvm::cast<::mlir::ShapedType>(getInput().getType()); }
    /// What IndexingMapOpInterface asks for.
    ::llvm::ArrayRef<int64_t> getShape(::mlir::OpOperand *operand) {
      return ::llvm::cast<::mlir::ShapedType>(operand->get().getType()).getShape();
    }
  }];
  let extraClassDeclaration = prefixDeclaration;
}

def Fpa_PrefixMinOp : Fpa_PrefixOp<"prefix_min"> {
  let summary = "running minimum along one axis, with the place of it";
  let description = [{
    `out_t = min { in_u : u <= t }` along `axis`; with `exclusive`, `u < t`
    and +inf where that is empty; with `reverse`, `u >= t` (`u > t`). With
    `segment (n)` the scan starts anew at every multiple of n, so that it gives
    the minima inside tiles of n elements.

    A second `outs` of i64 receives the index of the minimum along the axis, -1
    where the set is empty. Among equal minima the largest index wins. A NaN is
    smaller than everything: from where it stands the minimum is NaN, and the
    index is that of the last NaN.

    The element type is f16, bf16, f32 or f64; outs have the input's shape. The
    axis is of any length, 0 included. See D8 to D11, P1 to P7 and N8 of
    `docs/Spec.md`.

    ```mlir
    %m, %at = fpa.prefix_min axis(1) reverse exclusive
      ins(%x : tensor<4x?xf32>) outs(%m0, %i0 : tensor<4x?xf32>, tensor<4x?xi64>)
      -> tensor<4x?xf32>, tensor<4x?xi64>
    ```
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = prefixDeclaration # [{
    ::mlir::Value getOutput() { return getOuts()[0]; }
    /// The init of the indices, or null when they are not asked for.
    ::mlir::Value getIndex() { return getOuts().size() > 1 ? getOuts()[1] : ::mlir::Value(); }
  }];
}

def Fpa_PrefixSumOp : Fpa_PrefixOp<"prefix_sum"> {
  let summary = "running sum along one axis";
  let description = [{
    `out_t = sum { in_u : u <= t }` along `axis`, with `exclusive`, `reverse`
    and `segment` as in `fpa.prefix_min`. Sums are formed blockwise, so the
    rounding error grows with the logarithm of the length within a block and
    with the number of blocks beyond it. Element type f32 or f64.

    FoX's field is the prefix sum of log gates; the recogniser looks for it. See
    D9, D10, P1 to P7 and N9 of `docs/Spec.md`.

    ```mlir
    %s = fpa.prefix_sum axis(0) ins(%x : tensor<?xf32>) outs(%s0 : tensor<?xf32>)
      -> tensor<?xf32>
    ```
  }];
}

def Fpa_PrefixMinBackwardOp : Fpa_DestinationOp<"prefix_min_backward", [
    DeclareOpInterfaceMethods<IndexingMapOpInterface>,
    DeclareOpInterfaceMethods<TilingInterface,
      ["getIterationDomain", "getLoopIteratorTypes", "getResultTilePosition",
       "getTiledImplementation", "generateResultTileValue",
       "getIterationDomainTileFromResultTile"]>]> {
  let summary = "gradients of running minima, added where the minima stand";
  let description = [{
    `out_t = sum { gradient_u : index_u = t }` along `axis`, the derivative of
    `fpa.prefix_min` whose second result is `index`. Indices that are no place
    on the axis, as -1 for the minimum of nothing, are ignored. Terms are added
    in the order of u. The outs are overwritten.

    Index i64, gradient and output f32 or f64, all of one shape of any rank. See
    D20, P2 to P4 and P7 to P9 of `docs/Spec.md`.

    ```mlir
    %dx = fpa.prefix_min_backward axis(1)
      ins(%at, %dm : tensor<4x?xi64>, tensor<4x?xf32>) outs(%dx0 : tensor<4x?xf32>)
      -> tensor<4x?xf32>
    ```
  }];
  let arguments = (ins AnyShaped:$index, AnyShaped:$gradient,
                       Variadic<AnyShaped>:$outs, I64Attr:$axis);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `axis` `(` $axis `)`
    `ins` `(` $index `,` $gradient `:` type($index) `,` type($gradient) `)`
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = baseDeclaration # [{
    ::mlir::ShapedType getIndexType() { return ::llvm::cast<::mlir::ShapedType>(getIndex().getType()); }
    /// What IndexingMapOpInterface asks for.
    ::llvm::ArrayRef<int64_t> getShape(::mlir::OpOperand *operand) {
      return ::llvm::cast<::mlir::ShapedType>(operand->get().getType()).getShape();
    }
  }];
}

def Fpa_KeyIntervalsOp : Fpa_DestinationOp<"key_intervals", [
    AttrSizedOperandSegments]> {
  let summary = "the interval of keys that each query row sees";
  let description = [{
    For each query row i the first and the last key index it may attend to,
    `first_i <= j <= last_i`, as i64. A row that sees no key has
    `last_i = first_i - 1`. Both never fall as i grows.

    Without `cu_seqlens`: `last_i = max(-1, i + Lk - Lq)`,
    `first_i = max(0, last_i - window + 1)`. With `cu_seqlens` the same inside
    each packed sequence, in indices of the packed axis. Lq is the length of
    the outs, Lk the operand `key_length`. Operands and outs are of rank 1, see
    K1 to K5 of `docs/Spec.md`.

    ```mlir
    %first, %last = fpa.key_intervals key_length(%lk)
      outs(%f0, %l0 : tensor<?xi64>, tensor<?xi64>) {window = 64 : i64}
      -> tensor<?xi64>, tensor<?xi64>
    ```
  }];
  let arguments = (ins
    Index:$key_length,
    Optional<AnyShaped>:$cu_seqlens_q, Optional<AnyShaped>:$cu_seqlens_k,
    Variadic<AnyShaped>:$outs, OptionalAttr<I64Attr>:$window);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `key_length` `(` $key_length `)`
    (`cu_seqlens` `(` $cu_seqlens_q^ `,` $cu_seqlens_k `:`
      type($cu_seqlens_q) `,` type($cu_seqlens_k) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
}

//===----------------------------------------------------------------------===//
// Streaming level
//===----------------------------------------------------------------------===//

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
    Optional<AnyShaped>:$suffix,
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
    | output, output_gradient | M x Dv | as query |
    | lse, lse_gradient | M, f32 or f64 | lse_gradient may be absent |
    | field, level | N, as lse | absent as in `fpa.attention` |
    | suffix | N | as in `fpa.online_attention` |
    | minimum | S | `min field_t` from the tile's end to the row's last key |
    | first, last, key_offset | M, M, index | as in `fpa.online_attention` |
    | outs: query gradient | S x D, S >= M | sum of dS k, not yet scaled |
    | outs: key gradient | N x D | sum of dS q, not yet scaled |
    | outs: value gradient | N x Dv | sum of P do |
    | outs: carry | S | see below, 0 at first |
    | outs: level gradient | N | |
    | outs: suffix gradient | N | see below |
    | outs: field gradient | N | |

    `P = exp2(s2 - log2(e) lse)` and `dS = P (do v - Delta)` with
    `Delta = do output - lse_gradient`; `E` is dS where the key is penalised, in
    the smooth form dS times the slope of the penalty. The level's gradient is
    `-sum_i E`. E of the keys whose minimum is not in this tile but to the right
    of it is summed over j into the carry, which moves on with the row. Where
    the minimum of this tile is below what lies to the right, the carry of the
    tiles to the left ends here.

    In the inner form (no first and last) the suffix gradient of key j is the
    sum of E whose minimum is that of the tile to the right of j, and that of
    the last key, to whose right there is nothing, is the carry that ends here:
    the tile's own minimum. The edge form adds to the field's gradient itself.

    The last four outs are there together, or none: then field and level are
    constants. See D22 to D25 and G5 to G10 of `docs/Spec.md`.

    ```mlir
    %dq, %dk, %dv, %c, %dl, %ds, %df = fpa.backward_tile
      ins(%q, %k, %v : tensor<48x64xf32>, tensor<256x64xf32>, tensor<256x64xf32>)
      saved(%o, %lse : tensor<48x64xf32>, tensor<48xf32>)
      gradient(%do : tensor<48x64xf32>) lse_gradient(%dlse : tensor<48xf32>)
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
    AnyShaped:$output, AnyShaped:$output_gradient,
    AnyShaped:$lse, Optional<AnyShaped>:$lse_gradient,
    Optional<AnyShaped>:$field, Optional<AnyShaped>:$level,
    Optional<AnyShaped>:$suffix, Optional<AnyShaped>:$minimum,
    Optional<AnyShaped>:$first, Optional<AnyShaped>:$last,
    Optional<Index>:$key_offset,
    Variadic<AnyShaped>:$outs,
    F64Attr:$scale, OptionalAttr<F64Attr>:$smooth);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $query `,` $key `,` $value `:`
      type($query) `,` type($key) `,` type($value) `)`
    `saved` `(` $output `,` $lse `:` type($output) `,` type($lse) `)`
    `gradient` `(` $output_gradient `:` type($output_gradient) `)`
    (`lse_gradient` `(` $lse_gradient^ `:` type($lse_gradient) `)`)?
    (`field` `(` $field^ `,` $minimum `:` type($field) `,` type($minimum) `)`)?
    (`level` `(` $level^ `:` type($level) `)`)?
    (`suffix` `(` $suffix^ `:` type($suffix) `)`)?
    (`interval` `(` $first^ `,` $last `at` $key_offset `:`
      type($first) `,` type($last) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = baseDeclaration # [{
    ::mlir::Value getQueryGradient() { return getOuts()[0]; }
    ::mlir::Value getKeyGradient() { return getOuts()[1]; }
    ::mlir::Value getValueGradient() { return getOuts()[2]; }
    /// True when field and level have gradients; then the rest is there.
    bool hasFieldGradient() { return getOuts().size() > 3; }
    ::mlir::Value getCarry() { return getOuts()[3]; }
    ::mlir::Value getLevelGradient() { return getOuts()[4]; }
    ::mlir::Value getSuffixGradient() { return getOuts()[5]; }
    ::mlir::Value getFieldGradient() { return getOuts()[6]; }
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

//===----------------------------------------------------------------------===//
// Tile program level
//===----------------------------------------------------------------------===//

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

//===----------------------------------------------------------------------===//
// Machine level
//===----------------------------------------------------------------------===//

def Fpa_ParallelCallOp : Fpa_Op<"parallel_call", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a function for every index of a range, on all threads";
  let description = [{
    Calls `callee(i, args...)` once for every `0 <= i < count`, in any order
    and concurrently, and returns when all calls have returned. The callee
    returns nothing. See C1 to C3 of `docs/Spec.md`.

    ```mlir
    fpa.parallel_call @body(%n) args(%a, %b : memref<?xf32>, index)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Index:$count,
                       Variadic<AnyType>:$args);
  let assemblyFormat = [{
    $callee `(` $count `)` (`args` `(` $args^ `:` type($args) `)`)? attr-dict
  }];
}

#endif // FPA_DIALECT_IR_FPAOPS_TD
