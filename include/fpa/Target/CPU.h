//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What a CPU offers, and the sizes that follow from it. The only place where
// the CPU path knows a machine by name.

#ifndef FPA_TARGET_CPU_H
#define FPA_TARGET_CPU_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace mlir::fpa {

struct CPUTarget {
  /// LLVM's triple, name and comma-separated features.
  std::string triple, cpu, features;
  /// f32 elements of one vector register.
  int64_t lanes = 4;
  /// Number of vector registers.
  int64_t registers = 16;
};

/// `name` is "host" or a CPU name of LLVM for the host's architecture.
llvm::Expected<CPUTarget> getCPUTarget(llvm::StringRef name);

/// An error when code for `target` may use instructions that the host has not.
llvm::Error checkRunsOnHost(const CPUTarget &target);

/// A target machine that generates position-independent code for `target`.
llvm::Expected<std::unique_ptr<llvm::TargetMachine>>
createTargetMachine(const CPUTarget &target, llvm::CodeGenOptLevel level);

} // namespace mlir::fpa

#endif // FPA_TARGET_CPU_H
