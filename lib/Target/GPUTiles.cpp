//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Target/GPUTiles.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using llvm::Twine;

/// Rows of a matrix instruction.
static constexpr int64_t kRows = 16;
/// Up to this head size the registers of a thread hold its part of Q, and all
/// that an edge needs.
static constexpr int64_t kMostKeptHead = 128;

static constexpr int64_t kWarps[] = {1, 2, 4, 8};
static constexpr int64_t kRowsPerWarp[] = {16, 32};
/// Products at an edge are unmasked by codes that add up for up to 253 keys.
static constexpr int64_t kKeys[] = {16, 32, 64, 128};
static constexpr int64_t kStages[] = {1, 2, 3, 4};

static constexpr std::pair<GPUElement, const char *> elements[] = {
    {GPUElement::F16, "f16"},
    {GPUElement::BF16, "bf16"},
    {GPUElement::F32, "f32"}};

StringRef mlir::fpa::getName(GPUElement element) {
  for (auto [known, name] : elements)
    if (known == element)
      return name;
  return "";
}

Expected<GPUElement> mlir::fpa::parseGPUElement(StringRef name) {
  for (auto [element, known] : elements)
    if (name == known)
      return element;
  return createStringError("expected an element type f16, bf16 or f32 on a "
                           "GPU, got " +
                           name);
}

static int64_t getBytes(GPUElement element) {
  return element == GPUElement::F32 ? 4 : 2;
}

static int64_t countTileBytes(int64_t rows, int64_t chunks) {
  return llvm::alignTo(rows * chunks * 16, 128);
}

/// Bytes of rows of 16-byte chunks, of which wide types have an odd number, or
/// in short rows a power of two, so that neighbouring rows lie in different
/// banks.
static int64_t countTileBytes(int64_t rows, int64_t columns, int64_t bytes) {
  int64_t chunks = llvm::divideCeil(columns * bytes, 16);
  if (bytes == 4 && (!llvm::isPowerOf2_64(chunks) || (rows > 1 && chunks >= 8)))
    chunks |= 1;
  return countTileBytes(rows, chunks);
}

/// The same where threads store pairs: rows of f32 are twice an odd number.
static int64_t countPairTileBytes(int64_t rows, int64_t columns,
                                  int64_t bytes) {
  if (bytes != 4)
    return countTileBytes(rows, columns, bytes);
  int64_t chunks = llvm::divideCeil(columns * bytes, 16);
  return countTileBytes(rows, chunks + (10 - chunks % 4) % 4);
}

/// A line that is computed once for all rows and then read by four lanes, for
/// each group of warps that has as many threads as the line elements.
static int64_t countExchangedBytes(int64_t keys, int64_t warps) {
  int64_t f32 = sizeof(float), perWarp = 32;
  if (keys < perWarp)
    return countTileBytes(1, keys, f32);
  int64_t stride = llvm::alignTo(std::max<int64_t>(keys / 4 - 8, 0), 16) + 8;
  int64_t groups = std::max<int64_t>(1, warps * perWarp / keys);
  return llvm::alignTo(groups * 4 * stride * f32, 128);
}

/// Q stays. Beside it lie the buffers of a loop: K and V with field, level and,
/// in full tiles, suffix minima, and lines of what is computed of them; in
/// edges columns of V again, without what is not finite. Without matrix
/// instructions a left operand is needed by other lanes than those that have
/// it, so the weights pass through as well. At the end the output does.
static int64_t countSharedBytes(const GPUAttention &a, const GPUTiles &tiles) {
  int64_t bytes = getBytes(a.element), f32 = sizeof(float);
  auto loop = [&](int64_t keys, int64_t lines, int64_t exchanged) {
    int64_t stage = countTileBytes(keys, a.headSize, bytes) +
                    countTileBytes(keys, a.valueHeadSize, bytes) +
                    lines * countTileBytes(1, keys, f32);
    int64_t weights = a.element == GPUElement::F32
                          ? countPairTileBytes(tiles.query, keys, f32)
                          : 0;
    return tiles.stages * stage + weights +
           exchanged * countExchangedBytes(keys, tiles.warps);
  };
  int64_t full = loop(tiles.key, 3, 4);
  bool inParts =
      a.element == GPUElement::F32 && a.valueHeadSize % kComputedColumns == 0;
  int64_t columns = inParts ? kComputedColumns : a.valueHeadSize;
  int64_t edge =
      loop(tiles.edge, 2, 2) + countTileBytes(tiles.edge, columns, bytes);
  int64_t output = countPairTileBytes(tiles.query, a.valueHeadSize, bytes);
  return countTileBytes(tiles.query, a.headSize, bytes) +
         std::max({full, edge, output});
}

