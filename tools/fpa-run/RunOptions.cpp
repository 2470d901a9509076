//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "RunOptions.h"
#include "fpa/Runtime/Runtime.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static Error append(SmallVector<std::string> &list, StringRef text) {
  list.push_back(text.str());
  return Error::success();
}

static void addOutputOptions(CommandLine &line, RunOptions &options) {
  line.option("output", "@FILE.npy",
              "where the next output goes; '-' leaves one out",
              [&](StringRef text) -> Error {
                if (text == "-")
                  return append(options.outputs, "");
                if (!text.consume_front("@") || text.empty())
                  return createStringError("expected @FILE.npy or -, got '" +
                                           text + "'");
                return append(options.outputs, text);
              });
  line.flag("print", "print the outputs' elements", options.print);
  line.option("compare", "reference",
              "print the error against the float64 reference, which needs the "
              "program as it is before its pipeline: the largest |a - b|, and "
              "of |a - b| / max(1, |b|)",
              [&](StringRef text) -> Error {
                if (text != "reference")
                  return createStringError("expected reference, got '" + text +
                                           "'");
                options.compare = true;
                return Error::success();
              });
  line.option("tolerance", "X",
              "fail when the relative error is above X (implies --compare)",
              [&](StringRef text) -> Error {
                Expected<double> value = parseNumber(text);
                if (!value)
                  return value.takeError();
                if (!(*value >= 0))
                  return createStringError("expected a number of at least 0, "
                                           "got '" +
                                           text + "'");
                options.tolerance = *value;
                options.compare = true;
                return Error::success();
              });
  line.flag("bench", "print median and least time of N calls (default 10)",
            options.bench, "N", [&](StringRef text) -> Error {
              Expected<int64_t> count = parseInteger(text, 1);
              if (!count)
                return count.takeError();
              options.repetitions = *count;
              return Error::success();
            });
  line.flag(
      "stats",
      "print compile time by stage, peak memory of a call and, on a GPU or "
      "the emulator, what kernels need or did",
      options.stats);
}

Expected<RunOptions>
mlir::fpa::parseRunOptions(int argc, const char *const *argv, bool &isDone) {
  RunOptions options;
  CommandLine line(
      "fpa-run",
      "Compiles a function on tensors and calls it. Inputs are given in order; "
      "those left out\nare random when their type is static. Memrefs are "
      "inputs too; those that the function\nmay write to are outputs as well, "
      "after its results.");
  line.positional("FILE.mlir", options.file);
  line.option("entry", "NAME", "the function to call (default main)",
              options.entry);
  line.option("input", "@FILE.npy|SHAPE",
              "the next input: a file, or a shape as 1x8x?x64xf32 with sizes "
              "in place of ?, or nothing; then maybe :normal (default), "
              ":uniform, :walk, :ramp, :zeros, :ones, :inf, :nan or "
              ":1,2.5,-inf",
              [&](StringRef text) { return append(options.inputs, text); });
  line.option("seed", "N", "of random inputs (default 0)", options.seed,
              INT64_MIN);
  const TargetKind targets[] = {TargetKind::CPU, TargetKind::Emulator,
                                TargetKind::Cuda};
  addCodeOptions(line, options.code, targets);
  line.option("threads", "N", "how many threads share the work",
              options.threads, 1, FPA_MAX_THREADS);
  line.flag("poison", "fill new memory with NaN", options.poison);
  addOutputOptions(line, options);
  if (Error error = line.parse(argc, argv, isDone))
    return std::move(error);
  if (isDone)
    return options;
  if (Error error = checkCodeOptions(line, options.code, targets))
    return std::move(error);
  // The emulator always does so.
  if (options.poison && options.code.target == TargetKind::Cuda)
    return createStringError(
        "option --poison: expected --target=cpu or emulator, got cuda");
  return options;
}
