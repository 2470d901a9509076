//===- Transforms.h - What the passes do, as functions ----------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_TRANSFORMS_TRANSFORMS_H
#define FPA_DIALECT_TRANSFORMS_TRANSFORMS_H

#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/TileBuilder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {

/// The attribute of attention that says in which sizes it is tiled.
inline constexpr StringLiteral tilesAttrName = "fpa.tiles";

/// Block sizes of streamed attention, in rows and keys.
struct AttentionTileSizes {
  /// Query rows whose state one iteration of the parallel loop carries.
  int64_t query = 48;
  /// Keys of a tile that every row sees; a multiple of `edge`.
  int64_t key = 256;
  /// Keys of a tile at the border of the visible keys.
  int64_t edge = 64;
  /// Whether tiles in which all rows have one minimum get a loop of their own.
  bool commonMinimum = false;
};

/// Replaces `op` (on tensors, with static head sizes) by a parallel loop over
/// batch, query head and query tile; each iteration walks the keys from right
/// to left with `fpa.online_attention`. Returns that loop. Emits an error and
/// leaves the op alone where it cannot be tiled.
FailureOr<scf::ForallOp> tileAttention(RewriterBase &rewriter, AttentionOp op,
                                       const AttentionTileSizes &sizes);

/// Replaces `op` (on tensors, with static head sizes) by a parallel loop over
/// batch, key head and chunk of query tiles, which adds up the gradients of
/// keys and values of its chunk, and by the sums over chunks. Emits an error
/// and leaves the op alone where it cannot be tiled.
FailureOr<scf::ForallOp> tileAttentionBackward(RewriterBase &rewriter,
                                               AttentionBackwardOp op,
                                               const AttentionTileSizes &sizes);

/// Sizes of the blocks in which queries walk along keys, and keys along
/// queries. Edge tiles are as wide as key tiles; of the two query tiles, and of
/// the two key tiles, one is a multiple of the other.
struct BackwardTileSizes {
  AttentionTileSizes ofQueries, ofKeys;
};
struct BackwardLoops {
  SmallVector<scf::ForallOp> ofQueries, ofKeys;
};

/// Replaces `op` (on tensors, with static head sizes) by parallel loops none of
/// whose iterations adds to what another one owns: over batch, query head and
/// chunk of query tiles for the gradients of query and field, over batch, key
/// head and key tile for those of key, value and level, and before them loops
/// for what both need. It computes the logits twice, and has no memory for sums
/// of keys in its iterations. Returns the loops. Emits an error and leaves the
/// op alone where it cannot be tiled.
FailureOr<BackwardLoops>
tileAttentionBackwardSplit(RewriterBase &rewriter, AttentionBackwardOp op,
                           const BackwardTileSizes &sizes);

/// Block sizes of attention over a cache, in rows and keys.
struct CacheTileSizes {
  /// Rows of a block where there are as many.
  int64_t query = 48;
  /// Cached keys of a block, and new ones.
  int64_t key = 256, edge = 64;
  /// Cached keys that one iteration walks; a multiple of `key`.
  int64_t chunk = 4096;
  /// Whether blocks have `query` rows also where it is known that there are
  /// fewer.
  bool fillRows = false;
};

/// What takes the place of attention over a cache.
struct CacheLoops {
  scf::ForallOp ofChunks, ofOutputs;
};

/// Replaces `op` (on tensors, with static head sizes) by a parallel loop over
/// batch, key head, chunk of the cache and row tile, and by one that adds the
/// new tokens and merges the chunks. Emits an error and leaves the op alone
/// where it cannot be tiled.
FailureOr<CacheLoops> tileCachedAttention(RewriterBase &rewriter,
                                          CachedAttentionOp op,
                                          const CacheTileSizes &sizes);

/// Block sizes of a matrix product.
struct ContractionTileSizes {
  int64_t row = 64, column = 128, depth = 128;
};

/// Replaces `op`, a product of two matrices on tensors with other dimensions in
/// any number, by a parallel loop over blocks of its result, as a tile program.
/// Fails, leaving the op alone, where it is not one.
LogicalResult tileContraction(RewriterBase &rewriter, linalg::LinalgOp op,
                              const ContractionTileSizes &sizes);

/// Replaces `op`, an aggregate fpa op or linalg.softmax on tensors, by plain
/// linalg and returns the values that took the place of its results. Fails,
/// leaving the op alone, where it has no decomposition.
FailureOr<SmallVector<Value>> decomposeAggregate(RewriterBase &rewriter,
                                                 Operation *op);

/// Replaces `product`, if it is the last one of causal attention that is
/// written out as linalg, arith and math ops on tensors, by `fpa.attention`,
/// and removes what is not needed any more above it. Fails and changes nothing
/// if it is not; `reason` is then one line for what resembles attention, else
/// empty.
LogicalResult raiseAttention(RewriterBase &rewriter, linalg::LinalgOp product,
                             std::string &reason);

/// Fills the head sizes of `op`, on tensors, up with zeros to a multiple; those
/// above `most` stay.
LogicalResult padHeads(RewriterBase &rewriter, AttentionOpInterface op,
                       int64_t multiple, int64_t most = INT64_MAX);
/// The same for attention over a cache, of which it makes a wider copy.
LogicalResult padHeads(RewriterBase &rewriter, CachedAttentionOp op,
                       int64_t multiple, int64_t most = INT64_MAX);

/// True for ops on the tiles of one head.
bool isStreamingOp(Operation *op);

/// Replaces an op of the streaming level, on tensors, by reads, block vectors
/// and writes. Sizes that are not static must be bounded by a constant. With
/// `productsOnly` the softmax and the penalty are left out, to measure what
/// they cost; `traits` say what the machine does in one instruction.
LogicalResult vectorizeStreamingOp(RewriterBase &rewriter, Operation *op,
                                   bool productsOnly,
                                   const TileTraits &traits = {});

/// Replaces a contraction under a mask of its lhs by ones without a mask, such
/// that values of rhs that are not finite reach the result only where lhs is
/// not masked. Fails, leaving the op alone, for any other mask and for sums of
/// 254 products or more. With `branch`, rhs is tested first, and one
/// contraction is all where it is finite.
LogicalResult unmaskContraction(RewriterBase &rewriter, vector::MaskOp op,
                                bool branch = false);

/// Sizes of blocks that scan, powers of two.
struct PrefixTileSizes {
  /// Elements of a block, most of them along the axis.
  int64_t chunk = 1024;
  /// Neighbours along the last axis that are scanned along another one.
  int64_t columns = 64;
  /// The least rows of a block that is scanned along the last axis.
  int64_t rows = 4;
};

/// Replaces a prefix op on memrefs by a tile program: a parallel loop over rows
/// and segments, or a plain one inside of another parallel loop, that reads and
/// writes each element once. Fails, changing nothing, for one on tensors.
LogicalResult vectorizePrefix(RewriterBase &rewriter, Operation *op,
                              const PrefixTileSizes &sizes);

} // namespace mlir::fpa

#endif // FPA_DIALECT_TRANSFORMS_TRANSFORMS_H