/// Different columns in which a thread copies a block, chunk by chunk: all are
/// addresses of their own.
static int64_t countCopiedColumns(int64_t rows, int64_t columns, int64_t bytes,
                                  int64_t threads) {
  int64_t perRow = llvm::divideCeil(columns * bytes, 16);
  int64_t copies = llvm::divideCeil(rows * perRow, threads);
  constexpr int64_t most = 7; // others are computed when they are needed
  return std::min({copies, perRow / std::gcd(perRow, threads), most});
}

/// A block of R x C elements in f32 takes R * C / threads registers of each.
///   full tile   accumulator + logits + weights (half as wide) + Q
///   edge        accumulator + logits + minima of the field + weights + Q
///               + what says which values are not finite, as the accumulator
/// besides six numbers for each of a thread's rows, the operands of an
/// instruction or, element by element, of four steps, and addresses.
static int64_t countRegisters(const GPUTarget &target, const GPUAttention &a,
                              const GPUTiles &tiles) {
  int64_t threads = tiles.warps * target.warpSize, bytes = getBytes(a.element);
  auto block = [&](int64_t columns) { return tiles.query * columns / threads; };
  auto addresses = [&](int64_t keys) {
    return 36 + 2 * (countCopiedColumns(keys, a.headSize, bytes, threads) +
                     countCopiedColumns(keys, a.valueHeadSize, bytes, threads));
  };
  int64_t accumulator = block(a.valueHeadSize);
  bool isNarrow = a.element != GPUElement::F32;
  int64_t operands = isNarrow ? 16 : 28;
  // Wide rows of Q, and all without matrix instructions, are read from shared
  // memory again for each tile.
  bool isKept = a.headSize <= kMostKeptHead;
  int64_t query = !isNarrow ? 0 : isKept ? block(a.headSize) / 2 : 16;
  // Of wider rows some are spilled where a value is not finite.
  int64_t special = a.valueHeadSize <= kMostKeptHead ? accumulator : 0;
  // A row of a matrix instruction's result is in four lanes.
  int64_t rowsPerThread = std::max<int64_t>(1, tiles.query * 4 / threads);
  int64_t logits = block(tiles.key);
  int64_t full =
      logits + (isNarrow ? logits / 2 : logits) + addresses(tiles.key);
  int64_t edge = 3 * block(tiles.edge) + special + addresses(tiles.edge) + 2;
  return accumulator + query + std::max(full, edge) + 6 * rowsPerThread +
         operands;
}

GPUUse mlir::fpa::estimateGPUUse(const GPUTarget &target,
                                 const GPUAttention &attention,
                                 const GPUTiles &tiles) {
  GPUUse use;
  use.sharedBytes = countSharedBytes(attention, tiles);
  use.registers = countRegisters(target, attention, tiles);
  int64_t threads = tiles.warps * target.warpSize;
  if (use.sharedBytes > target.sharedPerBlock ||
      use.registers > target.registersPerThread ||
      threads > target.threadsPerBlock)
    return use;
  // Registers of a warp are handed out in units of 256.
  int64_t perWarp = llvm::alignTo(use.registers * target.warpSize, 256);
  use.blocksPerSM =
      std::min({target.blocksPerSM, target.threadsPerSM / threads,
                target.sharedPerSM / (use.sharedBytes + target.sharedReserved),
                target.registersPerSM / (perWarp * tiles.warps)});
  return use;
}

/// Relative time of a product of a query and a key: what is done once for each
/// tile and for each block is shared by its keys and rows, eight warps hide the
/// latency of a multiprocessor, and copies hide behind computation.
static double estimateCost(const GPUTiles &tiles, const GPUUse &use) {
  double work = 1 + 16.0 / double(tiles.key) + 32.0 / double(tiles.query);
  double resident = double(use.blocksPerSM * tiles.warps);
  double latency = 8 / std::min(8.0, resident);
  double copies = tiles.stages == 1 ? 1.3 : tiles.stages == 2 ? 1.0 : 0.98;
  // Half of an edge tile is masked; a small one does little at a time.
  double edges = 1 + 0.0004 * double(tiles.edge) + 0.3 / double(tiles.edge);
  return work * latency * copies * edges;
}

