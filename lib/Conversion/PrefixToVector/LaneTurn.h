//===- LaneTurn.h - One turn of the loop along a row ------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_PREFIXTOVECTOR_LANETURN_H
#define FPA_LIB_CONVERSION_PREFIXTOVECTOR_LANETURN_H

#include "PrefixElements.h"

namespace mlir::fpa {

/// `turn` neighbouring vectors of `width` elements along the last axis, scanned
/// in one turn of a loop. The carry of the loop is not that of a row: `begin`
/// and `end` convert it.
///
/// Where floats may be scanned as they are, a turn tests all of its vectors for
/// NaN at once, and takes the slower way over keys only if there is one.
class LaneTurn {
public:
  LaneTurn(const PrefixElements &elements, ValueRange at, int64_t width,
           int64_t turn, bool nontemporal);

  ScanState begin(OpBuilder &b, Location loc, ScanState carry);
  ScanState emit(OpBuilder &b, Location loc, Value start, ScanState carry);
  ScanState end(OpBuilder &b, Location loc, ScanState carry);

private:
  SmallVector<Value> indices(Value t);
  void prefetch(OpBuilder &b, Location loc, Value start);
  ScanState laneNumbers(OpBuilder &b, Location loc);
  ScanState widenIndex(OpBuilder &b, Location loc, ScanState local,
                       Value start);
  Value anyNaN(OpBuilder &b, Location loc, ValueRange floats);
  ScanState scanElements(OpBuilder &b, Location loc, ValueRange starts,
                         ValueRange floats, ScanState carry);
  Value scanFloats(OpBuilder &b, Location loc, ValueRange starts,
                   ValueRange floats, Value carry);

  const PrefixElements &elements;
  SmallVector<Value> at;
  int64_t width, turn;
  bool nontemporal, branches;
};

} // namespace mlir::fpa

#endif // FPA_LIB_CONVERSION_PREFIXTOVECTOR_LANETURN_H
