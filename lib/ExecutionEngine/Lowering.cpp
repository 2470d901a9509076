//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Watch.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/ExecutionEngine/CompiledModule.h"
#include "fpa/InitAll.h"
#include "fpa/Pipelines/ReadOptions.h"
#include "fpa/Support/Diagnostics.h"
#include "fpa/Support/InputFiles.h"
#include "fpa/Support/LargeStack.h"
#include "fpa/Support/ReadBytecode.h"
#include "fpa/Support/RunPasses.h"
#include "fpa/Target/NVPTX.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Verifier.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

std::unique_ptr<MLIRContext> mlir::fpa::createContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  registerFpaDialect(registry);
  registerNVPTXTranslations(registry);
  return std::make_unique<MLIRContext>(registry,
                                       MLIRContext::Threading::DISABLED);
}

static Expected<OwningOpRef<ModuleOp>>
parseBuffer(std::unique_ptr<llvm::MemoryBuffer> buffer, MLIRContext &context) {
  if (Error error =
          checkNesting(buffer->getBuffer(), buffer->getBufferIdentifier()))
    return std::move(error);
  bool isBytecode = mlir::isBytecode(*buffer);
  std::string name = buffer->getBufferIdentifier().str();
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  FirstDiagnostic diagnostic(&context);
  OwningOpRef<ModuleOp> module;
  auto parse = [&] { module = parseSourceFile<ModuleOp>(sources, &context); };
  if (!isBytecode)
    parse();
  else if (Error error = readBytecode(name, parse))
    return std::move(error);
  if (!module)
    return diagnostic.takeError("cannot parse the module");
  return std::move(module);
}

Expected<OwningOpRef<ModuleOp>>
mlir::fpa::parseModuleFile(StringRef path, MLIRContext &context) {
  auto buffer = readTextFile(path);
  if (!buffer)
    return buffer.takeError();
  return parseBuffer(std::move(*buffer), context);
}

Expected<OwningOpRef<ModuleOp>>
mlir::fpa::parseModuleText(StringRef text, MLIRContext &context) {
  return parseBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, "module"),
                     context);
}

Error mlir::fpa::runPasses(ModuleOp module, StringRef what,
                           llvm::function_ref<void(OpPassManager &)> build,
                           SmallVectorImpl<StageTime> *stages) {
  Watch watch(stages);
  PassManager pm(module.getContext());
  build(pm);
  if (Error error = runPasses(pm, module))
    return error;
  watch.stage(what);
  return Error::success();
}

/// Fails for a function that is declared only: nothing is linked that could be
/// it.
static Error checkBodies(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.isExternal())
      return makeError(
          function.getLoc(),
          ("expected function '" + function.getName() + "' to have a body")
              .str());
  return Error::success();
}

/// Fails where a size is asked of a dimension that is not there. That is
/// undefined behaviour, of which a compiler may make anything.
static Error checkDimensions(ModuleOp module) {
  std::optional<std::pair<Location, std::string>> problem;
  module.walk([&](Operation *op) {
    if (!isa<tensor::DimOp, memref::DimOp>(op))
      return WalkResult::advance();
    std::optional<int64_t> dim = getConstantIntValue(op->getOperand(1));
    auto type = cast<ShapedType>(op->getOperand(0).getType());
    if (!dim || !type.hasRank() || (*dim >= 0 && *dim < type.getRank()))
      return WalkResult::advance();
    problem.emplace(op->getLoc(),
                    (op->getName().getStringRef() +
                     ": expected a dimension below rank " +
                     Twine(type.getRank()) + ", got " + Twine(*dim))
                        .str());
    return WalkResult::interrupt();
  });
  return problem ? makeError(problem->first, problem->second)
                 : Error::success();
}

Error mlir::fpa::prepareEntries(ModuleOp module, ArrayRef<StringRef> names) {
  if (Error error = checkDimensions(module))
    return error;
  SmallVector<func::FuncOp> entries;
  for (StringRef name : names) {
    Expected<func::FuncOp> entry = findEntry(module, name);
    if (!entry)
      return entry.takeError();
    entries.push_back(*entry);
  }
  for (auto function : module.getOps<func::FuncOp>())
    if (!llvm::is_contained(entries, function))
      function.setPrivate();
  OpBuilder builder(module.getContext());
  StringRef writable = bufferization::BufferizationDialect::kWritableAttrName;
  for (func::FuncOp entry : entries) {
    entry.setPublic();
    entry->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                   builder.getUnitAttr());
    for (unsigned i = 0, e = entry.getNumArguments(); i < e; ++i)
      if (isa<TensorType>(entry.getArgument(i).getType()) &&
          !entry.getArgAttr(i, writable))
        entry.setArgAttr(i, writable, builder.getBoolAttr(false));
  }
  auto build = [](OpPassManager &pm) {
    pm.addPass(createInlinerPass());
    pm.addPass(createSymbolDCEPass());
  };
  if (Error error = runPasses(module, "inlining", build))
    return error;
  return checkBodies(module);
}

Error mlir::fpa::convertToReference(ModuleOp module) {
  return runPasses(module, "promotion to float64", [](OpPassManager &pm) {
    pm.addPass(createPromoteToF64());
    pm.addPass(createConvertFpaToReference());
  });
}

Error mlir::fpa::lowerToLLVMDialect(ModuleOp module,
                                    const CompileOptions &options,
                                    SmallVectorImpl<StageTime> *stages) {
  CPUPipelineOptions pipeline;
  pipeline.strategy =
      options.reference ? CPUStrategy::Decompose : options.strategy;
  pipeline.lanes = options.target.lanes;
  pipeline.registers = options.target.registers;
  if (Error error = readOptions(pipeline, options.pipeline))
    return createStringError("pipeline options: " + toString(std::move(error)));
  using Build = void (*)(OpPassManager &, const CPUPipelineOptions &);
  std::pair<StringRef, Build> parts[] = {
      {"buffers", buildCPUBufferPipeline},
      {"machine", buildCPUMachinePipeline},
      {"llvm dialect", buildCPUToLLVMPipeline}};
  for (auto [name, build] : parts)
    if (Error error = runPasses(
            module, name,
            [&, build = build](OpPassManager &pm) { build(pm, pipeline); },
            stages))
      return error;
  return Error::success();
}
