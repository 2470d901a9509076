//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulateOptions.h"
#include "fpa/Runtime/Runtime.h"
#include "fpa/Support/Npy.h"
#include "fpa/Target/GPUTarget.h"
#include "fpa/Tools/CommandLine.h"
#include "fpa/Tools/FillTensor.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

/// "4", "4,2" or "4,2,1".
static Error parseDim(StringRef text, ::fpa::runtime::Dim3 &result) {
  llvm::SmallVector<StringRef> parts;
  text.split(parts, ',');
  if (parts.size() > 3)
    return createStringError("expected 1 to 3 sizes, got '" + text + "'");
  int64_t *sizes[] = {&result.x, &result.y, &result.z};
  for (size_t i = 0; i < parts.size(); ++i) {
    Expected<int64_t> size = parseInteger(parts[i], 1);
    if (!size)
      return size.takeError();
    *sizes[i] = *size;
  }
  return Error::success();
}

static Expected<EmulateArgument> parseArgument(StringRef text, uint64_t seed) {
  EmulateArgument argument;
  if (text.consume_front("out:")) {
    argument.isInput = false;
    argument.isOutput = true;
  } else if (text.consume_front("inout:")) {
    argument.isOutput = true;
  }
  if (text.consume_front("@")) {
    Expected<Tensor> tensor = readNpy(text);
    if (!tensor)
      return tensor.takeError();
    argument.tensor = std::move(*tensor);
    return argument;
  }
  auto [shape, generator] = text.split(':');
  argument.isScalar = parseElementKind(shape).has_value();
  Expected<TensorSpec> spec = parseShape(shape);
  if (!spec)
    return spec.takeError();
  Expected<Tensor> tensor = Tensor::create(spec->kind, spec->shape);
  if (!tensor)
    return tensor.takeError();
  argument.tensor = std::move(*tensor);
  if (generator == "undefined")
    argument.isInput = false;
  else if (!generator.empty())
    if (Error error = fillTensor(argument.tensor, generator, seed))
      return std::move(error);
  return argument;
}

Expected<EmulateOptions> mlir::fpa::parseEmulateOptions(int argc,
                                                        const char *const *argv,
                                                        bool &isDone) {
  EmulateOptions options;
  CommandLine line("fpa-emulate",
                   "Runs a kernel of the first gpu.module of a file on the "
                   "emulator. Memory is given to\nparameters as a memref.");
  line.positional("FILE.mlir", options.file);
  line.option("kernel", "NAME", "the kernel to run", options.kernel);
  line.option("grid", "X,Y,Z", "number of blocks (default 1)",
              [&](StringRef text) { return parseDim(text, options.grid); });
  line.option("block", "X,Y,Z", "threads of a block (default 1)",
              [&](StringRef text) { return parseDim(text, options.block); });
  line.option("shared", "N", "bytes of dynamic shared memory",
              options.sharedBytes, 0);
  line.option("arg", "[out:|inout:]@FILE.npy|SHAPE|TYPE",
              "the next argument: a file, a shape as 2x3xf32 or, for a scalar, "
              "a type; then maybe :ramp, :normal, :1,2.5 and so on, or "
              ":undefined. What is out is printed",
              [&](StringRef text) -> Error {
                auto argument = parseArgument(text, options.arguments.size());
                if (!argument)
                  return argument.takeError();
                options.arguments.push_back(std::move(*argument));
                return Error::success();
              });
  line.option("pipeline", "PASSES", "passes to run on the module first",
              options.pipeline);
  line.option("chip", "NAME",
              "the GPU whose shared memory a block may have, such as sm_86 "
              "(default: the most of any)",
              [&options](StringRef text) -> Error {
                Expected<GPUTarget> chip = getGPUTarget(text);
                if (!chip)
                  return chip.takeError();
                options.sharedLimit = chip->sharedPerBlock;
                return Error::success();
              });
  line.option("threads", "N", "how many host threads share the blocks",
              options.threads, 1, FPA_MAX_THREADS);
  line.flag("stats", "print what the launch cost", options.stats);
  line.flag("blocks", "print the instructions of each basic block",
            options.blocks);
  if (Error error = line.parse(argc, argv, isDone))
    return std::move(error);
  return options;
}
