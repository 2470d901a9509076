//===- ExpandExp.h - exp of f64 without a library ---------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_PREPAREFORNVVM_EXPANDEXP_H
#define FPA_LIB_CONVERSION_PREPAREFORNVVM_EXPANDEXP_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {

/// math.exp of one f64, for which a GPU has no instruction, as a polynomial. It
/// is off by less than 2^-48 of itself.
void addExpandExpPattern(RewritePatternSet &patterns);

} // namespace mlir::fpa

#endif // FPA_LIB_CONVERSION_PREPAREFORNVVM_EXPANDEXP_H
