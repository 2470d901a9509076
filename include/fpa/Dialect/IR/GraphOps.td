//===- GraphOps.td - Ops on whole tensors ------------------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_GRAPHOPS_TD
#define FPA_DIALECT_IR_GRAPHOPS_TD

include "fpa/Dialect/IR/FpaInterfaces.td"
include "fpa/Dialect/IR/FpaOpBase.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"
include "mlir/Interfaces/IndexingMapOpInterface.td"
include "mlir/Interfaces/TilingInterface.td"

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
    | smooth | a number, rank 0 | as field |
    | outs: output | B x HQ x Lq x Dv | as query |
    | outs: lse (optional) | B x HQ x Lq | as field |
    | outs: dropped (optional, after lse) | B x HQ x Lq | as field |
    | outs: skipped, ended (optional, after dropped) | B x HQ x Lq | i64 |

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
      `z = level_j - m(i,j)`; beta is in units of 1 / logit. The operand smooth is
      the same for a beta that is known at run time only; a program serves all.
    - `non_increasing` asserts that level is tied and that the field never
      rises, as in FoX (a sum of log gates) and ALiBi; then
      `m(i,j) = field_{p_i}`. The canonicalizer sets it where it can prove it.
    - `cu_seqlens_q` and `cu_seqlens_k` (both or neither; B = 1) pack N
      sequences along L: sequence n has the query rows
      `[cu_seqlens_q[n], cu_seqlens_q[n+1])` and likewise its keys; nothing
      crosses a boundary and each sequence is aligned bottom-right by itself.
    - A row that sees no key gives output 0 and lse -inf.
    - `prune_eps = eps` permits to leave keys out that have together no more than
      the share eps of a row's softmax mass. dropped is an upper bound of that
      share, itself at most eps; skipped counts the keys in the row's sight whose
      tiles were left out one by one, ended those that were left out together as
      the walk ended early.
    - Static sizes that disagree are refused, a dynamic size agrees with every
      other. With a dynamic D the scale must be given.

    Operands are all tensors, with one result for each of the outs, or all
    memrefs, without results. `docs/Spec.md` has the definition, what is
    refused (its rules A) and how exact a result is (its rules N).

    The canonicalizer drops a level that is the field itself, field and level
    that penalise nothing (a field of +inf, a level of -inf, a tied field that is
    one constant), a window that hides nothing, a `prune_eps` of 0 and the last outs
    that nobody reads. An operand smooth that is constant becomes the attribute.

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
    Optional<AnyShaped>:$beta, Variadic<AnyShaped>:$outs,
    OptionalAttr<F64Attr>:$scale,
    OptionalAttr<I64Attr>:$window,
    OptionalAttr<F64Attr>:$smooth,
    UnitAttr:$non_increasing,
    OptionalAttr<F64Attr>:$prune_eps);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $query `,` $key `,` $value `:`
      type($query) `,` type($key) `,` type($value) `)`
    (`field` `(` $field^ `:` type($field) `)`)?
    (`level` `(` $level^ `:` type($level) `)`)?
    (`cu_seqlens` `(` $cu_seqlens_q^ `,` $cu_seqlens_k `:`
      type($cu_seqlens_q) `,` type($cu_seqlens_k) `)`)?
    (`smooth` `(` $beta^ `:` type($beta) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = baseDeclaration # [{
    ::mlir::Value getOutput() { return getOuts()[0]; }
    /// The init of the log-sum-exp, or null when it is not asked for.
    ::mlir::Value getLse() { return getOuts().size() > 1 ? getOuts()[1] : ::mlir::Value(); }
    /// The inits of what pruning tells of itself, or null.
    ::mlir::Value getDropped() { return getOuts().size() > 2 ? getOuts()[2] : ::mlir::Value(); }
    ::mlir::Value getSkipped() { return getOuts().size() > 3 ? getOuts()[3] : ::mlir::Value(); }
    ::mlir::Value getEnded() { return getOuts().size() > 4 ? getOuts()[4] : ::mlir::Value(); }
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
    | query, key, value, field, level, cu_seqlens, smooth | as in `fpa.attention` | |
    | saved: output | B x HQ x Lq x Dv | as query |
    | saved: lse | B x HQ x Lq | as field |
    | gradient: output_gradient | as output | as query |
    | lse_gradient (optional) | as lse | as field |
    | outs: gradients of query, key, value | as the operand | as query |
    | outs: gradients of field, level (optional) | as the operand | as field |
    | outs: skipped, ended (with `counts`) | as lse | i64 |

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
    - Three gradients: field and level, if any, are constants. Four: field and
      level are tied, and the field gets both its gradients. Five: of field and
      level, which needs a level.
    - With smooth, a number or an operand, every pair of a non-empty `(j, p_i]` counts, times
      `sigmoid(beta z)` with `z = level_j - m(i,j)`. beta itself has no gradient.
    - Gradients of key, value, field and level are sums over the query heads
      that share the head.
    - A row that sees no key gives nothing and gets 0. Infinite fields and
      levels are those that `fpa.attention` puts in their place.
    - There is no `non_increasing`: the rule above covers it.
    - `prune_eps = eps` permits to treat P(i,j) as 0 where together they are no
      more than eps for a row. `dP - Delta` and all else stays as it is.
    - With `counts` two outs follow the gradients, in keys for each row: of those
      in the row's sight, skipped counts the ones whose P was taken for 0 tile by
      tile, or group of tiles by group, ended those for which it was at once as the
      walk of the row's keys ended early. Together they are all that gave nothing
      to any gradient. It changes no gradient.

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
    Optional<AnyShaped>:$beta, AnyShaped:$output, AnyShaped:$lse,
    AnyShaped:$output_gradient, Optional<AnyShaped>:$lse_gradient,
    Variadic<AnyShaped>:$outs,
    OptionalAttr<F64Attr>:$scale,
    OptionalAttr<I64Attr>:$window,
    OptionalAttr<F64Attr>:$smooth,
    OptionalAttr<F64Attr>:$prune_eps,
    UnitAttr:$counts);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $query `,` $key `,` $value `:`
      type($query) `,` type($key) `,` type($value) `)`
    (`field` `(` $field^ `:` type($field) `)`)?
    (`level` `(` $level^ `:` type($level) `)`)?
    (`cu_seqlens` `(` $cu_seqlens_q^ `,` $cu_seqlens_k `:`
      type($cu_seqlens_q) `,` type($cu_seqlens_k) `)`)?
    (`smooth` `(` $beta^ `:` type($beta) `)`)?
    `saved` `(` $output `,` $lse `:` type($output) `,` type($lse) `)`
    `gradient` `(` $output_gradient `:` type($output_gradient) `)`
    (`lse_gradient` `(` $lse_gradient^ `:` type($lse_gradient) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let hasCanonicalizer = 1;
  let extraClassDeclaration = baseDeclaration # [{
    ::mlir::Value getQueryGradient() { return getOuts()[0]; }
    ::mlir::Value getKeyGradient() { return getOuts()[1]; }
    ::mlir::Value getValueGradient() { return getOuts()[2]; }
    /// The inits of field and level gradients, or null where not asked for.
    /// Where the two are tied the field's is the sum of both.
    ::mlir::Value getFieldGradient() { return getGradients().size() > 3 ? getGradients()[3] : ::mlir::Value(); }
    ::mlir::Value getLevelGradient() { return getGradients().size() > 4 ? getGradients()[4] : ::mlir::Value(); }
    /// The inits of gradients, and of what pruning tells of itself: none or
    /// skipped and ended.
    ::mlir::ValueRange getGradients() { return ::mlir::ValueRange(getOuts()).drop_back(getCounts() ? 2 : 0); }
    ::mlir::ValueRange getNumbers() { return ::mlir::ValueRange(getOuts()).drop_front(getGradients().size()); }
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

#endif // FPA_DIALECT_IR_GRAPHOPS_TD
