//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Support/RunPasses.h"
#include "fpa/Support/Diagnostics.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassInstrumentation.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace {
/// Remembers which pass failed: of passes within passes the innermost.
struct FailedPass : PassInstrumentation {
  explicit FailedPass(std::string &name) : name(name) {}
  void runAfterPassFailed(Pass *pass, Operation *) override {
    if (name.empty())
      name =
          (pass->getArgument().empty() ? pass->getName() : pass->getArgument())
              .str();
  }
  std::string &name;
};
} // namespace

llvm::Error mlir::fpa::runPasses(PassManager &pm, Operation *op) {
  std::string failedPass;
  pm.addInstrumentation(std::make_unique<FailedPass>(failedPass));
  FirstDiagnostic diagnostic(op->getContext());
  if (succeeded(pm.run(op)))
    return llvm::Error::success();
  return diagnostic.takeError("internal error: pass " + failedPass +
                              " failed without a message");
}
