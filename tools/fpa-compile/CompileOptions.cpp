//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static Error parseEmit(StringRef text, EmitKind &emit) {
  auto parsed = llvm::StringSwitch<std::optional<EmitKind>>(text)
                    .Case("obj", EmitKind::Object)
                    .Case("so", EmitKind::SharedLibrary)
                    .Case("llvm", EmitKind::LLVMIR)
                    .Case("mlir", EmitKind::MLIR)
                    .Case("header", EmitKind::Header)
                    .Default(std::nullopt);
  if (!parsed && (text == "ptx" || text == "cubin" || text == "package"))
    return createStringError("'" + text +
                             "' needs a GPU target, which this build has not");
  if (!parsed)
    return createStringError("expected obj, so, llvm, mlir or header, got '" +
                             text + "'");
  emit = *parsed;
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
  line.option("o", "OUT", "the file to write; - prints llvm, mlir and header",
              options.output);
  line.option(
      "emit", "KIND",
      "obj (default; to be linked with -lfpa_runtime -lm), so (with the "
      "runtime library inside), llvm, mlir (the llvm dialect) or header "
      "(C declarations)",
      [&](StringRef text) { return parseEmit(text, options.emit); });
  line.option("entry", "NAME",
              "a function to keep, may be repeated (default: all that are not "
              "private)",
              [&](StringRef text) {
                options.entries.push_back(text.str());
                return Error::success();
              });
  addCodeOptions(line, options.code);
  if (Error error = line.parse(argc, argv, isDone))
    return std::move(error);
  if (isDone)
    return options;
  if (options.output.empty())
    return createStringError("expected an output file, -o OUT");
  bool isBinary = options.emit == EmitKind::Object ||
                  options.emit == EmitKind::SharedLibrary;
  if (isBinary && options.output == "-")
    return createStringError("option -o: expected a file for an object or a "
                             "shared library, got '-' (standard output)");
  return options;
}
