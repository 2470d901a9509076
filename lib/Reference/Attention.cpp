//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Reference/Reference.h"
#include <algorithm>
#include <cmath>
#include <limits>

using namespace mlir::fpa::reference;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Infinite fields and levels count as the largest finite number, so that the
/// difference of two is never NaN. NaN stays.
static double clampFinite(double x) {
  constexpr double largest = std::numeric_limits<double>::max();
  return x > largest ? largest : x < -largest ? -largest : x;
}

/// pen(i,j) for the level and the minimum of the field, +inf where that is over
/// nothing.
static double penalty(double level, double minimum,
                      const std::optional<double> &smooth) {
  if (minimum == kInfinity)
    return std::isnan(level) ? level : 0;
  if (!smooth)
    return level <= minimum ? 0 : level - minimum;
  // softplus(beta z) / beta, without overflow.
  double z = *smooth * (level - minimum);
  return (std::max(z, 0.0) + std::log1p(std::exp(-std::abs(z)))) / *smooth;
}

namespace {
/// One query row of one head.
class Row {
public:
  Row(const AttentionOperands &operands, int64_t batch, int64_t head, int64_t i)
      : op(operands), batch(batch), head(head), i(i),
        keyHead(head / (op.query.size(1) / op.key.size(1))) {}

  void compute() {
    Sequence sequence = findSequence(i, op.query.size(2), op.key.size(2),
                                     op.cuSeqlensQ, op.cuSeqlensK);
    int64_t shift = (sequence.keyEnd - sequence.keyBegin) -
                    (sequence.queryEnd - sequence.queryBegin);
    int64_t last = sequence.keyBegin + (i - sequence.queryBegin) + shift;
    int64_t first = sequence.keyBegin;
    if (op.window)
      first = std::max(first, last - *op.window + 1);
    std::vector<double> logits = computeLogits(first, last);
    writeSoftmax(first, logits);
  }

private:
  int64_t fieldHead(const View<double> &field) const {
    return field.size(1) == op.query.size(1) ? head : keyHead;
  }

  std::vector<double> computeLogits(int64_t first, int64_t last) const {
    std::vector<double> logits(std::max<int64_t>(0, last - first + 1));
    double minimum = kInfinity;
    for (int64_t j = last; j >= first; --j) {
      double dot = 0;
      for (int64_t d = 0; d < op.query.size(3); ++d)
        dot += op.query(batch, head, i, d) * op.key(batch, keyHead, j, d);
      logits[j - first] = op.scale * dot;
      if (!op.field)
        continue;
      const View<double> &level = op.level ? *op.level : *op.field;
      logits[j - first] -= penalty(
          clampFinite(level(batch, fieldHead(level), j)), minimum, op.smooth);
      // The next key lies left of j, so j joins its minimum.
      double phi = clampFinite((*op.field)(batch, fieldHead(*op.field), j));
      if (std::isnan(phi) || phi < minimum)
        minimum = phi;
    }
    return logits;
  }

  void writeSoftmax(int64_t first, const std::vector<double> &logits) const {
    double maximum = -kInfinity;
    for (double logit : logits)
      if (std::isnan(logit) || logit > maximum)
        maximum = logit;
    std::vector<double> weights(logits.size());
    double sum = 0;
    for (size_t j = 0; j < logits.size(); ++j)
      sum += weights[j] =
          maximum == -kInfinity ? 0 : std::exp(logits[j] - maximum);
    for (int64_t d = 0; d < op.value.size(3); ++d) {
      double total = 0;
      for (size_t j = 0; j < weights.size(); ++j)
        total += weights[j] * op.value(batch, keyHead, first + int64_t(j), d);
      op.output(batch, head, i, d) = sum == 0 ? 0 : total / sum;
    }
    if (op.lse)
      (*op.lse)(batch, head, i) =
          sum == 0 ? -kInfinity : maximum + std::log(sum);
  }

  const AttentionOperands &op;
  int64_t batch, head, i, keyHead;
};
} // namespace

void mlir::fpa::reference::attention(const AttentionOperands &operands) {
  for (int64_t b = 0; b < operands.query.size(0); ++b)
    for (int64_t h = 0; h < operands.query.size(1); ++h)
      for (int64_t i = 0; i < operands.query.size(2); ++i)
        Row(operands, b, h, i).compute();
}
