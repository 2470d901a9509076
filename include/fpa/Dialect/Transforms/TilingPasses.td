//===- TilingPasses.td - Passes that tile ------------------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_TRANSFORMS_TILINGPASSES_TD
#define FPA_DIALECT_TRANSFORMS_TILINGPASSES_TD

include "mlir/Pass/PassBase.td"

def TileCachedAttention : Pass<"fpa-tile-cached-attention"> {
  let summary = "stream attention over a cache of keys";
  let description = [{
    Replaces `fpa.cached_attention` on tensors by two parallel loops. The query
    heads that share a key head, with all their new tokens, are the rows of one
    tile.

    1. An `scf.forall` over batch, key head, chunk of `chunk` cached keys and row
       tile adds tiles of `key-tile` keys to an empty state of its own, with
       `fpa.online_attention` in its inner form: the minima that the cache keeps
       are its `suffix`. What is left of a chunk goes in tiles of `edge-tile`
       keys, of which the last may be short.
    2. An `scf.forall` over batch, key head and row tile walks the new tokens in
       masked tiles of `edge-tile` keys, adds the states of the chunks with
       `fpa.online_merge` and ends with `fpa.online_finalize`.

    Where chunks begin depends on `chunk` alone, so that results do not depend on
    the number of threads nor on the cache's capacity.

    An op that says its own sizes (`fpa.tiles`, as `fpa-choose-gpu-tiles` puts it)
    is tiled in those, and blocks are not made smaller where there are few rows.
  }];
  let dependentDialects = ["affine::AffineDialect", "arith::ArithDialect",
                           "linalg::LinalgDialect", "scf::SCFDialect",
                           "tensor::TensorDialect"];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", "48",
           "rows of a tile, fewer where it is known that there are fewer">,
    Option<"keyTile", "key-tile", "int64_t", "256", "cached keys of a tile">,
    Option<"edgeTile", "edge-tile", "int64_t", "64",
           "new keys of a tile, and cached keys of one at the end of a chunk">,
    Option<"chunk", "chunk", "int64_t", "4096",
           "cached keys that one iteration walks, a multiple of key-tile">];
  let statistics = [Statistic<"numTiled", "ops", "attention ops tiled">];
}

def TileContractions : Pass<"fpa-tile-contractions"> {
  let summary = "make tile programs of other people's matrix products";
  let description = [{
    Replaces contractions of linalg on tensors, `linalg.matmul`,
    `linalg.batch_matmul` and `linalg.generic` whose body adds a product to the
    result, by an `scf.forall` over blocks of the result. An iteration carries
    its block through a loop over the contracted dimension as a vector, so that
    projections around attention go through the same lowering as its own
    products:

    ```mlir
    %c = linalg.matmul ins(%a, %b : tensor<?x512xf32>, tensor<512x512xf32>)
                       outs(%zero : tensor<?x512xf32>) -> tensor<?x512xf32>
    // becomes
    %c = scf.forall (%i, %j) in (%rows, 4) shared_outs(%out = %zero) -> ... {
      %r = scf.for %p = %c0 to %c4 step %c1 iter_args(%acc = %before) -> vector<64x128xf32> {
        %s = vector.contract {...} %ai, %bj, %acc : ... into vector<64x128xf32>
        scf.yield %s : vector<64x128xf32>
      }
      ...
    }
    ```

    Factors of f16 and bf16 that the body widens are widened in registers.
    Blocks that stick out are read with zeros and written in part. Left alone
    is what is not of f32 or f64 in its sum, has operands that are read along
    other than single dimensions, lacks a dimension of one of its factors' own,
    or stands in an `scf.forall`. Each element is summed in the order of the contracted dimension,
    whatever the blocks.
  }];
  let dependentDialects = ["FpaDialect", "affine::AffineDialect",
                           "arith::ArithDialect", "scf::SCFDialect",
                           "tensor::TensorDialect", "vector::VectorDialect"];
  let options = [
    Option<"rowTile", "row-tile", "int64_t", "64",
           "rows of a block of the result, at least 2">,
    Option<"columnTile", "column-tile", "int64_t", "128",
           "columns of a block of the result, at least 2">,
    Option<"depthTile", "depth-tile", "int64_t", "128",
           "elements that one step contracts, at least 2">];
  let statistics = [Statistic<"numTiled", "ops", "contractions tiled">];
}

