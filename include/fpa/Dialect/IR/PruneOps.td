//===- PruneOps.td - Ops that leave keys out with a bound --*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_PRUNEOPS_TD
#define FPA_DIALECT_IR_PRUNEOPS_TD

include "fpa/Dialect/IR/FpaOpBase.td"
include "mlir/Dialect/Linalg/IR/LinalgInterfaces.td"

def Fpa_RowNormsOp : Fpa_DestinationOp<"row_norms", [
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "upper bounds of the lengths of rows";
  let description = [{
    `norm_i = factor * r_i`, where `r_i` is the Euclidean norm of row i of source
    (M x D), rounded up: it is never below the true one, whatever the order in
    which squares are added. norm (S) may have more rows than source, which get
    -inf. See D27, R1 and R2 of `docs/Spec.md`.

    ```mlir
    %n = fpa.row_norms ins(%k : tensor<256x64xf16>) outs(%n0 : tensor<256xf32>)
      {factor = -1.0 : f64} -> tensor<256xf32>
    ```
  }];
  let arguments = (ins AnyShaped:$source, Variadic<AnyShaped>:$outs,
                       F64Attr:$factor);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $source `:` type($source) `)`
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
}

def Fpa_MeanLevelOp : Fpa_DestinationOp<"mean_level", [
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "the level that keys have by the mean of their weights";
  let description = [{
    For the levels of M keys, of which `least` is the least, every element of
    mean (S >= M) is

    ```
    -log((1 / M) sum_j exp(-level_j))
    ```

    rounded down, but not below least. Infinite levels stand for the largest
    numbers. However low a field falls after the keys, at R, their weights
    `exp(-max(0, level_j - R))` add up to no more than
    `M exp(-max(0, mean - R))`. See D36 and R13 of `docs/Spec.md`.

    ```mlir
    %m = fpa.mean_level ins(%l : tensor<?xf32>) least(%x : f32)
      outs(%m0 : tensor<256xf32>) -> tensor<256xf32>
    ```
  }];
  let arguments = (ins AnyShaped:$level, AnyFloat:$least,
                       Variadic<AnyShaped>:$outs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `ins` `(` $level `:` type($level) `)` `least` `(` $least `:` type($least) `)`
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
}

/// One number for each row, or one for all.
def Fpa_RowsOrNumber : AnyTypeOf<[AnyRankedTensor, AnyFloat]>;

def Fpa_PruneKeysOp : Fpa_Op<"prune_keys", [Pure, AttrSizedOperandSegments,
    AllTypesMatch<["norm", "level", "all"]>,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "whether any query row of a tile needs some keys";
  let description = [{
    Looks at keys to the left of those that the state of query rows has gone by,
    without reading one of them.

    | operand | shape | |
    |---|---|---|
    | reach | S | `|scale| log2(e)` times the norm of the query, of `fpa.row_norms` |
    | maximum | S | of `fpa.online_attention`; or lse, M <= S, in natural units |
    | minimum | S | `min field_t` from the keys' end to the row's last key |
    | norm | scalar | minus the largest norm of a key among them |
    | level | scalar | no more than `fpa.mean_level` of them, such as the least |
    | all | scalar | minus the largest norm of any key that a row sees |
    | total | index | no row sees more keys than this |

    The mean of `exp2(s2)` over the base-2 logits of a row with the keys is not
    above `exp2(bound_i)`,

    ```
    bound_i = reach_i * -norm - log2(e) * max(0, level - minimum_i) + slack_i
    ```

    where the slack covers how logits are rounded. The result is 0 if for every
    row `bound_i <= maximum_i - log2(total / eps)`, so that the keys have on average
    less than `eps / total` of the row's mass; else 1. A NaN gives 1. See D28 and R3 to R7 of
    `docs/Spec.md`.

    The bound never falls as reach or minimum grow, so numbers may stand for all
    rows: the largest reach, a minimum that no row's is above, and the least
    maximum or lse.

    ```mlir
    %keep = fpa.prune_keys rows(%reach, %min : tensor<48xf32>, tensor<48xf32>)
      maximum(%max : tensor<48xf32>) keys(%k, %l, %all of %n : f32)
      {eps = 1.0e-4 : f64, head_size = 64 : i64}
    ```
  }];
  let arguments = (ins Fpa_RowsOrNumber:$reach,
                       Optional<Fpa_RowsOrNumber>:$maximum,
                       Optional<Fpa_RowsOrNumber>:$lse,
                       Fpa_RowsOrNumber:$minimum,
                       AnyFloat:$norm, AnyFloat:$level, AnyFloat:$all,
                       Index:$total, F64Attr:$eps, I64Attr:$head_size);
  let results = (outs Index:$keep);
  let assemblyFormat = [{
    `rows` `(` $reach `,` $minimum `:` type($reach) `,` type($minimum) `)`
    (`maximum` `(` $maximum^ `:` type($maximum) `)`)?
    (`lse` `(` $lse^ `:` type($lse) `)`)?
    `keys` `(` $norm `,` $level `,` $all `of` $total `:` type($norm) `)`
    attr-dict
  }];
  let hasVerifier = 1;
}

def Fpa_DropKeysOp : Fpa_DestinationOp<"drop_keys", [
    AllTypesMatch<["norm", "level", "all"]>,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "adds keys that are left out to what was left out";
  let description = [{
    With the bound of `fpa.prune_keys`, whose operands these are, and `count` keys:

    ```
    r_i         = max(reference_i, maximum_i)
    dropped_i   = dropped_i * exp2(reference_i - r_i) + count * exp2(bound_i - r_i)
    reference_i = r_i
    ```

    where r_i is the maximum, as that never falls.
    `dropped_i * exp2(reference_i)` is then no less than the sum of `exp2(s2)` over
    all keys left out so far. At first dropped is 0 and reference -inf. See D29 and R4
    to R8 of `docs/Spec.md`.

    ```mlir
    %d, %r = fpa.drop_keys rows(%reach, %min : tensor<48xf32>, tensor<48xf32>)
      maximum(%max : tensor<48xf32>) keys(%k, %l, %all of %n : f32)
      outs(%d0, %r0 : tensor<48xf32>, tensor<48xf32>) {head_size = 64 : i64}
      -> tensor<48xf32>, tensor<48xf32>
    ```
  }];
  let arguments = (ins AnyShaped:$reach, AnyShaped:$maximum, AnyShaped:$minimum,
                       AnyFloat:$norm, AnyFloat:$level, AnyFloat:$all,
                       Index:$count, Variadic<AnyShaped>:$outs,
                       I64Attr:$head_size);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `rows` `(` $reach `,` $minimum `:` type($reach) `,` type($minimum) `)`
    `maximum` `(` $maximum `:` type($maximum) `)`
    `keys` `(` $norm `,` $level `,` $all `of` $count `:` type($norm) `)`
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
}

def Fpa_DropFinalizeOp : Fpa_DestinationOp<"drop_finalize", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "what query rows went without";
  let description = [{
    From the state that `fpa.drop_keys` and `fpa.online_attention` leave (S rows),
    for M <= S rows:

    ```
    share_i   = dropped_i * exp2(reference_i - maximum_i) / sum_i
    skipped_i = passed
    ended_i   = max(0, end - first_i)
    ```

    `passed` is the number of keys whose tiles were skipped one by one, `end` the
    key at which the walk ended early, or one that no row sees. skipped and ended,
    i64, come together. Where nothing adds up what was dropped they come alone,
    and the attribute rows says what S is. See D29, R4, R9 and R10 of
    `docs/Spec.md`.

    ```mlir
    %s = fpa.drop_finalize
      ins(%d, %r, %m, %sum : tensor<48xf32>, tensor<48xf32>, tensor<48xf32>, tensor<48xf32>)
      outs(%s0 : tensor<?xf32>) -> tensor<?xf32>
    ```
  }];
  let arguments = (ins Optional<AnyShaped>:$dropped,
                       Optional<AnyShaped>:$reference,
                       Optional<AnyShaped>:$maximum, Optional<AnyShaped>:$sum,
                       Optional<AnyShaped>:$first, Optional<Index>:$passed,
                       Optional<Index>:$end, Variadic<AnyShaped>:$outs,
                       OptionalAttr<I64Attr>:$rows);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    (`ins` `(` $dropped^ `,` $reference `,` $maximum `,` $sum `:`
      type($dropped) `,` type($reference) `,` type($maximum) `,` type($sum) `)`)?
    (`keys` `(` $first^ `,` $passed `,` $end `:` type($first) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
}

def Fpa_PassCarryOp : Fpa_DestinationOp<"pass_carry", [AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<AggregatedOpInterface, ["decomposeOperation"]>]> {
  let summary = "moves the carry of the backward past keys that are left out";
  let description = [{
    What `fpa.backward_tile` does to the carry and to the suffix gradient when no
    row gives the tile any weight: carries whose minimum lies in the tile end there.

    | operand | shape | |
    |---|---|---|
    | field, suffix | N | as in `fpa.backward_tile` |
    | minimum | S | `min field_t` from the tile's end to the row's last key |
    | passed | scalar | if given, what is between the tile and where minimum begins |
    | outs: carry | S | |
    | outs: suffix gradient | N | of what the carries leave |

    See D30 and R11 of `docs/Spec.md`.

    ```mlir
    %c, %ds = fpa.pass_carry
      field(%f, %s, %r : tensor<256xf32>, tensor<256xf32>, tensor<48xf32>)
      outs(%c0, %ds0 : tensor<48xf32>, tensor<256xf32>) -> tensor<48xf32>, tensor<256xf32>
    ```
  }];
  let arguments = (ins AnyShaped:$field, AnyShaped:$suffix, AnyShaped:$minimum,
                       Optional<AnyFloat>:$passed, Variadic<AnyShaped>:$outs);
  let results = (outs Variadic<AnyRankedTensor>:$results);
  let assemblyFormat = [{
    `field` `(` $field `,` $suffix `,` $minimum `:` type($field) `,`
      type($suffix) `,` type($minimum) `)`
    (`passed` `(` $passed^ `:` type($passed) `)`)?
    `outs` `(` $outs `:` type($outs) `)`
    attr-dict (`->` type($results)^)?
  }];
}

#endif // FPA_DIALECT_IR_PRUNEOPS_TD
