//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Says for every block vector of a tile program which thread holds what. An
// axis has one layout wherever it occurs; only the right operands of products,
// which every warp reads whole, have layouts of their own.

#include "RightOperands.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"
#include "fpa/Dialect/IR/Tile/Layout.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_ASSIGNLAYOUTS
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// What a product needs of an axis.
enum class Role { None, Row, Column };

/// A right operand and the dimension of it that is summed over.
using RightOperand = std::pair<Value, int64_t>;

class LayoutAssigner {
public:
  LayoutAssigner(scf::ForallOp forall, const AxisAnalysis &axes, int64_t warps)
      : forall(forall), axes(axes), warps(warps) {}

  LogicalResult run();

private:
  LogicalResult findRoles(vector::ContractionOp op);
  void findLines();
  LogicalResult setRole(vector::ContractionOp op, Axis axis, Role role);
  LogicalResult markRight(RightOperand operand);
  FailureOr<Layout> layOut(Value value);
  FailureOr<DimLayout> layOutAxis(Operation *op, Axis axis, Value value,
                                  int64_t dim);
  FailureOr<DimLayout> layOutRight(Operation *op, int64_t size, bool summed);
  FailureOr<DimLayout> layOutColumns(Operation *op, int64_t size);
  DimLayout layOutLine(int64_t size, unsigned neighbours, unsigned firstLane,
                       bool acrossWarps);
  DimLayout layOutLine(Axis axis);
  bool isSpread(Operation *op, const llvm::SmallPtrSetImpl<Operation *> &known);
  /// Ops, each with one line of keys.
  struct Lines {
    llvm::SmallPtrSet<Operation *, 16> all;
    llvm::MapVector<Block *, SmallVector<Operation *>> ofBlock;
  };
  Lines collectLines(Block &block,
                     const llvm::SmallPtrSetImpl<Block *> &without);
  SmallVector<Value> findWanted(ArrayRef<Operation *> ops, const Lines &lines);
  bool isUnfit(Block *block, ArrayRef<Operation *> ops, const Lines &lines);
  void spreadLines(Block &block);
  void convertAfter(Operation *last, ArrayRef<Value> values,
                    const Lines &lines);
  void setSpread(Operation *op);

  scf::ForallOp forall;
  const AxisAnalysis &axes;
  int64_t warps;
  DenseMap<Axis, Role> roles;
  bool hasProducts = false;
  /// The axes that go along lanes, and whether blocks have others.
  DenseSet<Axis> lines;
  bool hasRows = false;
  /// The axes that are summed over.
  DenseSet<Axis> summed;
  /// In a program that scans: whether lines stand side by side and other axes
  /// are scanned, and how many bits of the lane lines take.
  bool hasScans = false, scansAcross = false;
  unsigned lanesOfLines = 0;
  llvm::MapVector<Value, int64_t> right;
};

} // namespace

/// Appends the bits of the warp.
static void addWarps(DimLayout &dim, int64_t warps) {
  for (unsigned bit = 0; (int64_t(1) << bit) < warps; ++bit)
    dim.bits.push_back({Holder::Warp, bit});
}

LogicalResult LayoutAssigner::setRole(vector::ContractionOp op, Axis axis,
                                      Role role) {
  Role &known = roles[axis];
  if (known != Role::None && known != role)
    return op.emitOpError("expected an axis to be rows or columns of every "
                          "product, got one that is both");
  known = role;
  return success();
}

