//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/PrefixToVector/PrefixToVector.h"
#include "RowScan.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/Transforms/LowerVectorScan.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_CONVERTFPAPREFIXTOVECTOR
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

/// Vectors of columns scanned side by side, so that a memory access covers
/// whole cache lines.
static constexpr int64_t kVectorsPerStrip = 4;
/// Elements per iteration of the parallel loop, below which starting a thread
/// costs more than it saves.
static constexpr int64_t kElementsPerPiece = 32768;

namespace {
/// How the places of the other axes are walked.
enum class RowMode {
  Lanes,   ///< the axis is last and contiguous: vectors along it
  Columns, ///< the last axis is contiguous: vectors across it
  Scalar   ///< neither
};

/// Emits the loops of one prefix op. An item is one row, or one strip of
/// columns; items are numbered from 0 in row-major order.
class PrefixEmitter {
public:
  PrefixEmitter(OpBuilder &b, Location loc, const PrefixElements &elements,
                const PrefixToVectorOptions &options);

  void emit(bool parallel);

private:
  void emitPieces(OpBuilder &b, Value piece, Value pieceItems);
  void emitItem(OpBuilder &b, Value item);
  void emitStrip(OpBuilder &b, SmallVector<Value> at);
  void emitColumns(OpBuilder &b, SmallVector<Value> at, Value from, Value to,
                   int64_t width);
  void emitRow(OpBuilder &b, ValueRange at);
  void emitSegments(OpBuilder &b, ValueRange at,
                    function_ref<void(OpBuilder &, Value, Value)> stretch);
  void emitVersions(OpBuilder &b, function_ref<void(OpBuilder &, bool)> emit);
  void emitFence(OpBuilder &b);
  Value decideStreaming(OpBuilder &b);

  Value index(OpBuilder &b, int64_t value) {
    return arith::ConstantIndexOp::create(b, loc, value);
  }
  Value mul(OpBuilder &b, Value lhs, Value rhs) {
    return b.createOrFold<arith::MulIOp>(loc, lhs, rhs);
  }

  OpBuilder &builder;
  Location loc;
  const PrefixElements &elements;
  PrefixToVectorOptions options;
  RowMode mode;
  int64_t width, stripWidth;
  SmallVector<Value> sizes;
  /// The axes that number the rows, outermost first, and the strips per row.
  SmallVector<int64_t> rowAxes;
  Value strips, items;
  /// Whether to write past the caches; null for never.
  Value streams;
};
} // namespace

static RowMode modeOf(const PrefixElements &elements) {
  int64_t last = elements.getInputType().getRank() - 1;
  bool contiguous = llvm::all_of(elements.getMemRefs(), [&](Value memref) {
    SmallVector<int64_t> strides;
    int64_t offset;
    return succeeded(cast<MemRefType>(memref.getType())
                         .getStridesAndOffset(strides, offset)) &&
           strides[last] == 1;
  });
  if (!contiguous)
    return RowMode::Scalar;
  return elements.axis == last ? RowMode::Lanes : RowMode::Columns;
}

PrefixEmitter::PrefixEmitter(OpBuilder &b, Location loc,
                             const PrefixElements &elements,
                             const PrefixToVectorOptions &options)
    : builder(b), loc(loc), elements(elements), options(options),
      mode(modeOf(elements)),
      width(getLanesOf(elements.getFloatType(), options.lanes)),
      stripWidth(width * kVectorsPerStrip) {
  int64_t rank = elements.getInputType().getRank();
  for (int64_t i = 0; i < rank; ++i)
    sizes.push_back(
        b.createOrFold<memref::DimOp>(loc, elements.input, index(b, i)));
  items = index(b, 1);
  for (int64_t i = 0; i < rank; ++i) {
    if (i == elements.axis || (mode == RowMode::Columns && i == rank - 1))
      continue;
    rowAxes.push_back(i);
    items = mul(b, items, sizes[i]);
  }
  if (mode == RowMode::Columns) {
    strips = b.createOrFold<arith::CeilDivUIOp>(loc, sizes.back(),
                                                index(b, stripWidth));
    items = mul(b, items, strips);
  }
  streams = decideStreaming(b);
}

