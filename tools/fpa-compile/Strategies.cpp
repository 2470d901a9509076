//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Strategies.h"
#include "fpa/Target/GPUTiles.h"
#include "fpa/Tools/CommandLine.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::outs;
using llvm::StringRef;

static constexpr llvm::StringLiteral optionName = "list-strategies";

void mlir::fpa::addStrategiesOption(CommandLine &line, bool &isListing) {
  line.flag(optionName,
            "in place of a file: print the tile sizes of attention on GPUs; "
            "with --help its own options, --chip, --head and others",
            isListing);
}

bool mlir::fpa::asksForStrategies(int argc, const char *const *argv) {
  auto isAsking = [](StringRef text) {
    return text == ("--" + optionName).str();
  };
  return llvm::any_of(llvm::ArrayRef(argv, argc).drop_front(argc > 0),
                      isAsking);
}

static void printHead(StringRef name, int64_t size, int64_t padded) {
  outs() << " " << name << " " << size;
  if (padded != size)
    outs() << " (padded to " << padded << ")";
}

/// One line: what it is for, the options of a pipeline that give it, and what
/// it needs. `asked` has the head sizes before they were padded.
static void printStrategy(const GPUStrategy &strategy,
                          const GPUAttention &asked) {
  const GPUAttention &padded = strategy.attention;
  const GPUTiles &tiles = strategy.tiles;
  outs() << strategy.target.chip << " " << getName(padded.element);
  printHead("head", asked.headSize, padded.headSize);
  printHead("value-head", asked.valueHeadSize, padded.valueHeadSize);
  outs() << ": query-tile=" << tiles.query << " key-tile=" << tiles.key
         << " edge-tile=" << tiles.edge << " warps=" << tiles.warps
         << " stages=" << tiles.stages << " (" << strategy.use.sharedBytes
         << " bytes shared, " << strategy.use.registers << " registers, "
         << strategy.use.blocksPerSM << " blocks resident)\n";
}

Error mlir::fpa::listStrategies(int argc, const char *const *argv) {
  CommandLine line("fpa-compile --list-strategies",
                   "Prints the tile sizes of attention on GPUs: those chosen "
                   "for --chip, --type and --head,\nwhich is filled up with "
                   "zeros to a multiple of 16 as in programs, or without\n"
                   "--chip one line for everything that may be chosen.");
  std::string chip, type = "f16";
  GPUAttention attention;
  GPUTileRequest request;
  bool isListing = true, isDone = false, everyHead = false;
  attention.valueHeadSize = 0;
  line.flag(optionName, "this list", isListing);
  line.flag("every-head", "also every head size in steps of 16", everyHead);
  line.option("chip", "CHIP", "a GPU, sm_80 for one", chip);
  line.option("type", "TYPE", "f16 (default), bf16 or f32", type);
  line.option("head", "N", "head size of q and k, 64 unless given",
              attention.headSize, 1);
  line.option("value-head", "N", "head size of v, as --head unless given",
              attention.valueHeadSize, 1);
  for (auto [name, help, result] :
       {std::tuple("query-tile", "query rows of a block", &request.query),
        std::tuple("key-tile", "keys of a full tile", &request.key),
        std::tuple("edge-tile", "keys of a masked tile", &request.edge),
        std::tuple("warps", "warps of a block", &request.warps),
        std::tuple("stages", "tiles in shared memory", &request.stages)})
    line.option(name, "N", help, *result, 0);
  if (Error error = line.parse(argc, argv, isDone))
    return error;
  if (isDone)
    return Error::success();
  if (everyHead && line.has("chip"))
    return createStringError("option --every-head: expected no --chip, got " +
                             chip);
  for (StringRef name : {"type", "head", "value-head", "query-tile", "key-tile",
                         "edge-tile", "warps", "stages"})
    if (line.has(name) && !line.has("chip"))
      return createStringError("option --" + name +
                               ": expected --chip beside it, got none");
  if (!line.has("chip")) {
    for (const GPUStrategy &strategy : listGPUStrategies(everyHead))
      printStrategy(strategy, strategy.attention);
    return Error::success();
  }
  Expected<GPUTarget> target = getGPUTarget(chip);
  if (!target)
    return target.takeError();
  Expected<GPUElement> element = parseGPUElement(type);
  if (!element)
    return element.takeError();
  attention.element = *element;
  if (!attention.valueHeadSize)
    attention.valueHeadSize = attention.headSize;
  GPUAttention padded = padGPUHeads(attention);
  Expected<GPUTiles> tiles = chooseGPUTiles(*target, padded, request);
  if (!tiles)
    return tiles.takeError();
  printStrategy(
      {*target, padded, *tiles, estimateGPUUse(*target, padded, *tiles)},
      attention);
  return Error::success();
}
