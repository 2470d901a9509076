//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Right operands of products have layouts of their own, so that nothing else
// may use the same value.

#ifndef FPA_LIB_DIALECT_TRANSFORMS_RIGHTOPERANDS_H
#define FPA_LIB_DIALECT_TRANSFORMS_RIGHTOPERANDS_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fpa {

/// Gives every product whose right operand is needed elsewhere in another role
/// (as the right operand of a product that sums over its other dimension, as a
/// left operand, element by element) a read of its own, and with it what is
/// computed element by element between the read and the product.
void separateRightOperands(scf::ForallOp forall);

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_RIGHTOPERANDS_H