void PrefixEmitter::emit(bool parallel) {
  OpBuilder &b = builder;
  if (matchPattern(items, m_One())) {
    emitItem(b, index(b, 0));
    return emitFence(b);
  }
  Value length =
      b.createOrFold<arith::MaxUIOp>(loc, sizes[elements.axis], index(b, 1));
  if (mode == RowMode::Columns)
    length = mul(b, length, index(b, stripWidth));
  Value pieceItems = b.createOrFold<arith::CeilDivUIOp>(
      loc, index(b, kElementsPerPiece), length);
  Value pieces = b.createOrFold<arith::CeilDivUIOp>(loc, items, pieceItems);
  if (!parallel || matchPattern(pieces, m_One())) {
    auto body = [&](OpBuilder &b, Location, Value item, ValueRange) {
      emitItem(b, item);
      scf::YieldOp::create(b, loc);
    };
    scf::ForOp::create(b, loc, index(b, 0), items, index(b, 1), {}, body);
    return emitFence(b);
  }
  auto body = [&](OpBuilder &b, Location, ValueRange ivs) {
    emitPieces(b, ivs[0], pieceItems);
    scf::InParallelOp::create(b, loc);
  };
  scf::ForallOp::create(b, loc, ArrayRef<OpFoldResult>{pieces}, ValueRange(),
                        std::nullopt, body);
}

void PrefixEmitter::emitPieces(OpBuilder &b, Value piece, Value pieceItems) {
  Value from = mul(b, piece, pieceItems);
  Value to = b.createOrFold<arith::AddIOp>(loc, from, pieceItems);
  to = b.createOrFold<arith::MinUIOp>(loc, to, items);
  auto body = [&](OpBuilder &b, Location, Value item, ValueRange) {
    emitItem(b, item);
    scf::YieldOp::create(b, loc);
  };
  scf::ForOp::create(b, loc, from, to, index(b, 1), {}, body);
  emitFence(b);
}

void PrefixEmitter::emitItem(OpBuilder &b, Value item) {
  SmallVector<Value> at(sizes.size(), index(b, 0));
  Value rest = item;
  if (mode == RowMode::Columns) {
    Value strip = b.createOrFold<arith::RemUIOp>(loc, rest, strips);
    at.back() = mul(b, strip, index(b, stripWidth));
    rest = b.createOrFold<arith::DivUIOp>(loc, rest, strips);
  }
  for (auto [n, axis] : llvm::enumerate(llvm::reverse(rowAxes))) {
    bool outermost = n + 1 == rowAxes.size();
    at[axis] = outermost
                   ? rest
                   : b.createOrFold<arith::RemUIOp>(loc, rest, sizes[axis]);
    if (!outermost)
      rest = b.createOrFold<arith::DivUIOp>(loc, rest, sizes[axis]);
  }
  if (mode == RowMode::Columns)
    emitStrip(b, at);
  else
    emitRow(b, at);
}

/// Calls `stretch` for every segment [lo, hi) of the axis.
void PrefixEmitter::emitSegments(
    OpBuilder &b, ValueRange at,
    function_ref<void(OpBuilder &, Value, Value)> stretch) {
  Value length = sizes[elements.axis];
  APInt known;
  bool whole =
      !elements.segment || (matchPattern(length, m_ConstantInt(&known)) &&
                            known.getSExtValue() <= *elements.segment);
  if (whole)
    return stretch(b, index(b, 0), length);
  Value step = index(b, *elements.segment);
  auto body = [&](OpBuilder &b, Location, Value lo, ValueRange) {
    Value rest = arith::SubIOp::create(b, loc, length, lo);
    Value size = arith::MinUIOp::create(b, loc, rest, step);
    stretch(b, lo, arith::AddIOp::create(b, loc, lo, size));
    scf::YieldOp::create(b, loc);
  };
  scf::ForOp::create(b, loc, index(b, 0), length, step, {}, body);
}

/// Columns [from, to) in vectors of `width`, of which they are a multiple.
void PrefixEmitter::emitColumns(OpBuilder &b, SmallVector<Value> at, Value from,
                                Value to, int64_t width) {
  auto body = [&](OpBuilder &b, Location, Value column, ValueRange) {
    at.back() = column;
    emitSegments(b, at, [&](OpBuilder &b, Value lo, Value hi) {
      emitSerialScan(b, loc, elements, at, lo, hi, width);
    });
    scf::YieldOp::create(b, loc);
  };
  scf::ForOp::create(b, loc, from, to, index(b, std::max<int64_t>(1, width)),
                     {}, body);
}

