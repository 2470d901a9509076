//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "Strategies.h"
#include "fpa/Tools/CommandLine.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static std::optional<EmitKind> parseEmit(StringRef text) {
  return llvm::StringSwitch<std::optional<EmitKind>>(text)
      .Case("obj", EmitKind::Object)
      .Case("so", EmitKind::SharedLibrary)
      .Case("llvm", EmitKind::LLVMIR)
      .Case("mlir", EmitKind::MLIR)
      .Case("header", EmitKind::Header)
      .Case("ptx", EmitKind::PTX)
      .Case("cubin", EmitKind::Cubin)
      .Case("package", EmitKind::Package)
      .Default(std::nullopt);
}

/// Whether the target makes that kind of output; without --emit what it makes.
static Error chooseEmit(CompileToolOptions &options, StringRef text) {
  bool isGPU = options.code.target == TargetKind::NVPTX;
  if (text.empty()) {
    options.emit = isGPU ? EmitKind::Package : EmitKind::Object;
    return Error::success();
  }
  std::optional<EmitKind> emit = parseEmit(text);
  bool isForGPU = emit == EmitKind::PTX || emit == EmitKind::Cubin ||
                  emit == EmitKind::Package;
  bool isForBoth = emit == EmitKind::LLVMIR || emit == EmitKind::MLIR;
  if (!emit || (!isForBoth && isForGPU != isGPU))
    return createStringError(
        "option --emit: expected " +
        StringRef(isGPU ? "package, llvm, ptx, cubin or mlir with "
                          "--target=nvptx"
                        : "obj, so, llvm, mlir or header with --target=cpu") +
        ", got '" + text + "'");
  options.emit = *emit;
  return Error::success();
}

Expected<CompileToolOptions>
mlir::fpa::parseCompileOptions(int argc, const char *const *argv,
                               bool &isDone) {
  CompileToolOptions options;
  CommandLine line(
      "fpa-compile",
      "Compiles functions on tensors ahead of time. A function f becomes the "
      "C function\n_mlir_ciface_f that --emit=header declares; the caller "
      "answers for dynamic sizes.");
  line.positional("FILE.mlir", options.file);
  line.option("o", "OUT", "the file to write; - prints what is text",
              options.output);
  std::string emit;
  line.option(
      "emit", "KIND",
      "for a CPU obj (default; to be linked with -lfpa_runtime -lm), so (with "
      "the runtime library inside), llvm, mlir (the llvm dialect) or header "
      "(C declarations); for a GPU package (default; kernels and how to launch "
      "them), llvm, ptx, cubin or mlir (kernels in the nvvm dialect)",
      emit);
  line.option("entry", "NAME",
              "a function to keep, may be repeated (default: all that are not "
              "private)",
              [&](StringRef text) {
                options.entries.push_back(text.str());
                return Error::success();
              });
  const TargetKind targets[] = {TargetKind::CPU, TargetKind::NVPTX};
  addCodeOptions(line, options.code, targets);
  line.flag("ptxas-report",
            "print registers, spills and memory of each kernel of a GPU",
            options.reportResources);
  bool isListing = false;
  addStrategiesOption(line, isListing);
  if (Error error = line.parse(argc, argv, isDone))
    return std::move(error);
  if (isDone)
    return options;
  if (Error error = checkCodeOptions(line, options.code, targets))
    return std::move(error);
  if (Error error = chooseEmit(options, emit))
    return std::move(error);
  if (options.reportResources && options.code.target != TargetKind::NVPTX)
    return createStringError("option --ptxas-report: expected --target=nvptx");
  if (options.reportResources && options.emit == EmitKind::MLIR)
    return createStringError("option --ptxas-report: expected another --emit "
                             "than mlir, of which there is no text for ptxas");
  if (line.has("toolkit") && !options.reportResources &&
      options.emit != EmitKind::Cubin && options.emit != EmitKind::Package)
    return createStringError("option --toolkit: expected --emit=package or "
                             "cubin, or --ptxas-report, got --emit=" +
                             emit);
  if (options.output.empty())
    return createStringError("expected an output file, -o OUT");
  if (options.output != "-")
    return options;
  const char *binary =
      options.emit == EmitKind::Object ||
              options.emit == EmitKind::SharedLibrary
          ? "an object or a shared library"
      : options.emit == EmitKind::Cubin || options.emit == EmitKind::Package
          ? "machine code or a package"
          : nullptr;
  if (binary)
    return createStringError("option -o: expected a file for " +
                             llvm::Twine(binary) +
                             ", got '-' (standard output)");
  return options;
}