LogicalResult LayoutAssigner::findRoles(vector::ContractionOp op) {
  hasProducts = true;
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (op.getLhsType().getRank() != 2 || op.getRhsType().getRank() != 2 ||
      maps[0].getNumDims() != 3)
    return op.emitOpError("expected a product of two matrices, got operands ")
           << op.getLhsType() << " and " << op.getRhsType();
  SmallVector<Axis> lhs = axes.getAxes(op.getLhs());
  SmallVector<Axis> rhs = axes.getAxes(op.getRhs());
  if (lhs.empty() || rhs.empty())
    return op.emitOpError("expected operands that are not constants");
  for (auto [index, type] : llvm::enumerate(op.getIteratorTypesArray())) {
    AffineExpr dim = getAffineDimExpr(index, op.getContext());
    std::optional<unsigned> inLhs = maps[0].getResultPosition(dim);
    std::optional<unsigned> inRhs = maps[1].getResultPosition(dim);
    if (type == vector::IteratorType::reduction) {
      if (failed(setRole(op, lhs[*inLhs], Role::Column)) ||
          failed(markRight({op.getRhs(), *inRhs})))
        return failure();
      continue;
    }
    if (failed(inLhs ? setRole(op, lhs[*inLhs], Role::Row)
                     : setRole(op, rhs[*inRhs], Role::Column)))
      return failure();
  }
  return success();
}

/// A right operand is read from memory and, at most, computed on element by
/// element; all of that happens in the layout of right operands.
LogicalResult LayoutAssigner::markRight(RightOperand operand) {
  auto [value, summed] = operand;
  if (getSplat(value))
    return success();
  auto [it, inserted] = right.try_emplace(value, summed);
  Operation *op = value.getDefiningOp();
  if (!inserted && it->second != summed)
    return emitError(value.getLoc(),
                     "expected a right operand that products sum over one "
                     "dimension of, got one that they sum over both of");
  if (!inserted)
    return success();
  if (op && isa<vector::TransferReadOp>(op))
    return success();
  if (!op || !OpTrait::hasElementwiseMappableTraits(op))
    return emitError(value.getLoc(),
                     "expected the right operand of a product to be read from "
                     "memory, got the result of ")
           << (op ? op->getName().getStringRef() : "a loop");
  for (Value from : op->getOperands())
    if (isa<VectorType>(from.getType()) && failed(markRight({from, summed})))
      return failure();
  return success();
}

/// The right operand's element belongs to the four threads that multiply it:
/// the layout of the second fragment of the m16n8k16 matrix instructions.
FailureOr<DimLayout> LayoutAssigner::layOutRight(Operation *op, int64_t size,
                                                 bool summed) {
  int64_t step = 16;
  if (size % step != 0)
    return op->emitOpError("expected the sides of a product's right operand to "
                           "be multiples of 16, got ")
           << size;
  DimLayout dim;
  if (summed)
    dim.bits = {{Holder::Register}, {Holder::Lane, 0}, {Holder::Lane, 1}};
  else
    dim.bits = {{Holder::Lane, 2}, {Holder::Lane, 3}, {Holder::Lane, 4}};
  dim.outer = size / 8;
  return dim;
}

/// Up to `neighbours` bits of registers, then lanes, then warps.
DimLayout LayoutAssigner::layOutLine(int64_t size, unsigned neighbours,
                                     unsigned firstLane, bool acrossWarps) {
  DimLayout dim;
  auto fits = [&] { return size % (int64_t(2) << dim.bits.size()) == 0; };
  for (unsigned bit = 0; bit < neighbours && fits(); ++bit)
    dim.bits.push_back({Holder::Register});
  for (unsigned bit = firstLane; bit < 5 && fits(); ++bit)
    dim.bits.push_back({Holder::Lane, bit});
  for (unsigned bit = 0; acrossWarps && (int64_t(1) << bit) < warps && fits();
       ++bit)
    dim.bits.push_back({Holder::Warp, bit});
  dim.outer = size >> dim.bits.size();
  return dim;
}

/// An axis of a program without products. The last dimension of memory goes
/// along the lanes, rows across warps. What is scanned has neighbours in one
/// thread; where columns are, neighbours are in lanes, which is how they lie in
/// memory. Narrow blocks that are scanned leave lanes to their rows.
DimLayout LayoutAssigner::layOutLine(Axis axis) {
  int64_t size = axes.getExtent(axis);
  constexpr unsigned noLane = 5;
  if (lines.contains(axis)) {
    unsigned neighbours = scansAcross ? 0 : 2;
    DimLayout dim = layOutLine(size, neighbours, 0, !hasRows);
    // Sums are those of one warp or of all.
    int64_t used = int64_t(1) << llvm::count_if(dim.bits, [](LayoutBit bit) {
                     return bit.holder == Holder::Warp;
                   });
    return used < warps && summed.contains(axis)
               ? layOutLine(size, neighbours, 0, /*acrossWarps=*/false)
               : dim;
  }
  return layOutLine(size, 0, hasScans ? lanesOfLines : noLane, true);
}

