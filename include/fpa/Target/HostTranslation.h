//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// From a host function on memrefs that launches kernels to a host program.

#ifndef FPA_TARGET_HOSTTRANSLATION_H
#define FPA_TARGET_HOSTTRANSLATION_H

#include "fpa/Runtime/HostProgram.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"

namespace mlir::fpa {

namespace runtime = ::fpa::runtime;

/// The straight-line program of `function`, whose arguments and results are
/// memrefs of identity layout. A memref that a kernel takes becomes the values
/// that the lowered kernel has as parameters: address twice, offset, sizes,
/// strides. Buffers that the function neither frees nor returns are released at
/// the end. Fails, naming the op, for anything that a host program has not.
llvm::Expected<runtime::HostProgram>
translateHostFunction(func::FuncOp function);

} // namespace mlir::fpa

#endif // FPA_TARGET_HOSTTRANSLATION_H
