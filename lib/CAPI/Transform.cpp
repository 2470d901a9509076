//===- Transform.cpp - Passes on text, for C ------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LastError.h"
#include "fpa/CAPI/Fpa.h"
#include "fpa/ExecutionEngine/CompiledModule.h"
#include "fpa/InitAll.h"
#include "fpa/Support/Diagnostics.h"
#include "fpa/Support/LargeStack.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

struct FpaText {
  std::string text, remarks;
};

/// Once for the process: names of passes are global.
static void registerPasses() {
  static const bool registered = [] {
    registerAllPasses();
    registerFpaPasses();
    return true;
  }();
  (void)registered;
}

static Error runPipeline(ModuleOp module, StringRef pipeline,
                         std::string &remarks) {
  std::string problem;
  llvm::raw_string_ostream stream(problem);
  FailureOr<OpPassManager> parsed = parsePassPipeline(pipeline, stream);
  if (failed(parsed))
    return createStringError("expected a pass pipeline, got '" + pipeline +
                             "': " + StringRef(problem).trim());
  if (parsed->getOpAnchorName() != "builtin.module")
    return createStringError("expected a pass pipeline on builtin.module, got "
                             "one on " +
                             parsed->getOpAnchorName());
  PassManager pm(module.getContext(), "builtin.module");
  static_cast<OpPassManager &>(pm) = std::move(*parsed);
  std::optional<std::string> first;
  ScopedDiagnosticHandler handler(
      module.getContext(), [&](Diagnostic &diagnostic) {
        std::string line =
            formatLocation(diagnostic.getLocation()) + diagnostic.str();
        if (diagnostic.getSeverity() == DiagnosticSeverity::Remark)
          remarks += line + "\n";
        else if (diagnostic.getSeverity() == DiagnosticSeverity::Error &&
                 !first)
          first = line;
        return success();
      });
  if (succeeded(pm.run(module)))
    return Error::success();
  return createStringError(first ? *first : "a pass failed without a message");
}

static Expected<std::unique_ptr<FpaText>> transformText(StringRef text,
                                                        StringRef pipeline) {
  registerPasses();
  std::unique_ptr<MLIRContext> context = createContext();
  Expected<OwningOpRef<ModuleOp>> module = parseModuleText(text, *context);
  if (!module)
    return module.takeError();
  auto result = std::make_unique<FpaText>();
  if (Error error = runPipeline(**module, pipeline, result->remarks))
    return std::move(error);
  llvm::raw_string_ostream stream(result->text);
  (*module)->print(stream);
  stream << '\n';
  return std::move(result);
}

FpaText *fpaTransform(const char *text, size_t length, const char *pipeline) {
  auto result = onLargeStack(
      [&] { return transformText(StringRef(text, length), pipeline); });
  if (result)
    return result->release();
  setLastError(result.takeError());
  return nullptr;
}

const char *fpaTextGet(const FpaText *text) { return text->text.c_str(); }

const char *fpaTextRemarks(const FpaText *text) {
  return text->remarks.c_str();
}

void fpaTextDestroy(FpaText *text) { delete text; }
