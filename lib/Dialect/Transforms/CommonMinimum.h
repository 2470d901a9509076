//===- CommonMinimum.h - Where all rows have one minimum --------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Left of its edge the minima of a query tile's rows are
//
//   R_i = min(C, D_i)
//
// where D_i, of the edge, is one number per row, and C, of the key tiles passed
// since, the same for all. C only falls on the way to the left. Once it is no
// more than the least D_i, that of the last row, it is the minimum of every
// row, and stays that.

#ifndef FPA_LIB_DIALECT_TRANSFORMS_COMMONMINIMUM_H
#define FPA_LIB_DIALECT_TRANSFORMS_COMMONMINIMUM_H

#include "KeyWalk.h"

namespace mlir::fpa {

/// The two parts of a range of full key tiles: to the right the one in which
/// rows have minima of their own, to the left the one to whose right they have
/// `minimum`.
struct CommonMinimum {
  KeyRange apart, together;
  Value minimum;
};

/// Splits `inner`. Behind it lies the edge, up to `edgeEnd`; `getTileMinimum`
/// is the minimum of the field over the key tile at an offset. Where a field is
/// NaN rows stay apart.
CommonMinimum
splitAtCommonMinimum(KeyWalk &walk, const KeyRange &inner, OpFoldResult edgeEnd,
                     function_ref<Value(OpFoldResult)> getTileMinimum);

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_COMMONMINIMUM_H
