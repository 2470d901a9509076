//===- CacheOps.td - Decoding with a cache of live keys ----*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_CACHEOPS_TD
#define FPA_DIALECT_IR_CACHEOPS_TD

include "fpa/Dialect/IR/FpaOpBase.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"

def Fpa_LiveKeysOp : Fpa_DestinationOp<"live_keys", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "which keys a penalty has not ended";
  let description = [{
    The penalty of each key for whatever comes after the last one,
    `penalty_j = max(0, level_j - min { field_t : t > j })`, and the keys whose
    penalty is not above `evict_above`: how many there are, and their indices in
    ascending order, followed by -1. A penalty never falls as more keys come, so
    that a key which is not live now will not be again.

    Without `level` it is tied to the field. field, level and penalty are
    B x HF x Lk of f32 or f64, count is B x HF and order B x HF x Lk, of i64. See
    D32 and E1 to E5 of `docs/Spec.md`.

    ```mlir
    %p, %n, %at = fpa.live_keys field(%f : tensor<1x2x?xf32>)
      outs(%p0, %n0, %at0 : tensor<1x2x?xf32>, tensor<1x2xi64>, tensor<1x2x?xi64>)
      {evict_above = 8.0 : f64} -> tensor<1x2x?xf32>, tensor<1x2xi64>, tensor<1x2x?xi64>
    ```
  }];
  let arguments = (ins AnyShaped:$field, Optional<AnyShaped>:$level,
                       Variadic<AnyShaped>:$outs, F64Attr:$evict_above);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `field` `(` $field `:` type($field) `)`
    (`level` `(` $level^ `:` type($level) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = baseDeclaration # [{
    ::mlir::Value getLevelOrField() { return getLevel() ? getLevel() : getField(); }
  }];
}

/// What a decoding step gives of its new tokens.
class Fpa_TokenOp<string mnemonic, dag operands, dag attributes>
    : Fpa_DestinationOp<mnemonic, [AttrSizedOperandSegments]> {
  let arguments = !con(operands, attributes);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  code tokenDeclaration = baseDeclaration # [{
    ::mlir::Value getLevelOrField() { return getLevel() ? getLevel() : getField(); }
  }];
}

def Fpa_CachedAttentionOp : Fpa_TokenOp<"cached_attention",
    (ins AnyShaped:$query, AnyShaped:$key, AnyShaped:$value,
         AnyShaped:$field, Optional<AnyShaped>:$level,
         Optional<AnyShaped>:$lengths,
         AnyShaped:$cached_key, AnyShaped:$cached_value,
         AnyShaped:$cached_level, AnyShaped:$cached_minimum, AnyShaped:$count,
         Variadic<AnyShaped>:$outs),
    (ins F64Attr:$scale)> {
  let summary = "attention of new tokens over a cache and themselves";
  let description = [{
    T new tokens of each sequence attend to what the cache holds and, causally,
    to each other. The cache is read, not changed; `fpa.update_cache` adds the
    tokens to it.

    | operand | shape | |
    |---|---|---|
    | query, key, value | B x HQ x T x D, B x HK x T x D, B x HK x T x Dv | new tokens |
    | field, level | B x HK x T, f32 or f64 | without level it is the field |
    | lengths | B, i64 | how many of the T tokens a sequence has; all if absent |
    | cached key, value | B x HK x C x D, B x HK x C x Dv | |
    | cached level | B x HK x C | the keys' levels |
    | cached minimum | B x HK x C | the field's minimum since each key, so far |
    | count | B x HK, i64 | how many keys each head holds |
    | outs: output, lse | B x HQ x T x Dv, B x HQ x T | lse if wanted |

    With `R_t` the minimum of the new fields up to token t, the penalty of the
    cached key j is `max(0, level_j - min(minimum_j, R_t))`. Tokens beyond a
    sequence's length see no key. The order of cached keys does not matter, and
    what lies beyond count is never read. See D33 and E6 to E12 of
    `docs/Spec.md`.

    ```mlir
    %o = fpa.cached_attention ins(%q, %k, %v : tensor<1x8x1x64xf32>, tensor<1x2x1x64xf32>, tensor<1x2x1x64xf32>)
      field(%f : tensor<1x2x1xf32>)
      cache(%ck, %cv, %cl, %cm, %n : tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>,
        tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2xi64>)
      outs(%o0 : tensor<1x8x1x64xf32>) {scale = 0.125 : f64} -> tensor<1x8x1x64xf32>
    ```
  }];
  let assemblyFormat = [{
    `ins` `(` $query `,` $key `,` $value `:`
      type($query) `,` type($key) `,` type($value) `)`
    `field` `(` $field `:` type($field) `)`
    (`level` `(` $level^ `:` type($level) `)`)?
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    `cache` `(` $cached_key `,` $cached_value `,` $cached_level `,`
      $cached_minimum `,` $count `:` type($cached_key) `,` type($cached_value) `,`
      type($cached_level) `,` type($cached_minimum) `,` type($count) `)`
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = tokenDeclaration # [{
    ::mlir::Value getOutput() { return getOuts()[0]; }
    /// The init of the log-sum-exp, or null when it is not asked for.
    ::mlir::Value getLse() { return getOuts().size() > 1 ? getOuts()[1] : ::mlir::Value(); }
  }];
}

