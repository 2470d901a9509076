//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_TOOLS_FPARUN_INPUTS_H
#define FPA_TOOLS_FPARUN_INPUTS_H

#include "fpa/ExecutionEngine/Signature.h"

namespace mlir::fpa {

/// The inputs that `texts` describe for an entry of `signature`: the file of
/// `@FILE`, or the shape or, without one, the static type, filled as the part
/// after `:` says. The stream of random numbers depends on the seed and the
/// input's place only.
llvm::Expected<SmallVector<Tensor>> makeInputs(const EntrySignature &signature,
                                               ArrayRef<std::string> texts,
                                               int64_t seed);

} // namespace mlir::fpa

#endif // FPA_TOOLS_FPARUN_INPUTS_H
