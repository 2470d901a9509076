//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Instrumented kernels as machine code of the host.

#ifndef FPA_LIB_EMULATOR_HOSTCODE_H
#define FPA_LIB_EMULATOR_HOSTCODE_H

#include "Instrument.h"
#include "llvm/ADT/StringMap.h"
#include <memory>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace mlir::fpa {

class HostCode {
public:
  static llvm::Expected<std::unique_ptr<HostCode>>
  compile(InstrumentedKernels &kernels);
  ~HostCode();

  using Entry = void (*)(void **arguments);
  /// A kernel; its arguments are given as pointers to their values.
  Entry getEntry(llvm::StringRef kernel) const {
    return entries.lookup(kernel);
  }

  /// With their addresses.
  llvm::ArrayRef<Constant> getConstants() const { return constants; }

private:
  HostCode();
  llvm::Error link(llvm::SmallVector<char, 0> object,
                   const InstrumentedKernels &kernels);

  std::unique_ptr<llvm::orc::LLJIT> jit;
  llvm::StringMap<Entry> entries;
  std::vector<Constant> constants;
};

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_HOSTCODE_H
