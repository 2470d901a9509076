//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
#define FPA_DIALECT_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;

namespace fpa {

/// Attaches BufferizableOpInterface to every fpa op in destination style.
void registerBufferizableOpInterfaceExternalModels(DialectRegistry &registry);

} // namespace fpa
} // namespace mlir

#endif // FPA_DIALECT_TRANSFORMS_BUFFERIZABLEOPINTERFACEIMPL_H