def TileAttention : Pass<"fpa-tile-attention"> {
  let summary = "stream attention over key tiles";
  let description = [{
    Replaces `fpa.attention` on tensors by an `scf.forall` over batch, query
    head and query tile, the last query tile first. An iteration carries the
    state of `query-tile` rows through up to three loops over key tiles, from
    right to left:

    1. the right edge, where rows see different keys, in masked tiles of
       `edge-tile` keys;
    2. the keys that all rows see, in full tiles of `key-tile` keys, with the
       minima inside a tile computed once for all rows by `fpa.prefix_min`;
    3. with a window or packed sequences, the left edge, masked again.

    With `common-minimum` the second loop ends where the field has been as low
    left of the edge as in it, and a further loop takes the tiles that are left:
    there all rows have one minimum (`common` of `fpa.online_attention`), and a
    penalty is one number per key. Without a left edge or pruning only, and not
    where the field never rises.

    `fpa.attention_backward` becomes an `scf.forall` over batch, key head and
    chunk of query tiles, and sums over chunks behind it. An iteration owns
    gradients of keys and values; for each of its query tiles it finds the
    running minima from right to left with `fpa.pass_field`, and then walks the
    same loops from left to right with `fpa.backward_tile`. The number of
    chunks depends on sizes alone, and sums are formed in one order, so that a
    result does not depend on threads.

    With `split-backward` two loops take its place, none of whose iterations
    adds to what another one owns: over batch, query head and chunk of query
    tiles for the gradients of query and field, over batch, key head and key
    tile for those of key, value and level. All tiles of keys are of `key-tile`
    then; sizes of the two loops come from the parts `queries` and `keys` of the
    op's `fpa.tiles`, where it has them.

    With `prune_eps` and a field `fpa.prune_keys` asks before each full tile
    whether any row needs it; if none does the tile is left out, and with it, if no
    row needs them either, all keys to its left. `fpa.drop_keys` and
    `fpa.drop_finalize` add up what may be lost by it, if that is wanted. In
    gradients the first walk finds where keys are needed at all, and
    `fpa.pass_carry` stands for tiles that are left out. With `split-backward`
    both loops leave out the same groups of query and key tiles, of which one
    number stands for all rows.

    Which keys a row sees comes from `fpa.key_intervals`. Head sizes must be
    static; every other size may be dynamic. `fpa-decompose`, which is
    `strategy=decompose` of the pipelines, takes dynamic head sizes too.
  }];
  let dependentDialects = ["FpaDialect", "affine::AffineDialect",
                           "arith::ArithDialect", "linalg::LinalgDialect",
                           "scf::SCFDialect", "tensor::TensorDialect"];
  let options = [
    Option<"queryTile", "query-tile", "int64_t", "48",
           "query rows per iteration of the parallel loop, at least 1">,
    Option<"keyTile", "key-tile", "int64_t", "256",
           "keys per unmasked tile, a multiple of edge-tile, at least 1">,
    Option<"edgeTile", "edge-tile", "int64_t", "64",
           "keys per masked tile, at least 1">,
    Option<"splitBackward", "split-backward", "bool", "false",
           "gradients of queries and of keys in loops of their own">,
    Option<"commonMinimum", "common-minimum", "bool", "false",
           "a loop for the tiles in which all rows have one minimum">];
  let statistics = [
    Statistic<"numTiled", "num-tiled", "attention ops that were tiled">];
}

#endif // FPA_DIALECT_TRANSFORMS_TILINGPASSES_TD