def Fpa_UpdateCacheOp : Fpa_TokenOp<"update_cache",
    (ins AnyShaped:$key, AnyShaped:$value,
         AnyShaped:$field, Optional<AnyShaped>:$level,
         Optional<AnyShaped>:$lengths, Variadic<AnyShaped>:$outs),
    (ins F64Attr:$evict_above)> {
  let summary = "add tokens to a cache and drop what has died, in place";
  let description = [{
    Writes T new tokens behind the keys that each head of the cache holds,
    lowers the minima of the keys before each of them, and drops every key whose
    penalty `level_j - minimum_j` is above `evict_above`. The others move
    together, in their order. A key that is dropped would never have had a
    smaller penalty.

    key, value, field, level and lengths are as in `fpa.cached_attention`. The
    outs are its cached key, value, level and minimum, the count, and, if wanted,
    what is known of all that was dropped, B x HK x 3 of f64: the sum of
    `exp(-penalty)`, the largest norm of a key, the largest magnitude in a value,
    all rounded up and 0 at first. See `docs/Rationale.md` for the bound that
    follows from it.

    Where count + T exceeds C a head stays as it was, and the sum becomes +inf.
    See D34, D35 and E13 to E18 of `docs/Spec.md`.

    ```mlir
    %c:5 = fpa.update_cache ins(%k, %v : tensor<1x2x1x64xf32>, tensor<1x2x1x64xf32>)
      field(%f : tensor<1x2x1xf32>)
      outs(%ck, %cv, %cl, %cm, %n : tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>,
        tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2xi64>)
      {evict_above = 8.0 : f64} -> tensor<1x2x?x64xf32>, tensor<1x2x?x64xf32>,
        tensor<1x2x?xf32>, tensor<1x2x?xf32>, tensor<1x2xi64>
    ```
  }];
  let assemblyFormat = [{
    `ins` `(` $key `,` $value `:` type($key) `,` type($value) `)`
    `field` `(` $field `:` type($field) `)`
    (`level` `(` $level^ `:` type($level) `)`)?
    (`lengths` `(` $lengths^ `:` type($lengths) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
  let extraClassDeclaration = tokenDeclaration # [{
    ::mlir::Value getCachedKey() { return getOuts()[0]; }
    ::mlir::Value getCachedValue() { return getOuts()[1]; }
    ::mlir::Value getCachedLevel() { return getOuts()[2]; }
    ::mlir::Value getCachedMinimum() { return getOuts()[3]; }
    ::mlir::Value getCount() { return getOuts()[4]; }
    /// What is known of the dropped keys, or null when it is not asked for.
    ::mlir::Value getDropped() { return getOuts().size() > 5 ? getOuts()[5] : ::mlir::Value(); }
  }];
}

def Fpa_OnlineMergeOp : Fpa_DestinationOp<"online_merge", [
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "the state of online attention over two sets of keys";
  let description = [{
    Adds to the state of S query rows what another walk has found for the same
    rows and other keys:

    ```
    maximum     = max(m, m')
    sum         = exp2(m - maximum) s + exp2(m' - maximum) s'
    accumulator = exp2(m - maximum) a + exp2(m' - maximum) a'
    ```

    Ins and outs are accumulator (S x Dv), maximum and sum (S) of
    `fpa.online_attention`. See D12 and O12 to O14 of `docs/Spec.md`.

    ```mlir
    %a2, %m2, %s2 = fpa.online_merge
      ins(%a, %m, %s : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>)
      outs(%a1, %m1, %s1 : tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>)
      -> tensor<16x64xf32>, tensor<16xf32>, tensor<16xf32>
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

#endif // FPA_DIALECT_IR_CACHEOPS_TD