FailureOr<DimLayout> LayoutAssigner::layOutColumns(Operation *op,
                                                   int64_t size) {
  if (size % 16 != 0)
    return op->emitOpError("expected columns in a multiple of 16, got ")
           << size;
  DimLayout layout;
  layout.bits = {{Holder::Register}, {Holder::Lane, 0}, {Holder::Lane, 1}};
  layout.outer = size / 8;
  return layout;
}

FailureOr<DimLayout> LayoutAssigner::layOutAxis(Operation *op, Axis axis,
                                                Value value, int64_t dim) {
  int64_t size = axes.getExtent(axis);
  switch (roles.lookup(axis)) {
  case Role::Row: {
    int64_t rows = 16 * warps;
    if (size % rows != 0)
      return op->emitOpError("expected rows in a multiple of 16 for each of ")
             << warps << " warps, got " << size;
    DimLayout layout;
    layout.bits = {{Holder::Lane, 2},
                   {Holder::Lane, 3},
                   {Holder::Lane, 4},
                   {Holder::Register}};
    addWarps(layout, warps);
    layout.outer = size / rows;
    return layout;
  }
  case Role::Column:
    return layOutColumns(op, size);
  case Role::None:
    // A single number is everyone's; beside products what else no product walks
    // is copied to every row of lanes.
    if (hasProducts && size > 1)
      return layOutColumns(op, size);
    return layOutLine(axis);
  }
  llvm_unreachable("all roles are handled");
}

FailureOr<Layout> LayoutAssigner::layOut(Value value) {
  Operation *op = value.getDefiningOp();
  auto type = cast<VectorType>(value.getType());
  auto marked = right.find(value);
  SmallVector<Axis> named = axes.getAxes(value);
  Layout layout;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    FailureOr<DimLayout> found =
        marked != right.end()
            ? layOutRight(op, type.getDimSize(dim), dim == marked->second)
            : layOutAxis(op, named[dim], value, dim);
    if (failed(found))
      return failure();
    layout.dims.push_back(std::move(*found));
  }
  return layout;
}

/// The last dimensions of blocks that are read and written. Where all of memory
/// is lines, that of their elements which is summed or scanned over; where
/// nothing is, all of them.
void LayoutAssigner::findLines() {
  DenseSet<Axis> ofLines, combined, scanned;
  forall.getBody()->walk([&](Operation *op) {
    if (auto transfer = dyn_cast<VectorTransferOpInterface>(op)) {
      SmallVector<Axis> named = axes.getAxes(transfer.getVector());
      if (named.size() > 1)
        lines.insert(named.back());
      else if (!named.empty())
        ofLines.insert(named.back());
    } else if (auto scan = dyn_cast<VectorScanOp>(op)) {
      Axis axis = axes.getAxes(scan.getSource())[scan.getAxis()];
      combined.insert(axis);
      scanned.insert(axis);
    } else if (auto reduction = dyn_cast<vector::MultiDimReductionOp>(op)) {
      for (auto [axis, gone] : llvm::zip(axes.getAxes(reduction.getSource()),
                                         reduction.getReductionMask()))
        if (gone)
          summed.insert(axis);
    }
  });
  combined.insert(summed.begin(), summed.end());
  hasRows = !lines.empty();
  if (lines.empty()) {
    for (Axis axis : ofLines)
      if (combined.contains(axis))
        lines.insert(axis);
    hasRows = !lines.empty() && lines.size() < ofLines.size();
    if (lines.empty())
      lines = ofLines;
  }
  hasScans = !scanned.empty();
  scansAcross = hasScans && llvm::none_of(lines, [&](Axis axis) {
                  return scanned.contains(axis);
                });
  for (Axis axis : lines)
    lanesOfLines = std::max<unsigned>(
        lanesOfLines, llvm::count_if(layOutLine(axis).bits, [](LayoutBit bit) {
          return bit.holder == Holder::Lane;
        }));
}

