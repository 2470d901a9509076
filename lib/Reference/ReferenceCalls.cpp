//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The reference as compiled code calls it: memrefs come unranked through MLIR's
// C interface, as a rank and the address of a descriptor.

#include "fpa/Reference/Reference.h"

using namespace mlir::fpa::reference;

namespace {
struct Unranked {
  int64_t rank;
  const int64_t *descriptor;
};

template <typename T> View<T> view(const Unranked *memref) {
  const int64_t *words = memref->descriptor;
  View<T> result;
  result.data = reinterpret_cast<T *>(intptr_t(words[1])) + words[2];
  result.sizes.assign(words + 3, words + 3 + memref->rank);
  result.strides.assign(words + 3 + memref->rank, words + 3 + 2 * memref->rank);
  return result;
}

template <typename T>
std::optional<View<T>> viewIf(bool present, const Unranked *memref) {
  return present ? std::optional<View<T>>(view<T>(memref)) : std::nullopt;
}

ScanOptions scanOptions(int64_t present, int64_t axis, int64_t segment) {
  ScanOptions options;
  options.axis = axis;
  options.reverse = present & kReverse;
  options.exclusive = present & kExclusive;
  if (present & kSegment)
    options.segment = segment;
  return options;
}

/// What attention and its gradients take in common, in this order.
void setInputs(AttentionInputs &inputs, const Unranked *query,
               const Unranked *key, const Unranked *value,
               const Unranked *field, const Unranked *level,
               const Unranked *cuSeqlensQ, const Unranked *cuSeqlensK,
               int64_t present, double scale, int64_t window, double smooth) {
  inputs.query = view<double>(query);
  inputs.key = view<double>(key);
  inputs.value = view<double>(value);
  inputs.field = viewIf<double>(present & kField, field);
  inputs.level = viewIf<double>(present & kLevel, level);
  inputs.cuSeqlensQ = viewIf<int64_t>(present & kCuSeqlens, cuSeqlensQ);
  inputs.cuSeqlensK = viewIf<int64_t>(present & kCuSeqlens, cuSeqlensK);
  inputs.scale = scale;
  if (present & kWindow)
    inputs.window = window;
  if (present & kSmooth)
    inputs.smooth = smooth;
}

void callAttention(const Unranked *query, const Unranked *key,
                   const Unranked *value, const Unranked *field,
                   const Unranked *level, const Unranked *cuSeqlensQ,
                   const Unranked *cuSeqlensK, const Unranked *output,
                   const Unranked *lse, int64_t present, double scale,
                   int64_t window, double smooth) {
  AttentionOperands operands;
  setInputs(operands, query, key, value, field, level, cuSeqlensQ, cuSeqlensK,
            present, scale, window, smooth);
  operands.output = view<double>(output);
  operands.lse = viewIf<double>(present & kLse, lse);
  attention(operands);
}

void callAttentionBackward(
    const Unranked *query, const Unranked *key, const Unranked *value,
    const Unranked *field, const Unranked *level, const Unranked *cuSeqlensQ,
    const Unranked *cuSeqlensK, const Unranked *output, const Unranked *lse,
    const Unranked *outputGradient, const Unranked *lseGradient,
    const Unranked *queryGradient, const Unranked *keyGradient,
    const Unranked *valueGradient, const Unranked *fieldGradient,
    const Unranked *levelGradient, int64_t present, double scale,
    int64_t window, double smooth) {
  AttentionBackwardOperands operands;
  setInputs(operands, query, key, value, field, level, cuSeqlensQ, cuSeqlensK,
            present, scale, window, smooth);
  operands.output = view<double>(output);
  operands.lse = view<double>(lse);
  operands.outputGradient = view<double>(outputGradient);
  operands.lseGradient = viewIf<double>(present & kLseGradient, lseGradient);
  operands.queryGradient = view<double>(queryGradient);
  operands.keyGradient = view<double>(keyGradient);
  operands.valueGradient = view<double>(valueGradient);
  operands.fieldGradient =
      viewIf<double>(present & kFieldGradient, fieldGradient);
  operands.levelGradient =
      viewIf<double>(present & kLevelGradient, levelGradient);
  attentionBackward(operands);
}

void callPrefixMin(const Unranked *input, const Unranked *output,
                   const Unranked *index, int64_t present, int64_t axis,
                   int64_t segment) {
  prefixMin(view<double>(input), view<double>(output),
            viewIf<int64_t>(present & kIndex, index),
            scanOptions(present, axis, segment));
}

void callPrefixMinBackward(const Unranked *index, const Unranked *gradient,
                           const Unranked *output, int64_t axis) {
  prefixMinBackward(view<int64_t>(index), view<double>(gradient),
                    view<double>(output), axis);
}

void callPrefixSum(const Unranked *input, const Unranked *output,
                   int64_t present, int64_t axis, int64_t segment) {
  prefixSum(view<double>(input), view<double>(output),
            scanOptions(present, axis, segment));
}

void callKeyIntervals(int64_t keyLength, const Unranked *cuSeqlensQ,
                      const Unranked *cuSeqlensK, const Unranked *first,
                      const Unranked *last, int64_t present, int64_t window) {
  keyIntervals(keyLength, viewIf<int64_t>(present & kCuSeqlens, cuSeqlensQ),
               viewIf<int64_t>(present & kCuSeqlens, cuSeqlensK),
               view<int64_t>(first), view<int64_t>(last),
               present & kWindow ? std::optional<int64_t>(window)
                                 : std::nullopt);
}
} // namespace

std::vector<Symbol> mlir::fpa::reference::getSymbols() {
  return {
      {"_mlir_ciface_fpa_reference_attention",
       reinterpret_cast<void *>(callAttention)},
      {"_mlir_ciface_fpa_reference_attention_backward",
       reinterpret_cast<void *>(callAttentionBackward)},
      {"_mlir_ciface_fpa_reference_prefix_min",
       reinterpret_cast<void *>(callPrefixMin)},
      {"_mlir_ciface_fpa_reference_prefix_min_backward",
       reinterpret_cast<void *>(callPrefixMinBackward)},
      {"_mlir_ciface_fpa_reference_prefix_sum",
       reinterpret_cast<void *>(callPrefixSum)},
      {"_mlir_ciface_fpa_reference_key_intervals",
       reinterpret_cast<void *>(callKeyIntervals)},
  };
}