static Error checkHead(StringRef what, int64_t size) {
  if (size >= kGPUHeadStep && size <= kMostGPUHead && size % kGPUHeadStep == 0)
    return Error::success();
  // Pipelines fill up what is not too large.
  return createStringError(
      "expected a head size of " + what + " on a GPU " +
      (size > kMostGPUHead ? "of at most " : "that is a multiple of ") +
      Twine(size > kMostGPUHead ? kMostGPUHead : kGPUHeadStep) + ", got " +
      Twine(size));
}

GPUAttention mlir::fpa::padGPUHeads(GPUAttention attention) {
  for (int64_t *size : {&attention.headSize, &attention.valueHeadSize})
    if (*size <= kMostGPUHead)
      *size = llvm::alignTo(*size, kGPUHeadStep);
  return attention;
}

Error mlir::fpa::checkGPUHeads(const GPUAttention &attention) {
  if (Error error = checkHead("q and k", attention.headSize))
    return error;
  return checkHead("v", attention.valueHeadSize);
}

static Error checkPower(StringRef name, int64_t size, int64_t least,
                        int64_t most) {
  if (size == 0 || (size >= least && size <= most && llvm::isPowerOf2_64(size)))
    return Error::success();
  return createStringError("expected option " + name +
                           " to be a power of two "
                           "from " +
                           Twine(least) + " to " + Twine(most) + ", got " +
                           Twine(size));
}

Error mlir::fpa::checkGPUTileRequest(const GPUTileRequest &r) {
  if (Error error = checkPower("warps", r.warps, 1, 32))
    return error;
  for (auto [name, size] :
       {std::pair("key-tile", r.key), std::pair("edge-tile", r.edge)})
    if (Error error = checkPower(name, size, 16, 128))
      return error;
  if (r.key && r.edge > r.key)
    return createStringError("expected option edge-tile to be at most " +
                             Twine(r.key) + ", the key tile, got " +
                             Twine(r.edge));
  if (r.stages < 0 || r.stages > 8)
    return createStringError("expected option stages to be from 1 to 8, got " +
                             Twine(r.stages));
  int64_t rows = kRows * std::max<int64_t>(1, r.warps);
  if (r.query < 0 || r.query > 1024 || r.query % rows != 0)
    return createStringError("expected option query-tile to be a multiple of " +
                             Twine(rows) + ", 16 rows for each warp, got " +
                             Twine(r.query));
  return Error::success();
}

/// One number that is asked for, or all that there are.
static std::vector<int64_t> getChoices(int64_t asked,
                                       llvm::ArrayRef<int64_t> all) {
  if (asked)
    return {asked};
  return std::vector<int64_t>(all.begin(), all.end());
}

/// Calls `visit` with all sizes that agree with what is asked for.
static void forEachTiles(const GPUTileRequest &r,
                         llvm::function_ref<void(const GPUTiles &)> visit) {
  for (int64_t warps : getChoices(r.warps, kWarps))
    for (int64_t rows : kRowsPerWarp)
      for (int64_t key : getChoices(r.key, kKeys))
        for (int64_t edge : getChoices(r.edge, kKeys))
          for (int64_t stages : getChoices(r.stages, kStages)) {
            GPUTiles tiles = {warps * rows, key, edge, warps, stages};
            if (r.query) {
              // Rows that are asked for are not limited to two blocks a warp.
              if (rows != kRowsPerWarp[0] || r.query % (kRows * warps) != 0)
                continue;
              tiles.query = r.query;
            }
            if (edge <= key)
              visit(tiles);
          }
}

std::string mlir::fpa::describeMisfit(StringRef what, const GPUTarget &target,
                                      const GPUAttention &attention) {
  return (Twine("no tile sizes of ") + what + " in " +
          getName(attention.element) + " with head sizes " +
          Twine(attention.headSize) + " and " + Twine(attention.valueHeadSize) +
          " fit into " + target.chip + " with the options given: ")
      .str();
}

