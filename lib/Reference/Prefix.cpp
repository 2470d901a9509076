//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Reference/Reference.h"
#include <cmath>
#include <functional>
#include <limits>

using namespace mlir::fpa::reference;

/// Calls `visit` with the offsets in `a`, `b` and `c` of the first element of
/// every line along `axis`.
template <typename A, typename B, typename C>
static void
forEachLine(const A &a, const B &b, const C *c, int64_t axis,
            const std::function<void(int64_t, int64_t, int64_t)> &visit) {
  std::vector<int64_t> index(a.sizes.size(), 0);
  for (int64_t size : a.sizes)
    if (size == 0)
      return;
  for (;;) {
    int64_t offsets[3] = {0, 0, 0};
    for (size_t d = 0; d < index.size(); ++d) {
      offsets[0] += index[d] * a.strides[d];
      offsets[1] += index[d] * b.strides[d];
      offsets[2] += c ? index[d] * c->strides[d] : 0;
    }
    visit(offsets[0], offsets[1], offsets[2]);
    size_t d = index.size();
    while (d-- > 0) {
      if (int64_t(d) == axis)
        continue;
      if (++index[d] < a.sizes[d])
        break;
      index[d] = 0;
    }
    if (d == size_t(-1))
      return;
  }
}

/// Calls `start` where a scan begins and `step` for every position in the order
/// of the scan.
static void walkLine(int64_t length, const ScanOptions &options,
                     const std::function<void()> &start,
                     const std::function<void(int64_t)> &step) {
  for (int64_t n = 0; n < length; ++n) {
    int64_t t = options.reverse ? length - 1 - n : n;
    // Segments are counted from the axis' first element in both directions.
    bool edge = n == 0;
    if (options.segment)
      edge = edge || (options.reverse ? (t + 1) % *options.segment == 0
                                      : t % *options.segment == 0);
    if (edge)
      start();
    step(t);
  }
}

void mlir::fpa::reference::prefixMin(const View<double> &input,
                                     const View<double> &output,
                                     const std::optional<View<int64_t>> &index,
                                     const ScanOptions &options) {
  int64_t axis = options.axis;
  forEachLine(input, output, index ? &*index : nullptr, axis,
              [&](int64_t in, int64_t out, int64_t place) {
                double minimum = 0;
                int64_t at = -1;
                auto put = [&](int64_t t) {
                  output.data[out + t * output.strides[axis]] = minimum;
                  if (index)
                    index->data[place + t * index->strides[axis]] = at;
                };
                walkLine(
                    input.sizes[axis], options,
                    [&] {
                      minimum = std::numeric_limits<double>::infinity();
                      at = -1;
                    },
                    [&](int64_t t) {
                      if (options.exclusive)
                        put(t);
                      double x = input.data[in + t * input.strides[axis]];
                      bool tie = x == minimum ||
                                 (std::isnan(x) && std::isnan(minimum));
                      if (std::isnan(x) ? !std::isnan(minimum) : x < minimum) {
                        minimum = x;
                        at = t;
                      } else if (tie) {
                        at = at > t ? at : t;
                      }
                      if (!options.exclusive)
                        put(t);
                    });
              });
}

void mlir::fpa::reference::prefixMinBackward(const View<int64_t> &index,
                                             const View<double> &gradient,
                                             const View<double> &output,
                                             int64_t axis) {
  int64_t length = index.sizes[axis];
  forEachLine(index, gradient, &output, axis,
              [&](int64_t place, int64_t from, int64_t to) {
                auto sum = [&](int64_t t) -> double & {
                  return output.data[to + t * output.strides[axis]];
                };
                for (int64_t t = 0; t < length; ++t)
                  sum(t) = 0;
                for (int64_t u = 0; u < length; ++u) {
                  int64_t t = index.data[place + u * index.strides[axis]];
                  if (t >= 0 && t < length)
                    sum(t) += gradient.data[from + u * gradient.strides[axis]];
                }
              });
}

void mlir::fpa::reference::prefixSum(const View<double> &input,
                                     const View<double> &output,
                                     const ScanOptions &options) {
  int64_t axis = options.axis;
  forEachLine(input, output, static_cast<const View<double> *>(nullptr), axis,
              [&](int64_t in, int64_t out, int64_t) {
                double sum = 0;
                walkLine(
                    input.sizes[axis], options, [&] { sum = 0; },
                    [&](int64_t t) {
                      double x = input.data[in + t * input.strides[axis]];
                      output.data[out + t * output.strides[axis]] =
                          options.exclusive ? sum : sum + x;
                      sum += x;
                    });
              });
}
