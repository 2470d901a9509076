//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_INITALL_H
#define FPA_INITALL_H

namespace mlir {
class DialectRegistry;

namespace fpa {

/// Adds the fpa dialect and every external model of its ops to `registry`.
void registerFpaDialect(DialectRegistry &registry);

/// Registers every fpa pass and pipeline with MLIR's global registry.
void registerFpaPasses();

} // namespace fpa
} // namespace mlir

#endif // FPA_INITALL_H
