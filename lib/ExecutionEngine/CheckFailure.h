//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// How a program ends its call when a check of its own fails.

#ifndef FPA_EXECUTIONENGINE_CHECKFAILURE_H
#define FPA_EXECUTIONENGINE_CHECKFAILURE_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace mlir::fpa {

/// Calls fpa_check_failed of the runtime with the check's number and the three
/// sizes that it compared, if `broken`.
void emitCheckFailure(OpBuilder &builder, Location loc, ModuleOp module,
                      Value broken, int64_t check, ValueRange sizes);

/// Makes each cf.assert a check of the program, numbered from `first` on.
/// Returns what to say of each that fails.
SmallVector<std::string> replaceAssertions(ModuleOp module, int64_t first);

/// The divisions of scalars of integers whose divisor is not known to be one.
SmallVector<Operation *> findDivisions(ModuleOp module);

/// Makes the divisors checks of the program, numbered from `first` on. Returns
/// what to say of each that fails.
SmallVector<std::string> insertDivisionChecks(ModuleOp module,
                                              ArrayRef<Operation *> divisions,
                                              int64_t first);

} // namespace mlir::fpa

#endif // FPA_EXECUTIONENGINE_CHECKFAILURE_H
