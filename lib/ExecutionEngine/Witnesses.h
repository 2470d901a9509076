//===- Witnesses.h - What a GPU program gives to be judged ------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A program for a CPU ends its run where a number that it has computed breaks a
// rule. One for a GPU cannot: its kernels run when its host program is done. It
// returns such numbers behind its results, and the host judges them.

#ifndef FPA_LIB_EXECUTIONENGINE_WITNESSES_H
#define FPA_LIB_EXECUTIONENGINE_WITNESSES_H

#include "fpa/ExecutionEngine/Signature.h"
#include <functional>

namespace mlir::fpa {

/// What is wrong with the elements of one more result, as an error.
using Witness = std::function<llvm::Error(const Tensor &)>;

/// Makes `entry` return what there is to judge behind its own results: each
/// beta that it computes, and for each update of a cache that has no place to
/// say that it is full how many keys a head would hold, in a loop at most. Fails
/// where a beta is computed in a loop.
llvm::Expected<SmallVector<Witness>> addWitnesses(func::FuncOp entry);

} // namespace mlir::fpa

#endif // FPA_LIB_EXECUTIONENGINE_WITNESSES_H
