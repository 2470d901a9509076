//===- OwnTiles.h - What an op says of its own tiles ------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The attribute `fpa.tiles` of an op, or a part of it: sizes by name.

#ifndef FPA_LIB_DIALECT_TRANSFORMS_OWNTILES_H
#define FPA_LIB_DIALECT_TRANSFORMS_OWNTILES_H

#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fpa {

/// Puts the size that `tiles`, if given, has of this name into `size`.
void readOwnSize(DictionaryAttr tiles, StringRef name, int64_t &size);

/// Notes in `loops` what the machine is to do with the tiles further down.
void setMachine(DictionaryAttr tiles, ArrayRef<scf::ForallOp> loops);

} // namespace mlir::fpa

#endif // FPA_LIB_DIALECT_TRANSFORMS_OWNTILES_H