/// Whether `op` makes a line of keys of what is read and of lines that are
/// `known`.
bool LayoutAssigner::isSpread(Operation *op,
                              const llvm::SmallPtrSetImpl<Operation *> &known) {
  auto type = op->getNumResults() == 1
                  ? dyn_cast<VectorType>(op->getResult(0).getType())
                  : VectorType();
  if (!type || type.getRank() != 1 || right.contains(op->getResult(0)))
    return false;
  std::optional<Layout> layout = getLayout(op->getResult(0));
  // Rows are spread over lanes and warps as it is.
  if (!layout || layout->dims[0].bits.empty() ||
      layout->dims[0].bits.front().holder != Holder::Register ||
      layout->uses(Holder::Warp))
    return false;
  if (isa<vector::TransferReadOp>(op))
    return isa<FloatType>(type.getElementType());
  if (auto splat = dyn_cast<vector::BroadcastOp>(op))
    return !isa<VectorType>(splat.getSourceType());
  return OpTrait::hasElementwiseMappableTraits(op) &&
         llvm::all_of(op->getOperands(), [&](Value operand) {
           return !isa<VectorType>(operand.getType()) || getSplat(operand) ||
                  (operand.getDefiningOp() &&
                   known.contains(operand.getDefiningOp()));
         });
}

/// The lines of `block` and of its branches, which all threads take alike, that
/// are made of what is read and of each other; by block, but for those
/// `without`.
LayoutAssigner::Lines
LayoutAssigner::collectLines(Block &block,
                             const llvm::SmallPtrSetImpl<Block *> &without) {
  Lines lines;
  for (Operation &root : block)
    root.walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (op->getNumRegions() && !isa<scf::IfOp>(op))
        return WalkResult::skip();
      if (!without.contains(op->getBlock()) && isSpread(op, lines.all)) {
        lines.all.insert(op);
        lines.ofBlock[op->getBlock()].push_back(op);
      }
      return WalkResult::advance();
    });
  return lines;
}

/// Those of `ops` that others than lines want.
SmallVector<Value> LayoutAssigner::findWanted(ArrayRef<Operation *> ops,
                                              const Lines &lines) {
  SmallVector<Value> wanted;
  for (Operation *op : ops)
    if (llvm::any_of(op->getUsers(), [&](Operation *user) {
          return !lines.all.contains(user);
        }))
      wanted.push_back(op->getResult(0));
  return wanted;
}

/// Whether it is too little that a block computes for itself, or others want it
/// before all of it is there, when it changes hands together.
bool LayoutAssigner::isUnfit(Block *block, ArrayRef<Operation *> ops,
                             const Lines &lines) {
  if (llvm::count_if(ops, [](Operation *op) {
        return !isa<vector::TransferReadOp>(op);
      }) < 2)
    return true;
  for (Value value : findWanted(ops, lines))
    for (Operation *user : value.getUsers()) {
      Operation *inBlock = block->findAncestorOpInBlock(*user);
      if (!lines.all.contains(user) && inBlock &&
          inBlock->isBeforeInBlock(ops.back()))
        return true;
    }
  return false;
}

/// All warps, and most lanes of each, need the same lines of keys. Where there
/// is something to compute on them, each thread computes its own few elements,
/// and the results go round.
void LayoutAssigner::spreadLines(Block &block) {
  constexpr int64_t worthwhile = 4;
  llvm::SmallPtrSet<Block *, 4> without;
  Lines lines;
  auto isAnyUnfit = [&] {
    lines = collectLines(block, without);
    for (auto &[own, ops] : lines.ofBlock)
      if (isUnfit(own, ops, lines)) {
        without.insert(own);
        return true;
      }
    return false;
  };
  while (isAnyUnfit())
    ;
  if (llvm::count_if(lines.all, [](Operation *op) {
        return !isa<vector::TransferReadOp>(op);
      }) < worthwhile)
    return;
  SmallVector<SmallVector<Value>> wanted;
  for (auto &[own, ops] : lines.ofBlock)
    wanted.push_back(findWanted(ops, lines));
  for (auto [of, values] : llvm::zip_equal(lines.ofBlock, wanted))
    convertAfter(of.second.back(), values, lines);
  for (Operation *op : lines.all)
    setSpread(op);
}

