//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_EXECUTIONENGINE_MEMREFARGUMENTS_H
#define FPA_LIB_EXECUTIONENGINE_MEMREFARGUMENTS_H

#include "fpa/ExecutionEngine/Signature.h"

namespace mlir::fpa {

/// The arguments of an entry's C interface. A memref of rank r is passed as the
/// address of 3 + 2 r words: the address to free, that of the elements, an
/// offset, r sizes and r strides. Results come back in such words, one memref
/// after another, at the address given as first argument.
class MemRefArguments {
public:
  MemRefArguments(const EntrySignature &signature, ArrayRef<Tensor> inputs);

  /// One address for each argument.
  void **get() { return addresses.data(); }

  /// The results of a call; they free their memory with the runtime library.
  llvm::Expected<SmallVector<Tensor>> takeResults();

private:
  const EntrySignature &signature;
  SmallVector<SmallVector<int64_t>> inputWords;
  SmallVector<int64_t> resultWords;
  SmallVector<void *> addresses;
};

} // namespace mlir::fpa

#endif // FPA_LIB_EXECUTIONENGINE_MEMREFARGUMENTS_H
