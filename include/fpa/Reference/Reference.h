//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The definition of fpa's graph-level ops in float64 by plain loops. Shares
// nothing with the compiler: it is what compiled code is compared with.

#ifndef FPA_REFERENCE_REFERENCE_H
#define FPA_REFERENCE_REFERENCE_H

#include <cstdint>
#include <optional>
#include <vector>

namespace mlir::fpa::reference {

/// Elements of type T in memory, with strides in elements.
template <typename T> struct View {
  T *data = nullptr;
  std::vector<int64_t> sizes, strides;

  int64_t size(int d) const { return sizes[d]; }
  template <typename... Index> T &operator()(Index... index) const {
    int64_t position = 0;
    int d = 0;
    ((position += int64_t(index) * strides[d++]), ...);
    return data[position];
  }
};

/// What attention and its gradients share.
struct AttentionInputs {
  /// [B, H, L, D]
  View<double> query, key, value;
  /// [B, HK or HQ, Lk]; no level means that the field is the level.
  std::optional<View<double>> field, level;
  std::optional<View<int64_t>> cuSeqlensQ, cuSeqlensK;
  double scale = 1;
  std::optional<int64_t> window;
  std::optional<double> smooth;
};

struct AttentionOperands : AttentionInputs {
  View<double> output;
  std::optional<View<double>> lse;
};
void attention(const AttentionOperands &operands);

struct AttentionBackwardOperands : AttentionInputs {
  /// What attention returned. Used as they are: nothing is computed again.
  View<double> output, lse;
  View<double> outputGradient;
  std::optional<View<double>> lseGradient;
  /// The results. Without one for the level the field's has both parts.
  View<double> queryGradient, keyGradient, valueGradient;
  std::optional<View<double>> fieldGradient, levelGradient;
};
void attentionBackward(const AttentionBackwardOperands &operands);

struct ScanOptions {
  int64_t axis = 0;
  bool reverse = false, exclusive = false;
  std::optional<int64_t> segment;
};
/// NaN is smaller than everything; among equals the largest index wins.
void prefixMin(const View<double> &input, const View<double> &output,
               const std::optional<View<int64_t>> &index,
               const ScanOptions &options);
/// Adds each gradient where its index says, if that is a place on the axis.
void prefixMinBackward(const View<int64_t> &index,
                       const View<double> &gradient,
                       const View<double> &output, int64_t axis);
void prefixSum(const View<double> &input, const View<double> &output,
               const ScanOptions &options);

void keyIntervals(int64_t keyLength,
                  const std::optional<View<int64_t>> &cuSeqlensQ,
                  const std::optional<View<int64_t>> &cuSeqlensK,
                  const View<int64_t> &first, const View<int64_t> &last,
                  std::optional<int64_t> window);

/// A row's sequence when it is packed with others, in packed indices.
struct Sequence {
  int64_t queryBegin, queryEnd, keyBegin, keyEnd;
};
/// The sequence of query row `i`; without bounds the only one. A row outside of
/// every sequence gets one without keys.
Sequence findSequence(int64_t i, int64_t queryLength, int64_t keyLength,
                      const std::optional<View<int64_t>> &cuSeqlensQ,
                      const std::optional<View<int64_t>> &cuSeqlensK);

/// Bits of the `present` argument of the functions that compiled code calls:
/// which operands and options are there.
enum Present : int64_t {
  kField = 1,
  kLevel = 2,
  kCuSeqlens = 4,
  kLse = 8,
  kWindow = 16,
  kSmooth = 32,
  kIndex = 64,
  kReverse = 128,
  kExclusive = 256,
  kSegment = 512,
  kLseGradient = 1024,
  kFieldGradient = 2048,
  kLevelGradient = 4096
};

/// The functions that compiled code calls by name, see ReferenceCalls.cpp.
struct Symbol {
  const char *name;
  void *address;
};
std::vector<Symbol> getSymbols();

} // namespace mlir::fpa::reference

#endif // FPA_REFERENCE_REFERENCE_H
