//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_CONVERSION_PASSES_H
#define FPA_CONVERSION_PASSES_H

#include "mlir/Pass/Pass.h"

namespace mlir {
namespace affine { class AffineDialect; }
namespace arith { class ArithDialect; }
namespace bufferization { class BufferizationDialect; }
namespace func { class FuncDialect; }
namespace linalg { class LinalgDialect; }
namespace gpu { class GPUDialect; }
namespace LLVM { class LLVMDialect; }
namespace math { class MathDialect; }
namespace memref { class MemRefDialect; }
namespace nvgpu { class NVGPUDialect; }
namespace NVVM { class NVVMDialect; }
namespace scf { class SCFDialect; }
namespace tensor { class TensorDialect; }
namespace vector { class VectorDialect; }

namespace fpa {
class FpaDialect;
#define GEN_PASS_DECL
#include "fpa/Conversion/Passes.h.inc"
#define GEN_PASS_REGISTRATION
#include "fpa/Conversion/Passes.h.inc"
} // namespace fpa
} // namespace mlir

#endif // FPA_CONVERSION_PASSES_H