/// Others find the lines in the layout of a product's columns.
void LayoutAssigner::convertAfter(Operation *last, ArrayRef<Value> values,
                                  const Lines &lines) {
  OpBuilder b(last->getContext());
  b.setInsertionPointAfter(last);
  for (Value value : values) {
    auto convert = ConvertLayoutOp::create(b, value.getLoc(), value);
    convert->setAttr(layoutsAttrName,
                     value.getDefiningOp()->getAttr(layoutsAttrName));
    value.replaceUsesWithIf(convert, [&](OpOperand &use) {
      return use.getOwner() != convert && !lines.all.contains(use.getOwner());
    });
  }
}

void LayoutAssigner::setSpread(Operation *op) {
  int64_t size = cast<VectorType>(op->getResult(0).getType()).getDimSize(0);
  Layout layout;
  DimLayout &dim = layout.dims.emplace_back();
  auto fits = [&] { return size % (int64_t(2) << dim.bits.size()) == 0; };
  for (unsigned bit = 0; bit < 5 && fits(); ++bit)
    dim.bits.push_back({Holder::Lane, bit});
  for (unsigned bit = 0; (int64_t(1) << bit) < warps && fits(); ++bit)
    dim.bits.push_back({Holder::Warp, bit});
  dim.outer = size >> dim.bits.size();
  op->setAttr(layoutsAttrName, ArrayAttr::get(op->getContext(),
                                              layout.toAttr(op->getContext())));
}

LogicalResult LayoutAssigner::run() {
  findLines();
  WalkResult found = forall.getBody()->walk([&](vector::ContractionOp op) {
    return failed(findRoles(op)) ? WalkResult::interrupt()
                                 : WalkResult::advance();
  });
  if (found.wasInterrupted())
    return failure();
  MLIRContext *context = forall.getContext();
  WalkResult walked = forall.getBody()->walk([&](Operation *op) {
    SmallVector<Attribute> layouts;
    bool any = false;
    for (Value result : op->getResults()) {
      if (!isa<VectorType>(result.getType()) || getSplat(result)) {
        layouts.push_back(UnitAttr::get(context));
        continue;
      }
      FailureOr<Layout> layout = layOut(result);
      if (failed(layout))
        return WalkResult::interrupt();
      LayoutAttr attribute = layout->toAttr(op);
      if (!attribute)
        return WalkResult::interrupt();
      layouts.push_back(attribute);
      any = true;
    }
    if (any)
      op->setAttr(layoutsAttrName, ArrayAttr::get(context, layouts));
    return WalkResult::advance();
  });
  if (walked.wasInterrupted())
    return failure();
  if (hasProducts) {
    spreadLines(*forall.getBody());
    forall.getBody()->walk(
        [&](scf::ForOp loop) { spreadLines(*loop.getBody()); });
  }
  forall->setAttr(warpsAttrName,
                  IntegerAttr::get(IntegerType::get(context, 64), warps));
  return success();
}

namespace {
struct AssignLayouts : public fpa::impl::AssignLayoutsBase<AssignLayouts> {
  using AssignLayoutsBase::AssignLayoutsBase;

  void runOnOperation() override {
    if (warps < 1 || warps > 32 || !llvm::isPowerOf2_64(warps)) {
      emitError(getOperation()->getLoc(),
                "expected option warps to be a power of two up to 32, got ")
          << warps.getValue();
      return signalPassFailure();
    }
    for (scf::ForallOp forall : collectTilePrograms(getOperation())) {
      separateRightOperands(forall);
      FailureOr<AxisAnalysis> axes = analyzeTileProgram(forall);
      auto own = forall->getAttrOfType<IntegerAttr>(warpsAttrName);
      if (failed(axes) ||
          failed(
              LayoutAssigner(forall, *axes, own ? own.getInt() : warps).run()))
        return signalPassFailure();
    }
  }
};
} // namespace
