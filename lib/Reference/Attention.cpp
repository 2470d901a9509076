//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Row.h"
#include <cmath>
#include <limits>

using namespace mlir::fpa::reference;

static constexpr double kInfinity = std::numeric_limits<double>::infinity();

static void computeRow(const AttentionOperands &op, int64_t batch, int64_t head,
                       int64_t i) {
  Row row(op, batch, head, i);
  std::vector<double> weights(row.size());
  row.forEachKey([&](const Pair &pair) {
    weights[pair.key - row.firstKey()] = pair.logit;
  });
  double maximum = -kInfinity, sum = 0;
  for (double logit : weights)
    if (std::isnan(logit) || logit > maximum)
      maximum = logit;
  for (double &weight : weights)
    sum += weight = maximum == -kInfinity ? 0 : std::exp(weight - maximum);
  for (int64_t d = 0; d < op.value.size(3); ++d) {
    double total = 0;
    for (size_t j = 0; j < weights.size(); ++j)
      total += weights[j] * op.value(batch, row.getKeyHead(),
                                     row.firstKey() + int64_t(j), d);
    op.output(batch, head, i, d) = sum == 0 ? 0 : total / sum;
  }
  if (op.lse)
    (*op.lse)(batch, head, i) = sum == 0 ? -kInfinity : maximum + std::log(sum);
}

void mlir::fpa::reference::attention(const AttentionOperands &operands) {
  for (int64_t b = 0; b < operands.query.size(0); ++b)
    for (int64_t h = 0; h < operands.query.size(1); ++h)
      for (int64_t i = 0; i < operands.query.size(2); ++i)
        computeRow(operands, b, h, i);
}
