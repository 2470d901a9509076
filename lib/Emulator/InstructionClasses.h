//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Which instructions of the hardware an op of a kernel stands for.

#ifndef FPA_LIB_EMULATOR_INSTRUCTIONCLASSES_H
#define FPA_LIB_EMULATOR_INSTRUCTIONCLASSES_H

#include "PointerRoot.h"
#include "fpa/Emulator/Report.h"

namespace mlir {
class DataLayout;
class Operation;

namespace fpa {

/// Adds the instructions of `op` to `counts`. An estimate: constants, casts
/// between types of one size and places in vectors and structs cost nothing,
/// and a product with one use by a sum is one fused instruction where both
/// allow it.
void countInstructions(Operation *op, const DataLayout &layout,
                       InstructionCounts &counts);

} // namespace fpa
} // namespace mlir

#endif // FPA_LIB_EMULATOR_INSTRUCTIONCLASSES_H
