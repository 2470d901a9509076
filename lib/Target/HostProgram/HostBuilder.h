//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// How a host function's values become those of a host program.

#ifndef FPA_LIB_TARGET_HOSTPROGRAM_HOSTBUILDER_H
#define FPA_LIB_TARGET_HOSTPROGRAM_HOSTBUILDER_H

#include "fpa/Runtime/HostProgram.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/Support/Error.h"
#include <map>

namespace mlir::fpa {

namespace runtime = ::fpa::runtime;
using runtime::Opcode;
using runtime::ValueId;

/// A memref as its parts; offset, sizes and strides in elements.
struct HostBuffer {
  ValueId base = -1, offset = -1;
  SmallVector<ValueId> sizes, strides;
};

/// Appends instructions to a program and remembers what values they make.
class HostBuilder {
public:
  explicit HostBuilder(runtime::HostProgram &program) : program(program) {}

  /// Appends an instruction; returns its value, -1 for one that makes none.
  ValueId add(runtime::Instruction instruction);
  ValueId add(Opcode op, ArrayRef<ValueId> operands, int64_t number = 0);
  /// The same integer is made once, or once more in each loop that stands
  /// before its first use outside.
  ValueId constant(int64_t number);
  /// Begins a loop and returns its variable; values made up to its end can be
  /// used in it only.
  ValueId beginLoop(ValueId from, ValueId to, ValueId step);
  void endLoop();
  ValueId multiply(ValueId a, ValueId b);

  /// Sizes and strides of row-major elements at offset 0.
  HostBuffer rowMajor(ValueId base, ArrayRef<ValueId> sizes);

private:
  runtime::HostProgram &program;
  ValueId next = 0;
  // Any number can be asked for; a DenseMap keeps some for itself.
  std::map<int64_t, ValueId> constants;
  /// Those that were there before each loop.
  SmallVector<std::map<int64_t, ValueId>> outer;
  /// The number behind a value that is a constant.
  llvm::DenseMap<ValueId, int64_t> numbers;
};

} // namespace mlir::fpa

#endif // FPA_LIB_TARGET_HOSTPROGRAM_HOSTBUILDER_H
