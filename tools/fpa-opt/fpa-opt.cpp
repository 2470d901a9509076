//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/InitAll.h"
#include "fpa/Support/InputFiles.h"
#include "fpa/Support/LargeStack.h"
#include "fpa/Support/OutputFiles.h"
#include "fpa/Support/ReadBytecode.h"
#include "fpa/Tools/CommandLine.h"
#include "mlir/Bytecode/BytecodeReader.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using llvm::Error;

/// Runs passes as mlir-opt does, but writes the output as fpa's other tools: a
/// file appears whole, and only after a success.
static Error optimize(StringRef input, StringRef output,
                      DialectRegistry &registry, LogicalResult &result) {
  if (input == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "(reading standard input)\n";
  auto buffer = fpa::readTextFile(input);
  if (!buffer)
    return buffer.takeError();
  if (Error error = fpa::checkNesting((*buffer)->getBuffer(), input))
    return error;
  if (isBytecode(**buffer)) {
    // Read once more below, by a function that does other things too.
    MLIRContext context(registry);
    context.allowUnregisteredDialects();
    ScopedDiagnosticHandler silent(&context, [](Diagnostic &) {});
    if (Error error = fpa::readBytecode(input, [&] {
          (void)parseSourceString<ModuleOp>((*buffer)->getBuffer(), &context);
        }))
      return error;
  }
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::raw_ostream &stream =
      output == "-" ? static_cast<llvm::raw_ostream &>(llvm::outs()) : os;
  // Diagnostics are printed by the call.
  result = MlirOptMain(stream, std::move(*buffer), registry, config);
  if (failed(result) || output == "-")
    return Error::success();
  return fpa::writeFile(output, {text});
}

/// As registerAndParseCLIOptions, but what is wrong with the command line is
/// one line, where LLVM prints its advice on lines of their own.
static Error parseOptions(int argc, char **argv, DialectRegistry &registry,
                          std::string &input, std::string &output,
                          LogicalResult &result) {
  using namespace llvm;
  static cl::opt<std::string> inputFile(
      cl::Positional, cl::desc("<input file>"), cl::init("-"));
  static cl::opt<std::string> outputFile("o", cl::desc("Output filename"),
                                         cl::value_desc("filename"),
                                         cl::init("-"));
  std::string header = registerCLIOptions("fpa optimizer driver\n", registry);
  std::string text;
  raw_string_ostream os(text);
  if (!cl::ParseCommandLineOptions(argc, argv, header, &os)) {
    SmallVector<StringRef> lines;
    StringRef(text).split(lines, '\n', -1, /*KeepEmpty=*/false);
    std::string tool = (sys::path::filename(argv[0]) + ": ").str();
    for (StringRef &line : lines)
      line.consume_front(tool);
    // What is wrong with a value has been said by the option.
    result = failure();
    if (lines.empty())
      return Error::success();
    return createStringError(join(lines, " "));
  }
  input = inputFile;
  output = outputFile;
  return Error::success();
}

int main(int argc, char **argv) {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerAllExtensions(registry);
  // gpu-module-to-binary translates to LLVM IR inside of a pass.
  registerAllGPUToLLVMIRTranslations(registry);
  registerAllPasses();
  fpa::registerFpaDialect(registry);
  fpa::registerFpaPasses();
  std::string input, output;
  LogicalResult result = success();
  if (int status = fpa::runTool("fpa-opt", [&] {
        return parseOptions(argc, argv, registry, input, output, result);
      }))
    return status;
  if (failed(result))
    return 1;
  MlirOptMainConfig config = MlirOptMainConfig::createFromCLOptions();
  if (config.shouldShowDialects() || config.shouldListPasses())
    return asMainReturnCode(MlirOptMain(argc, argv, input, output, registry));
  llvm::InitLLVM init(argc, argv);
  int status = fpa::runTool(
      "fpa-opt", [&] { return optimize(input, output, registry, result); });
  return failed(result) ? 1 : status;
}