Error mlir::fpa::explainSharedMemory(const std::string &misfit, int64_t bytes,
                                     const GPUTarget &target) {
  return createStringError(misfit + "at least " + Twine(bytes) +
                           " bytes of shared memory are needed, a block has " +
                           Twine(target.sharedPerBlock));
}

/// Why nothing fits: the sizes that come closest.
static Error explain(const GPUTarget &target, const GPUAttention &attention,
                     const GPUTileRequest &request) {
  std::optional<GPUUse> least;
  int64_t threads = 0;
  auto excess = [&](const GPUUse &use, int64_t threads) {
    return std::max(
        {double(use.sharedBytes) / double(target.sharedPerBlock),
         double(use.registers) / double(target.registersPerThread),
         double(use.registers * threads) / double(target.registersPerSM)});
  };
  forEachTiles(request, [&](const GPUTiles &tiles) {
    GPUUse use = estimateGPUUse(target, attention, tiles);
    int64_t count = tiles.warps * target.warpSize;
    if (least && excess(use, count) >= excess(*least, threads))
      return;
    least = use;
    threads = count;
  });
  std::string what = describeMisfit("attention", target, attention);
  if (!least)
    return createStringError(what + "query-tile and warps do not go together");
  if (least->sharedBytes > target.sharedPerBlock)
    return explainSharedMemory(what, least->sharedBytes, target);
  if (least->registers <= target.registersPerThread)
    return createStringError(what + "at least " + Twine(least->registers) +
                             " registers of each of " + Twine(threads) +
                             " threads are needed, a multiprocessor has " +
                             Twine(target.registersPerSM) + " for all of them");
  return createStringError(what + "at least " + Twine(least->registers) +
                           " registers of a thread are needed, there are " +
                           Twine(target.registersPerThread));
}

Expected<GPUTiles> mlir::fpa::chooseGPUTiles(const GPUTarget &target,
                                             const GPUAttention &attention,
                                             const GPUTileRequest &request) {
  if (Error error = checkGPUHeads(attention))
    return std::move(error);
  if (Error error = checkGPUTileRequest(request))
    return std::move(error);
  std::optional<GPUTiles> best;
  double bestCost = 0;
  bool isWide = attention.valueHeadSize > kMostKeptHead;
  forEachTiles(request, [&](const GPUTiles &tiles) {
    GPUUse use = estimateGPUUse(target, attention, tiles);
    // The fewer keys an edge has, the less of wide rows is spilled there.
    if (use.blocksPerSM == 0 ||
        (isWide && !request.edge && tiles.edge > kKeys[0]))
      return;
    double cost = estimateCost(tiles, use);
    if (best && cost >= bestCost)
      return;
    best = tiles;
    bestCost = cost;
  });
  if (!best)
    return explain(target, attention, request);
  return *best;
}

std::vector<GPUStrategy> mlir::fpa::listGPUStrategies(bool everyHead) {
  std::vector<GPUStrategy> result;
  using Key = std::tuple<std::string, GPUElement, int64_t, int64_t, int64_t,
                         int64_t, int64_t>;
  std::map<Key, bool> seen;
  auto add = [&](const GPUTarget &target, const GPUAttention &attention) {
    Expected<GPUTiles> tiles = chooseGPUTiles(target, attention);
    if (!tiles) {
      llvm::consumeError(tiles.takeError());
      return;
    }
    Key key(target.chip, attention.element, tiles->query, tiles->key,
            tiles->edge, tiles->warps, tiles->stages);
    bool isNew = !std::exchange(seen[key], true);
    bool isAsked = everyHead && attention.headSize == attention.valueHeadSize;
    if (isNew || isAsked)
      result.push_back({target, attention, *tiles,
                        estimateGPUUse(target, attention, *tiles)});
  };
  for (StringRef chip : getGPUChips()) {
    GPUTarget target = llvm::cantFail(getGPUTarget(chip));
    for (auto [element, name] : elements)
      for (int64_t sum = 2 * kGPUHeadStep; sum <= 2 * kMostGPUHead;
           sum += kGPUHeadStep)
        for (int64_t head = kGPUHeadStep; head <= kMostGPUHead;
             head += kGPUHeadStep) {
          int64_t valueHead = sum - head;
          if (valueHead >= kGPUHeadStep && valueHead <= kMostGPUHead)
            add(target, {element, head, valueHead});
        }
  }
  return result;
}
