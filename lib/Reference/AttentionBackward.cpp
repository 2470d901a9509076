//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Row.h"
#include <cmath>

using namespace mlir::fpa::reference;

/// Adds what one query row gives to the gradients.
static void addRow(const AttentionBackwardOperands &op, int64_t batch,
                   int64_t head, int64_t i) {
  Row row(op, batch, head, i);
  int64_t keyHead = row.getKeyHead(), fieldHead = row.getFieldHead();
  double lse = op.lse(batch, head, i);
  // A row that sees no key.
  if (std::isinf(lse) && lse < 0)
    return;
  // Delta = <do, o> - dlse
  double delta = op.lseGradient ? -(*op.lseGradient)(batch, head, i) : 0;
  for (int64_t d = 0; d < op.value.size(3); ++d)
    delta +=
        op.outputGradient(batch, head, i, d) * op.output(batch, head, i, d);

  row.forEachKey([&](const Pair &pair) {
    int64_t j = pair.key;
    double weight = std::exp(pair.logit - lse), gradient = 0;
    for (int64_t d = 0; d < op.value.size(3); ++d) {
      gradient +=
          op.outputGradient(batch, head, i, d) * op.value(batch, keyHead, j, d);
      op.valueGradient(batch, keyHead, j, d) +=
          weight * op.outputGradient(batch, head, i, d);
    }
    // dS = P (dP - Delta)
    gradient = weight * (gradient - delta);
    for (int64_t d = 0; d < op.query.size(3); ++d) {
      op.queryGradient(batch, head, i, d) +=
          op.scale * gradient * op.key(batch, keyHead, j, d);
      op.keyGradient(batch, keyHead, j, d) +=
          op.scale * gradient * op.query(batch, head, i, d);
    }
    // The pen is subtracted; it grows with the level and falls with the
    // minimum of the field.
    if (!op.fieldGradient || pair.slope == 0)
      return;
    const View<double> &levels =
        op.levelGradient ? *op.levelGradient : *op.fieldGradient;
    levels(batch, fieldHead, j) -= pair.slope * gradient;
    (*op.fieldGradient)(batch, fieldHead, pair.place) += pair.slope * gradient;
  });
}

static void clear(const View<double> &view) {
  int64_t count = 1;
  for (int64_t size : view.sizes)
    count *= size;
  for (int64_t n = 0; n < count; ++n) {
    int64_t position = 0, rest = n;
    for (size_t d = view.sizes.size(); d-- > 0; rest /= view.sizes[d])
      position += rest % view.sizes[d] * view.strides[d];
    view.data[position] = 0;
  }
}

void mlir::fpa::reference::attentionBackward(
    const AttentionBackwardOperands &op) {
  for (const View<double> &view :
       {op.queryGradient, op.keyGradient, op.valueGradient})
    clear(view);
  for (const auto &view : {op.fieldGradient, op.levelGradient})
    if (view)
      clear(*view);
  for (int64_t b = 0; b < op.query.size(0); ++b)
    for (int64_t h = 0; h < op.query.size(1); ++h)
      for (int64_t i = 0; i < op.query.size(2); ++i)
        addRow(op, b, h, i);
}
