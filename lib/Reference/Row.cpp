//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Row.h"
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

using namespace mlir::fpa::reference;

/// Infinite fields and levels count as the largest finite number, so that the
/// difference of two is never NaN. NaN stays.
static double clampFinite(double x) {
  constexpr double largest = std::numeric_limits<double>::max();
  return x > largest ? largest : x < -largest ? -largest : x;
}

/// The penalty for z = level - minimum, and how fast it grows with z.
static std::pair<double, double> penalize(double z,
                                          const std::optional<double> &smooth) {
  if (!smooth) // On the kink, at 0, a key counts as not penalised.
    return z <= 0 ? std::make_pair(0.0, 0.0) : std::make_pair(z, 1.0);
  // softplus(beta z) / beta and sigmoid(beta z), without overflow.
  double x = *smooth * z, e = std::exp(-std::abs(x));
  return {(std::max(x, 0.0) + std::log1p(e)) / *smooth,
          (x > 0 ? 1.0 : e) / (1 + e)};
}

Row::Row(const AttentionInputs &inputs, int64_t batch, int64_t head, int64_t i)
    : in(inputs), batch(batch), head(head), i(i),
      keyHead(head / (in.query.size(1) / in.key.size(1))) {
  if (in.field)
    fieldHead = in.field->size(1) == in.query.size(1) ? head : keyHead;
  Sequence sequence = findSequence(i, in.query.size(2), in.key.size(2),
                                   in.cuSeqlensQ, in.cuSeqlensK);
  last = i - sequence.queryEnd + sequence.keyEnd;
  first = sequence.keyBegin;
  if (in.window)
    first = std::max(first, last - *in.window + 1);
}

void Row::forEachKey(const std::function<void(const Pair &)> &visit) const {
  double minimum = 0;
  int64_t place = -1;
  for (int64_t j = last; j >= first; --j) {
    Pair pair = {j, 0, place, 0};
    for (int64_t d = 0; d < in.query.size(3); ++d)
      pair.logit += in.query(batch, head, i, d) * in.key(batch, keyHead, j, d);
    pair.logit *= in.scale;
    if (in.field) {
      double level =
          clampFinite((in.level ? *in.level : *in.field)(batch, fieldHead, j));
      double pen = std::isnan(level) ? level : 0;
      if (place >= 0)
        std::tie(pen, pair.slope) = penalize(level - minimum, in.smooth);
      pair.logit -= pen;
      // The next key lies left of j, so j joins its minimum. A NaN is smaller
      // than everything.
      double phi = clampFinite((*in.field)(batch, fieldHead, j));
      if (place < 0 || phi < minimum ||
          (std::isnan(phi) && !std::isnan(minimum))) {
        minimum = phi;
        place = j;
      }
    }
    visit(pair);
  }
}
