//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Files of one array in NumPy's .npy format.

#ifndef FPA_SUPPORT_NPY_H
#define FPA_SUPPORT_NPY_H

#include "fpa/Support/OutputFiles.h"
#include "fpa/Support/Tensor.h"

namespace mlir::fpa {

/// Reads versions 1, 2 and 3 with little-endian elements f2, f4, f8, i4, i8 and
/// b1; `V2`, what NumPy writes for types it does not know, is read as bf16.
/// Fortran order is converted. Errors name the file.
llvm::Expected<Tensor> readNpy(llvm::StringRef path);

/// Adds a file of version 1 (2 for a long header).
llvm::Error addNpy(OutputFiles &files, llvm::StringRef path,
                   const Tensor &tensor);

} // namespace mlir::fpa

#endif // FPA_SUPPORT_NPY_H
