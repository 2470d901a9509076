//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Tensors as command lines describe them.

#ifndef FPA_TOOLS_FILLTENSOR_H
#define FPA_TOOLS_FILLTENSOR_H

#include "fpa/ExecutionEngine/Signature.h"

namespace mlir::fpa {

/// "2x3xf32" as sizes and element type.
llvm::Expected<TensorSpec> parseShape(StringRef text);

/// Fills `tensor`: normal, uniform in [-1, 1), walk (sums of normal steps along
/// the last axis), ramp (0, 1, 2, ...), zeros, ones, inf, nan, or a list of as
/// many numbers as there are elements, or of one. Integers are uniform in
/// [0, 10) for normal and uniform, and their steps of a walk too.
llvm::Error fillTensor(Tensor &tensor, StringRef generator, uint64_t seed);

/// One line a row of the last dimension.
void printElements(const Tensor &tensor);

} // namespace mlir::fpa

#endif // FPA_TOOLS_FILLTENSOR_H
