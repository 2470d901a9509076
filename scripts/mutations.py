# Licensed under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Faults that the numeric suite must notice; see mutation_check.py.

Each is an exact edit of one file, whose old text must occur exactly once.
"""

import dataclasses

# What the suite needs to be built.
TARGETS = ["FpaPython"]

EQUATIONS = "lib/Dialect/IR/Tile/OnlineEquations.cpp"
LOGITS = "lib/Dialect/IR/Tile/LogitEquations.cpp"
COMMON = "lib/Dialect/Transforms/CommonMinimum.cpp"
BACKWARD = "lib/Dialect/IR/Tile/BackwardEquations.cpp"
CARRY = "lib/Dialect/IR/Tile/CarryEquations.cpp"
PRUNE = "lib/Dialect/IR/Tile/PruneEquations.cpp"
PRUNING = "lib/Dialect/Transforms/KeyPruning.cpp"
WALK = "lib/Dialect/Transforms/KeyWalk.cpp"
CACHED = "lib/Dialect/Transforms/TileCachedAttention.cpp"
CACHED_ROWS = "lib/Dialect/Transforms/CachedRows.cpp"
CACHE = "lib/Conversion/CacheToSCF/CacheEmitter.cpp"
SERIAL_CACHE = "lib/Conversion/CacheToSCF/SerialCache.cpp"
BACKWARD_WALK = "lib/Dialect/Transforms/TileAttentionBackward.cpp"
BACKWARD_ENDS = "lib/Dialect/Transforms/BackwardWalk.cpp"
BACKWARD_SPLIT = "lib/Dialect/Transforms/TileBackwardSplit.cpp"
BACKWARD_KEYS = "lib/Dialect/Transforms/TileBackwardKeys.cpp"
PAIRS = "lib/Dialect/Transforms/PairPruning.cpp"
BACKWARD_QUERIES = "lib/Dialect/Transforms/TileBackwardQueries.cpp"
FIELD_MINIMA = "lib/Dialect/Transforms/FieldMinima.cpp"
INTERVALS = "lib/Conversion/KeyIntervalsToSCF/KeyIntervalsToSCF.cpp"
ROW_SCAN = "lib/Conversion/PrefixToVector/RowScan.cpp"
PREFIX = "lib/Conversion/PrefixToVector/PrefixToVector.cpp"
NEST = "lib/Conversion/TileToCPU/MapNest.cpp"
TRANSFER = "lib/Conversion/TileToCPU/MapTransfer.cpp"
LANES = "lib/Conversion/PrefixToVector/LaneTurn.cpp"
MATH = "lib/Conversion/ExpandMath/ExpandMath.cpp"
GPU = "lib/Conversion/TileToGPU/"


@dataclasses.dataclass(frozen=True)
class Mutation:
    name: str
    file: str
    old: str
    new: str
    # Where the suite runs, and in which of its tile configurations.
    target: str = "cpu"
    tiles: str = ""


MUTATIONS = [
    # The equations of one step.
    Mutation("missing-rescale", EQUATIONS,
             "t.map({t.broadcast(alpha, {rows, valueHead}, 0), loadState(0)},\n"
             "              [](Elementwise &e, ValueRange x) "
             "{ return e.mul(x[0], x[1]); });",
             "t.map({t.broadcast(alpha, {rows, valueHead}, 0), loadState(0)},\n"
             "              [](Elementwise &e, ValueRange x) "
             "{ return x[1]; });"),
    Mutation("sum-not-rescaled", EQUATIONS,
             "return e.fma(x[0], x[1], x[2]); });",
             "return e.add(x[1], x[2]); });"),
    Mutation("common-too-early", COMMON,
             "walk.math.apply(d0 + 1, {i})", "walk.math.apply(d0, {i})",
             tiles="common"),
    Mutation("common-edge-not-seen", COMMON,
             "arith::CmpFPredicate::UGT, state[1], least);",
             "arith::CmpFPredicate::UGT, state[1], none);",
             tiles="common"),
    Mutation("common-not-carried",
             "lib/Dialect/Transforms/TileAttention.cpp",
             "common ? carried.back() : Value())",
             "common)", tiles="common"),
    Mutation("common-misses-inside", LOGITS,
             "return t.map({level, t.splat(in.common, keys), fixed},",
             "return t.map({level, t.splat(in.common, keys), level},",
             tiles="common"),
    Mutation("minimum-not-updated", EQUATIONS,
             "minimum = passTile(minimum);", ""),
    Mutation("missing-carry", LOGITS,
             "return e.min(x[0], e.min(x[1], x[2]));",
             "return e.min(x[1], x[2]);"),
    Mutation("first-key-not-passed", LOGITS,
             "return e.min(x[0], e.min(x[1], x[2]));",
             "return e.min(x[0], x[2]);"),
    Mutation("edge-carry-lost", LOGITS,
             "return passed ? passed : minimum;", "return minimum;"),
    Mutation("swapped-r-and-s", LOGITS,
             "return e.maxOrSecond(x[2], z);",
             "return e.maxOrSecond(x[1], e.sub(x[0], x[2]));"),
    Mutation("missing-clamp-inner", LOGITS,
             "return in.isSmooth() ? z : e.maxOrSecond("
             "e.constant(0.0, z), z);",
             "return z;"),
    Mutation("missing-clamp-edge", LOGITS,
             "  return e.maxOrSecond(e.constant(0.0, z), z);\n}",
             "  return z;\n}"),
    Mutation("smooth-clamped-early", LOGITS,
             "return in.isSmooth() ? z : e.maxOrSecond("
             "e.constant(0.0, z), z);",
             "return e.maxOrSecond(e.constant(0.0, z), z);"),
    Mutation("missing-diagonal", LOGITS,
             "e.compare(arith::CmpIPredicate::sle, x[0], x[1]);",
             "e.compare(arith::CmpIPredicate::slt, x[0], x[1]);"),
    Mutation("one-key-too-many", LOGITS,
             "return e.truncate(e.min(inTile, x[2]), cast<IntegerType>(i32));",
             "return e.truncate(e.min(e.sub(inTile, e.constant(int64_t(-1), "
             "x[0])), x[2]), cast<IntegerType>(i32));"),
    Mutation("wrong-mask-side", LOGITS,
             "e.compare(arith::CmpIPredicate::sge, x[1], x[2])",
             "e.compare(arith::CmpIPredicate::sle, x[1], x[2])"),
    Mutation("window-off-by-one-mask", LOGITS,
             "e.compare(arith::CmpIPredicate::sge, x[1], x[2])",
             "e.compare(arith::CmpIPredicate::sgt, x[1], x[2])"),
    Mutation("nan-contamination", EQUATIONS,
             "isEdge() ? getVisible() : Value());", "Value());"),
    Mutation("infinite-field", LOGITS,
             "    return clampBelow(e, clampAbove(e, x[0]));",
             "    return x[0];"),
    Mutation("row-without-keys", EQUATIONS,
             "e.select(e.compare(Pred::OEQ, x[0], none), "
             "e.constant(0.0, x[0]),\n                    x[0]);",
             "e.select(e.compare(Pred::OEQ, x[0], none), x[0],\n"
             "                    x[0]);"),
    Mutation("penalty-base", LOGITS,
             "e.constant(-log2e, excess)", "e.constant(-1.0, excess)"),
    Mutation("lse-base", EQUATIONS,
             "e.mul(total, e.constant(ln2, total))", "total"),
    Mutation("smooth-scale", LOGITS,
             "e.constant(1.0 / *in.smooth, x)", "e.constant(1.0, x)"),
    Mutation("smooth-scale-of-operand", LOGITS,
             "e.div(e.constant(1.0, in.beta), in.beta)",
             "e.constant(1.0, in.beta)"),
    # The equations of one step of the backward.
    Mutation("backward-tie-to-tile", BACKWARD,
             "e.compare(Pred::OLE, x[0], x[1]);",
             "e.compare(Pred::OLT, x[0], x[1]);"),
    Mutation("backward-tie-to-left-in-edge", BACKWARD,
             "return e.compare(Pred::OLT, x[0], x[1]);",
             "return e.compare(Pred::OLE, x[0], x[1]);"),
    Mutation("backward-carry-not-ended", CARRY,
             "e.compare(Pred::OGT, x[1], x[0])",
             "e.compare(Pred::OGT, x[1], x[1])"),
    Mutation("backward-carry-counted-twice", CARRY,
             ": e.select(x[0], none, x[1]);", ": x[1];"),
    Mutation("backward-carry-not-moved-on", BACKWARD,
             "sumOverKeys(selectOrZero(t, isRows, share, /*where=*/true))",
             "sumOverKeys(selectOrZero(t, isRows, share, /*where=*/false))"),
    Mutation("backward-last-slot-dropped", CARRY,
             "return e.select(x[0], x[1], e.constant(0.0, x[1]));",
             "return e.constant(0.0, x[1]);"),
    Mutation("backward-key-penalised-in-no-row", BACKWARD,
             "return e.select(x[0], x[1], x[2]);", "return x[2];"),
    Mutation("backward-kink-penalised-inside", BACKWARD,
             "e.below(x[2])", "x[2]"),
    Mutation("backward-lse-gradient-lost", BACKWARD,
             "if (op.getLseGradient())",
             "if (false && op.getLseGradient())"),
    Mutation("backward-level-sign", BACKWARD,
             "return subtract ? e.sub(x[0], x[1]) : e.add(x[0], x[1]);",
             "return e.add(x[0], x[1]);"),
    Mutation("backward-query-unscaled", BACKWARD,
             "e.cast(e.mul(x[0], e.constant(scale, x[0])), element)",
             "e.cast(e.mul(x[0], e.constant(scale / scale, x[0])), element)"),
    Mutation("backward-kink-penalised", LOGITS,
             "e.compare(Pred::UGT, blocks[0], blocks[1])",
             "e.compare(Pred::UGE, blocks[0], blocks[1])"),
    Mutation("backward-slope-mirrored", LOGITS,
             "e.div(e.select(isAbove, one, power), e.add(one, power))",
             "e.div(e.select(isAbove, power, one), e.add(one, power))"),
    # Which tiles the backward walks, and where sums go.
    Mutation("backward-carry-lost", BACKWARD_WALK,
             "state = walkKeys(tile, part, begin, state);",
             "state = walkKeys(tile, part, begin, state);\n"
             "    if (hasFieldGradient)\n"
             "      state[1] = fill({rows}, zero());"),
    Mutation("backward-minima-misplaced", BACKWARD_WALK,
             "step = math.apply(d0 + d1, {step, stepsOf(range)});",
             "(void)d0, (void)d1;"),
    Mutation("backward-short-tile-dropped", BACKWARD_WALK,
             "math.apply(d0.ceilDiv(sizes.query), {rows})",
             "math.apply(d0.floorDiv(sizes.query), {rows})"),
    Mutation("backward-chunks-not-added", BACKWARD_ENDS,
             "return arith::AddFOp::create(b, loc, x[1], x[0]);",
             "return x[0];"),
    Mutation("backward-heads-not-added", BACKWARD_WALK,
             "b, loc, math.value(group), slabs,",
             "b, loc, math.value(index(1)), slabs,"),
    Mutation("backward-key-unscaled", BACKWARD_WALK,
             "scaleInto(sums[Key - 1], op.getScaleValue(), "
             "op.getOuts()[1])",
             "scaleInto(sums[Key - 1], 1.0, op.getOuts()[1])"),
    Mutation("backward-tied-level-lost", BACKWARD_ENDS,
             "  if (!op.getLevel())\n    parts.push_back(level);\n",
             "  (void)level;\n"),
    Mutation("backward-last-slot-unplaced", BACKWARD_ENDS,
             "return arith::SelectOp::create(b, loc, isLast, ofTile, x[0]);",
             "(void)isLast, (void)ofTile;\n"
             "        return x[0];"),
    # The same in two walks.
    Mutation("split-runs-short", FIELD_MINIMA,
             "math.value(math.apply(d1 - d0, {begin, end}));",
             "math.value(math.apply(d1 - d0 - 1, {begin, end}));",
             tiles="split"),
    Mutation("split-second-run-lost", FIELD_MINIMA,
             "arith::MinimumFOp::create(b, loc, get(first), get(second));",
             "get(first);\n  (void)second;", tiles="split"),
    Mutation("split-passed-forgotten", BACKWARD,
             "loadRow(op.getMinimum()), op.getPassed(), rows)",
             "loadRow(op.getMinimum()), Value(), rows)", tiles="split"),
    Mutation("split-lines-shared", BACKWARD_SPLIT,
             "math.apply(d(0) * linesOfBlock() + d(1) + 1, {block, keyTile})",
             "math.apply(d(1) + 1, {block, keyTile})", tiles="split"),
    Mutation("split-suffixes-of-one-tile", BACKWARD_SPLIT,
             "int64_t tiles = pair.isEdge ? 1 : inputs.blockKeys / sizes.key;",
             "int64_t tiles = 1;", tiles="split"),
    Mutation("split-last-rows-unseen", BACKWARD_KEYS,
             "return math.min({d(0).ceilDiv(rows) * ofBlock, d(1)}",
             "return math.min({(d(0).ceilDiv(rows) + 1) * ofBlock, d(1)}",
             tiles="split"),
    Mutation("split-first-head-only", BACKWARD_KEYS,
             "b, loc, math.value(group), state,",
             "b, loc, math.value(index(1)), state,", tiles="split"),
    # Which tiles are walked, and of which head.
    Mutation("exclusive-for-inclusive", WALK,
             "/*exclusive=*/true,", "/*exclusive=*/false,"),
    Mutation("suffix-scan-forward", WALK,
             "/*reverse=*/true,", "/*reverse=*/false,"),
    Mutation("wrong-head", WALK,
             "arith::DivUIOp::create(b, loc, math.value(h), group)",
             "arith::RemUIOp::create(b, loc, math.value(h), math.value(own))"),
    Mutation("inner-runs-over", WALK,
             "math.alignDown(math.apply(d0 + 1, {lastMin}), align);",
             "math.alignDown(math.apply(d0 + 1, {lastMax}), align);"),
    Mutation("last-tile-dropped", WALK,
             "math.alignUp(math.apply(d0 + 1, {lastMax}), sizes.edge);",
             "math.alignDown(math.apply(d0 + 1, {lastMax}), sizes.edge);"),
    Mutation("left-edge-unmasked", WALK,
             "{innerEnd, math.alignUp(firstMax, align)}",
             "{innerEnd, math.alignDown(firstMax, align)}"),
    Mutation("own-key-not-in-edge", WALK,
             "math.alignDown(lastMin, align), b.getIndexAttr(0)",
             "math.alignDown(math.apply(d0 + 1, {lastMin}), align), "
             "b.getIndexAttr(0)"),
    # Intervals.
    Mutation("window-off-by-one", INTERVALS,
             "i64(b, *window - 1)", "i64(b, *window)"),
    Mutation("packed-boundary", INTERVALS,
             "Value first = s.k0;", "Value first = i64(b, 0);"),
    Mutation("top-left-causal", INTERVALS,
             "b.createOrFold<arith::SubIOp>(loc, s.k1, s.q1);",
             "b.createOrFold<arith::SubIOp>(loc, s.k0, s.q0);"),
    # Scans.
    Mutation("scan-inclusive-everywhere", ROW_SCAN,
             "b, loc, elements.exclusive ? ScanState(carry) : next);",
             "b, loc, next);"),
    Mutation("scan-turn-order", LANES,
             "elements.rules.reverse ? turn - 1 - k : k", "k"),
    Mutation("scan-nan-untested", LANES,
             "arith::CmpFPredicate::UNO", "arith::CmpFPredicate::AlwaysFalse"),
    Mutation("scan-carry-lost", ROW_SCAN,
             "row.serialLoop(b, loc, from, size, /*width=*/0, carry);\n}",
             "row.serialLoop(b, loc, from, size, /*width=*/0, "
             "elements.initialCarry(b, loc));\n}"),
    Mutation("segments-ignored", PREFIX,
             "bool whole =\n      !elements.segment ||",
             "bool whole =\n      true || !elements.segment ||"),
    # Register tiles.
    Mutation("register-tail-dropped", NEST,
             "    if (tail)\n", "    if (tail && tail < 0)\n"),
    Mutation("vector-scan-inclusive", NEST,
             "scan.getExclusive() ? before : state", "state"),
    Mutation("padding-off-by-one", TRANSFER,
             "left = arith::MaxSIOp::create(builder, loc(), left, index(0));",
             "left = arith::MaxSIOp::create(builder, loc(), left, index(0));\n"
             "  left = arith::SubIOp::create(builder, loc(), left, index(1));"),
    # Decoding.
    Mutation("merge-not-rescaled", EQUATIONS,
             "return e.fma(x[0], x[1], e.mul(x[2], x[3]));",
             "return e.fma(x[0], x[1], x[3]);"),
    Mutation("short-tile-not-masked", LOGITS,
             "else if (isShort && !visible)", "else if (false)"),
    Mutation("short-tile-too-long", LOGITS,
             "return e.compare(arith::CmpIPredicate::slt, x[0], x[1]);",
             "return e.compare(arith::CmpIPredicate::sle, x[0], x[1]);"),
    Mutation("cached-minimum-ignored", CACHED,
             "Value suffix = slice(op.getCachedMinimum());",
             "Value suffix = slice(op.getCachedLevel());"),
    Mutation("last-chunk-not-merged", CACHED,
             "OpFoldResult used = math.apply(d0.ceilDiv(sizes.chunk), {held});",
             "OpFoldResult used = math.apply(d0.floorDiv(sizes.chunk), {held});"),
    Mutation("absent-token-seen", CACHED_ROWS,
             "linalg::YieldOp::create(nested, loc, kept);",
             "linalg::YieldOp::create(nested, loc, x[1]);"),
    Mutation("evicted-at-threshold", CACHE,
             "arith::CmpFPredicate::OGT", "arith::CmpFPredicate::OGE"),
    Mutation("cached-minimum-not-lowered", SERIAL_CACHE,
             "Value own = arith::MinimumFOp::create(b, loadMinimum(key), minimum);",
             "Value own = loadMinimum(key);"),
    Mutation("minima-of-groups-not-lowered", SERIAL_CACHE,
             "Value own = arith::MinimumFOp::create(\n"
             "      b, before, vector::BroadcastOp::create(b, keys, minimum));",
             "Value own = before;"),
    Mutation("new-minimum-forgotten", SERIAL_CACHE,
             "memref::StoreOp::create(b, minimum[0], op.getCachedMinimum(), at(slot));",
             "memref::StoreOp::create(b, none, op.getCachedMinimum(), at(slot));"),
    Mutation("values-not-compacted", SERIAL_CACHE,
             "copyRow(op.getCachedValue(), at(key), op.getCachedValue(),\n"
             "                  at(kept[0]));", ""),
    Mutation("exp2-coefficient", MATH, "0.055507336f", "0.055537336f"),
    # What is left out, and the bound of it.
    Mutation("prune-level-of-one-key", PRUNING,
             "createMinima(level, /*reverse=*/true, walk.sizes.key)",
             "createMinima(level, /*reverse=*/false, walk.sizes.key)"),
    Mutation("prune-minimum-not-passed", PRUNING,
             "next.push_back(pass(minimum));", "next.push_back(minimum);"),
    Mutation("prune-norms-halved", PRUNE,
             "(1 + getLooseness(acc, int64_t(headSize)))", "0.5"),
    Mutation("prune-without-margin", PRUNE,
             "double margin = kReserve - std::log2(op.getEps().convertToDouble());",
             "double margin = 0;"),
    Mutation("prune-penalty-doubled", PRUNE,
             "e.fma(penalty, e.constant(log2e, level)",
             "e.fma(penalty, e.constant(2 * log2e, level)"),
    Mutation("prune-one-key-dropped", PRUNE,
             "return e.fma(x[4], exp2Below(e, x[2], x[3]), kept);",
             "return e.fma(e.constant(1.0, x[4]), exp2Below(e, x[2], x[3]), "
             "kept);"),
    Mutation("prune-earlier-keys-forgotten", PRUNE,
             "Value kept = e.mul(x[0], exp2Below(e, x[1], x[3]));",
             "Value kept = e.constant(0.0, x[0]);"),
    Mutation("prune-needed-keys-dropped", PRUNE,
             "return e.select(e.compare(Pred::OLE, x[0], least), zero, one);",
             "return e.select(e.compare(Pred::UGT, x[0], least), zero, one);"),
    Mutation("prune-carry-kept", CARRY,
             "t.store(goesOn, carry)", "t.store(before, carry)"),
    Mutation("prune-ends-dropped", CARRY,
             "putEndsLast(t, ends, extents.keys)",
             "putEndsLast(t, minimum, extents.keys)"),
    Mutation("prune-backward-begins-late", BACKWARD_WALK,
             "part.begin = tile.innerBegin;",
             "part.begin = math.apply(b.getAffineDimExpr(0) + range.step, "
             "{tile.innerBegin});"),
    # Kernels.
    Mutation("gpu-prune-pairs-least-reach", PAIRS,
             "rows, -keys.getReachFactor()", "rows, keys.getReachFactor()",
             "emulator"),
    Mutation("gpu-prune-pairs-of-next-keys", PAIRS,
             "keys.ofTile(rows.bounds, begin),", "keys.ofTile(rows.bounds, end),",
             "emulator"),
    Mutation("gpu-prune-pairs-begin-late", PAIRS,
             "Value next = math.value(math.apply(d0 + 1, {middle}));",
             "Value next = math.value(math.apply(d0 + 2, {middle}));",
             "emulator"),
    Mutation("gpu-prune-pairs-carry-kept", BACKWARD_QUERIES,
             "arith::CmpFPredicate::OGT", "arith::CmpFPredicate::OLT", "emulator"),
    Mutation("gpu-below-at-ties", BACKWARD_SPLIT,
             "arith::CmpFPredicate::OLT, x, y", "arith::CmpFPredicate::OLE, x, y",
             "emulator"),
    Mutation("gpu-below-turned", BACKWARD_SPLIT,
             "Value below = isLess(most, least);",
             "Value below = isLess(least, most);", "emulator"),
    Mutation("gpu-below-of-last-row", BACKWARD_SPLIT,
             "findEnd(pair, rowInBlock(pair))",
             "findEnd(pair, math.apply(d(0) + d(1) - 1, "
             "{rowInBlock(pair), pair.rows}))", "emulator"),
    Mutation("gpu-above-of-first-row", BACKWARD_SPLIT,
             "findAbove(pair, passed, findEnd(pair, lastRow))",
             "findAbove(pair, passed, findEnd(pair, rowInBlock(pair)))",
             "emulator"),
    Mutation("gpu-above-of-least-levels", BACKWARD_SPLIT,
             "inputs.largestLevels = createTileMaxima(",
             "inputs.largestLevels = createTileMinima(", "emulator"),
    Mutation("gpu-above-carry-kept", BACKWARD,
             ": goesOn;", ": carry;", "emulator"),
    Mutation("gpu-above-penalty-lost", BACKWARD,
             "return {here.subtractInTile(logits)};", "return {logits};",
             "emulator"),
    Mutation("gpu-above-levels-of-all", BACKWARD,
             "Value ofTile = selectOrZero(t, isBelow, all, /*where=*/true);",
             "Value ofTile = all;", "emulator"),
    Mutation("gpu-ends-of-less", BACKWARD,
             "op.getLeast() ? t.splat(op.getLeast(), rows)",
             "op.getLeast() ? t.splat(op.getPassed(), rows)", "emulator"),
    Mutation("gpu-below-of-fields-only", BACKWARD_SPLIT,
             "if (!inputs.levels)", "if (true || !inputs.levels)", "emulator"),
    Mutation("gpu-below-carry-lost", BACKWARD,
             "after.push_back(addTo(sum, sumOverKeys(share)));",
             "after.push_back(value);", "emulator"),
    Mutation("gpu-below-level-sign", BACKWARD,
             "after.push_back(addTo(sum, sumOverRows(share), "
             "/*subtract=*/true));",
             "after.push_back(addTo(sum, sumOverRows(share)));", "emulator"),
    Mutation("gpu-parts-not-added", GPU + "DistributeSums.cpp",
             "for (unsigned bit : parts.lanes)",
             "for (unsigned bit : ArrayRef<unsigned>())", "emulator"),
    Mutation("gpu-sum-in-every-part", GPU + "DistributeSums.cpp",
             "return arith::SelectOp::create(b, loc, isFirst, whole, none);",
             "(void)isFirst, (void)none;\n  return whole;", "emulator"),
    Mutation("gpu-edges-of-one-walk", BACKWARD_KEYS,
             "int64_t rows = inputs.blockRows, ofBlock = tilesOfBlock();",
             "int64_t rows = sizes.query, ofBlock = 1;", "emulator"),
    Mutation("gpu-barrier-missing", GPU + "Distribute.cpp",
             "CpAsyncWaitGroupOp::create(b, loc, inFlight);\n"
             "  mlir::gpu::BarrierOp::create(b, loc);",
             "CpAsyncWaitGroupOp::create(b, loc, inFlight);", "emulator"),
    Mutation("gpu-copy-not-waited-for", GPU + "Distribute.cpp",
             "  NVVM::CpAsyncWaitGroupOp::create(b, loc, inFlight);\n", "",
             "emulator"),
    Mutation("gpu-line-of-pair-moved", GPU + "SharedTile.cpp",
             "half.id = choose(thread.id, addIndices(b, loc, thread.id, "
             "-pieces));", "half.id = thread.id;", "emulator"),
    Mutation("gpu-pair-of-one-line", GPU + "SharedTile.cpp",
             "source.memory = choose(firstSource.memory, "
             "secondSource.memory);", "", "emulator"),
    Mutation("gpu-first-of-row-not-last", GPU + "PieceWalk.cpp",
             "if (at == 0) // what stands before the first sector comes last",
             "if (at < 0)", "emulator"),
    Mutation("gpu-padding-lost", GPU + "DistributeGlobal.cpp",
             "return pad(op, source, layout, getOffsets(layout), held);",
             "return held;", "emulator"),
    Mutation("gpu-wrong-copy", GPU + "PipelinedLoop.cpp",
             "tiles[read.getVector()] = tile.at(slot);",
             "tiles[read.getVector()] = tile;", "emulator"),
    Mutation("gpu-lanes-not-reduced", GPU + "DistributeCollectives.cpp",
             "value = combine(value, shuffleXor(value, int64_t(1) << "
             "bit.index));", "(void)bit;", "emulator"),
    Mutation("gpu-earlier-lanes-lost", GPU + "DistributeCollectives.cpp",
             "Piece earlier = pieces.select(later, other, neutral);",
             "Piece earlier = neutral;", "emulator"),
    Mutation("gpu-rows-exchanged", GPU + "DistributeTransfer.cpp",
             "int64_t row = 2 * m + matrix % 2;",
             "int64_t row = 2 * m + 1 - matrix % 2;", "emulator"),
]
