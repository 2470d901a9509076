//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Runs a pass that fails without saying why, as the tools run theirs, and
// prints what becomes of it.

#include "fpa/ExecutionEngine/CompiledModule.h"
#include "fpa/Support/RunPasses.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace {
struct SilentPass : PassWrapper<SilentPass, OperationPass<func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(SilentPass)
  StringRef getArgument() const override { return "test-silent"; }
  void runOnOperation() override { signalPassFailure(); }
};
} // namespace

int main() {
  std::unique_ptr<MLIRContext> context = fpa::createContext();
  auto module =
      fpa::parseModuleText("func.func @f() {\n  return\n}\n", *context);
  if (!module) {
    llvm::outs() << toString(module.takeError()) << "\n";
    return 2;
  }
  PassManager pm(context.get());
  pm.addNestedPass<func::FuncOp>(std::make_unique<SilentPass>());
  llvm::Error error = fpa::runPasses(pm, **module);
  bool failed = bool(error);
  llvm::outs() << toString(std::move(error)) << "\n";
  return failed ? 1 : 0;
}
