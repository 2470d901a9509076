//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_TRANSFORMS_PASSES_H
#define FPA_DIALECT_TRANSFORMS_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
namespace affine { class AffineDialect; }
namespace arith { class ArithDialect; }
namespace func { class FuncDialect; }
namespace linalg { class LinalgDialect; }
namespace LLVM { class LLVMDialect; }
namespace math { class MathDialect; }
namespace memref { class MemRefDialect; }
namespace scf { class SCFDialect; }
namespace tensor { class TensorDialect; }
namespace vector { class VectorDialect; }

namespace fpa {
class FpaDialect;

/// Levels of IR between the stages of a pipeline.
enum class Level { Buffers, Kernels, LLVM };

#define GEN_PASS_DECL
#include "fpa/Dialect/Transforms/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace fpa
} // namespace mlir

#endif // FPA_DIALECT_TRANSFORMS_PASSES_H
