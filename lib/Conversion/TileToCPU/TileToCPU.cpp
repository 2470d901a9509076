//===- TileToCPU.cpp - From the tile program to register tiles --*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TileToCPU.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/Transforms/LowerVectorScan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_CONVERTFPATILETOCPU
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::cpu;

namespace {

struct ConvertFpaTileToCPU
    : public fpa::impl::ConvertFpaTileToCPUBase<ConvertFpaTileToCPU> {
  using ConvertFpaTileToCPUBase::ConvertFpaTileToCPUBase;

  void runOnOperation() override {
    if (failed(verifyLanes(getOperation(), lanes)))
      return signalPassFailure();
    if (registers < 4) {
      emitError(getOperation()->getLoc(),
                "expected option registers to be at least 4, got ")
          << registers.getValue();
      return signalPassFailure();
    }
    for (scf::ForallOp forall : collectTilePrograms(getOperation())) {
      FailureOr<AxisAnalysis> axes = analyzeTileProgram(forall);
      if (failed(axes))
        return signalPassFailure();
      StorageForms forms = splitForms(forall, *axes);
      RegisterFile file = {lanes, registers};
      BlockStorage storage(forall, *axes, forms, file);
      OpBuilder builder(forall);
      TileMapper mapper(*axes, storage, file, builder);
      if (failed(mapper.mapBody(*forall.getBody())))
        return signalPassFailure();
      ++numMapped;
    }
  }
};

} // namespace
