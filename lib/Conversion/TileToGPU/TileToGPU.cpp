//===- TileToGPU.cpp - From the tile program to GPU kernels -----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"
#include "fpa/Dialect/IR/Tile/Layout.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_CONVERTFPATILETOGPU
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {
struct ConvertFpaTileToGPU
    : public fpa::impl::ConvertFpaTileToGPUBase<ConvertFpaTileToGPU> {
  using ConvertFpaTileToGPUBase::ConvertFpaTileToGPUBase;

  void runOnOperation() override {
    if (stages < 1 || stages > 8) {
      emitError(getOperation()->getLoc(),
                "expected option stages from 1 to 8, got ")
          << stages.getValue();
      return signalPassFailure();
    }
    for (scf::ForallOp forall : collectTilePrograms(getOperation())) {
      auto warps = forall->getAttrOfType<IntegerAttr>(warpsAttrName);
      if (!warps) {
        forall.emitOpError("expected layouts (fpa-assign-layouts), got none");
        return signalPassFailure();
      }
      auto own = forall->getAttrOfType<IntegerAttr>(stagesAttrName);
      if (failed(fpa::simt::convertToKernel(
              forall, {warps.getInt(), own ? own.getInt() : stages},
              sharedLimit)))
        return signalPassFailure();
    }
  }
};
} // namespace