/// One strip of columns: as a whole, or the last one in vectors and scalars.
void PrefixEmitter::emitStrip(OpBuilder &b, SmallVector<Value> at) {
  Value from = at.back();
  Value end = b.createOrFold<arith::AddIOp>(loc, from, index(b, stripWidth));
  Value full = b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::ule,
                                             end, sizes.back());
  auto whole = [&](OpBuilder &b, Location) {
    emitColumns(b, at, from, end, stripWidth);
    scf::YieldOp::create(b, loc);
  };
  auto part = [&](OpBuilder &b, Location) {
    Value left = arith::RemUIOp::create(b, loc, sizes.back(), index(b, width));
    Value to = arith::SubIOp::create(b, loc, sizes.back(), left);
    emitColumns(b, at, from, to, width);
    emitColumns(b, at, to, sizes.back(), 0);
    scf::YieldOp::create(b, loc);
  };
  scf::IfOp::create(b, loc, full, whole, part);
}

/// Calls `emit` with whether to write past the caches, once for each answer
/// that is possible.
void PrefixEmitter::emitVersions(OpBuilder &b,
                                 function_ref<void(OpBuilder &, bool)> emit) {
  if (!streams || matchPattern(streams, m_One()))
    return emit(b, bool(streams));
  auto version = [&](bool nontemporal) {
    return [this, emit, nontemporal](OpBuilder &b, Location) {
      emit(b, nontemporal);
      scf::YieldOp::create(b, loc);
    };
  };
  scf::IfOp::create(b, loc, streams, version(true), version(false));
}

/// Stores past the caches are not ordered with the ordinary ones that tell
/// other threads of them: a fence comes behind the rows of one thread.
void PrefixEmitter::emitFence(OpBuilder &b) {
  emitVersions(b, [&](OpBuilder &b, bool nontemporal) {
    if (nontemporal)
      LLVM::FenceOp::create(b, loc, LLVM::AtomicOrdering::seq_cst);
  });
}

/// Whether the output is large enough to be written past the caches; null if
/// that is known not to be so.
Value PrefixEmitter::decideStreaming(OpBuilder &b) {
  // Indices are twice as wide as the values: an op that asks for them is not
  // bound by the writes of the values alone.
  if (mode != RowMode::Lanes || elements.index || options.nontemporalBytes < 0)
    return {};
  Value bytes = index(b, elements.getElementBytes());
  for (Value size : sizes)
    bytes = mul(b, bytes, size);
  Value large =
      b.createOrFold<arith::CmpIOp>(loc, arith::CmpIPredicate::uge, bytes,
                                    index(b, options.nontemporalBytes));
  return matchPattern(large, m_Zero()) ? Value() : large;
}

void PrefixEmitter::emitRow(OpBuilder &b, ValueRange at) {
  if (mode == RowMode::Scalar)
    return emitSegments(b, at, [&](OpBuilder &b, Value lo, Value hi) {
      emitSerialScan(b, loc, elements, at, lo, hi, /*width=*/0);
    });
  emitVersions(b, [&](OpBuilder &b, bool nontemporal) {
    emitSegments(b, at, [&](OpBuilder &b, Value lo, Value hi) {
      emitLaneScan(b, loc, elements, at, lo, hi, width, nontemporal);
    });
  });
}

LogicalResult
mlir::fpa::convertPrefixToVector(RewriterBase &rewriter, Operation *op,
                                 const PrefixToVectorOptions &options) {
  std::optional<PrefixElements> elements;
  if (auto min = dyn_cast<PrefixMinOp>(op)) {
    if (isa<MemRefType>(min.getInput().getType()))
      elements.emplace(min);
  } else if (auto sum = dyn_cast<PrefixSumOp>(op)) {
    if (isa<MemRefType>(sum.getInput().getType()))
      elements.emplace(sum);
  }
  if (!elements)
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  bool nested = bool(op->getParentOfType<scf::ForallOp>());
  PrefixEmitter(rewriter, op->getLoc(), *elements, options)
      .emit(/*parallel=*/!nested);
  rewriter.eraseOp(op);
  return success();
}

namespace {
struct ConvertFpaPrefixToVector
    : public fpa::impl::ConvertFpaPrefixToVectorBase<ConvertFpaPrefixToVector> {
  using ConvertFpaPrefixToVectorBase::ConvertFpaPrefixToVectorBase;

  void runOnOperation() override {
    if (failed(verifyLanes(getOperation(), lanes, /*most=*/16)))
      return signalPassFailure();
    PrefixToVectorOptions options;
    options.lanes = lanes;
    options.nontemporalBytes = nontemporalBytes;
    FailureOr<int64_t> count = replacePrefixOps(
        getOperation(), [&](RewriterBase &rewriter, Operation *op) {
          return convertPrefixToVector(rewriter, op, options);
        });
    if (failed(count))
      return signalPassFailure();
    numLowered += *count;
  }
};
} // namespace
