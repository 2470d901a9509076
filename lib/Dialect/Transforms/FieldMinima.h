//===- FieldMinima.h - Minima of the field between tiles --------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// R_i, the minimum of the field from the end of a key tile to row i, for any
// tile and row, from memory that grows with the length only. Walks that do not
// go from right to left need it:
//
//   R_i = min(C, D_i) left of the keys where the row's tile begins to differ,
//
// where D_i begins there and is one number per row, and C, of the key tiles
// between, is the smaller of two entries of a table of runs of 2^p tiles. In
// the tiles where rows differ R_i is written down; along all query tiles of a
// head there are no more of them than tiles of both kinds.

#ifndef FPA_LIB_DIALECT_TRANSFORMS_FIELDMINIMA_H
#define FPA_LIB_DIALECT_TRANSFORMS_FIELDMINIMA_H

#include "BackwardWalk.h"

namespace mlir::fpa {

/// The minimum of each tile of `keys` elements of a field or level, infinities
/// made finite: B x HF x tiles.
Value createTileMinima(OpBuilder &b, Location loc, Value source, int64_t keys);
/// The maximum of each, in the same way.
Value createTileMaxima(OpBuilder &b, Location loc, Value source, int64_t keys);

/// The minima of the field over runs of 2^p key tiles: B x HF x P x tiles.
class FieldRuns {
public:
  /// Creates the table, for key tiles of `keys` elements.
  FieldRuns(OpBuilder &b, Location loc, Value field, int64_t keys);

  /// The minimum over key tiles `[begin, end)`; +inf where there are none.
  Value find(IndexMath &math, OpFoldResult batch, OpFoldResult head,
             OpFoldResult begin, OpFoldResult end) const;
  /// The minimum over `count` key tiles from `begin` on, which is a power of
  /// two.
  Value get(IndexMath &math, OpFoldResult batch, OpFoldResult head,
            OpFoldResult begin, int64_t count) const;

private:
  Value table;
};

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_FIELDMINIMA_H
