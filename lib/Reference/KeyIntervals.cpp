//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Reference/Reference.h"
#include <algorithm>

using namespace mlir::fpa::reference;

Sequence mlir::fpa::reference::findSequence(
    int64_t i, int64_t queryLength, int64_t keyLength,
    const std::optional<View<int64_t>> &cuSeqlensQ,
    const std::optional<View<int64_t>> &cuSeqlensK) {
  if (!cuSeqlensQ)
    return {0, queryLength, 0, keyLength};
  for (int64_t n = 0; n + 1 < cuSeqlensQ->size(0); ++n)
    if ((*cuSeqlensQ)(n) <= i && i < (*cuSeqlensQ)(n + 1))
      return {(*cuSeqlensQ)(n), (*cuSeqlensQ)(n + 1), (*cuSeqlensK)(n),
              (*cuSeqlensK)(n + 1)};
  return {i, i + 1, 0, 0};
}

void mlir::fpa::reference::keyIntervals(
    int64_t keyLength, const std::optional<View<int64_t>> &cuSeqlensQ,
    const std::optional<View<int64_t>> &cuSeqlensK, const View<int64_t> &first,
    const View<int64_t> &last, std::optional<int64_t> window) {
  for (int64_t i = 0; i < first.size(0); ++i) {
    Sequence sequence =
        findSequence(i, first.size(0), keyLength, cuSeqlensQ, cuSeqlensK);
    int64_t position = i - sequence.queryEnd + sequence.keyEnd;
    last(i) = std::max(sequence.keyBegin - 1, position);
    first(i) = sequence.keyBegin;
    if (window)
      first(i) = std::max(sequence.keyBegin, last(i) - *window + 1);
  }
}
