//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One query row of one head, as attention and its gradients see it.

#ifndef FPA_REFERENCE_ROW_H
#define FPA_REFERENCE_ROW_H

#include "fpa/Reference/Reference.h"
#include <functional>

namespace mlir::fpa::reference {

/// A key that a row sees.
struct Pair {
  int64_t key;
  /// s(i,j)
  double logit;
  /// Where the minimum m(i,j) of the field stands, the last place of several;
  /// -1 where it is over nothing.
  int64_t place;
  /// d pen(i,j) / d level_j.
  double slope;
};

class Row {
public:
  Row(const AttentionInputs &inputs, int64_t batch, int64_t head, int64_t i);

  /// How many keys the row sees, and the first one.
  int64_t size() const { return last < first ? 0 : last - first + 1; }
  int64_t firstKey() const { return first; }
  int64_t getKeyHead() const { return keyHead; }
  int64_t getFieldHead() const { return fieldHead; }

  /// Visits the keys from right to left.
  void forEachKey(const std::function<void(const Pair &)> &visit) const;

private:
  const AttentionInputs &in;
  int64_t batch, head, i, keyHead, fieldHead = 0, first, last;
};

} // namespace mlir::fpa::reference

#endif // FPA_REFERENCE_ROW_H
