//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Distribute.h"
#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::simt;

Value Distributor::index(int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

SmallVector<Value> Distributor::getOffsets(const Layout &layout) {
  return llvm::map_to_vector(layout.dims, [&](const DimLayout &dim) {
    return getThreadOffset(b, loc, dim, thread);
  });
}

Value Distributor::get(Value value, ArrayRef<int64_t> registerShape) {
  auto type = cast<VectorType>(value.getType());
  if (TypedAttr splat = getSplat(value)) {
    auto held = VectorType::get(registerShape, type.getElementType());
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(held, splat));
  }
  return get(value);
}

Value Distributor::get(Value value) {
  auto it = blocks.find(value);
  if (it != blocks.end())
    return it->second;
  if (auto sum = parts.find(value); sum != parts.end()) {
    Value whole = addParts(sum->second);
    set(value, whole);
    return whole;
  }
  // A block that waits in shared memory is read when it is first needed.
  auto tile = tiles.find(value);
  if (tile == tiles.end())
    return {};
  Value held = readFromShared(tile->second, *getLayout(value),
                              cast<VectorType>(value.getType()));
  set(value, held);
  return held;
}

LogicalResult Distributor::distributeElementwise(Operation *op) {
  Value result = op->getResult(0);
  std::optional<Layout> layout = getLayout(result);
  if (!layout)
    return op->emitOpError("expected a layout, got none");
  OperationState state(loc, op->getName());
  SmallVector<int64_t> registers = layout->getRegisterShape();
  SmallVector<unsigned> lanes = getLanesOfParts(op);
  for (Value operand : op->getOperands()) {
    bool isPart = !lanes.empty() && operand.getType() == result.getType();
    Value held = isPart ? getPart(operand, registers, lanes)
                 : isa<VectorType>(operand.getType())
                     ? get(operand, registers)
                     : scalars.lookupOrDefault(operand);
    auto type = dyn_cast_or_null<VectorType>(held ? held.getType() : Type());
    if (!held || (type && type.getShape() != ArrayRef(registers)))
      return op->emitOpError("expected operands in the layout of the result");
    state.operands.push_back(held);
  }
  state.addTypes(getThreadType(cast<VectorType>(result.getType()), *layout));
  for (NamedAttribute attribute : op->getAttrs())
    if (attribute.getName() != layoutsAttrName)
      state.attributes.push_back(attribute);
  Value made = b.create(state)->getResult(0);
  if (lanes.empty())
    set(result, made);
  else
    parts[result] = {made, lanes};
  return success();
}

LogicalResult Distributor::distributeBroadcast(vector::BroadcastOp op) {
  VectorType type =
      getThreadType(op.getResultVectorType(), *getLayout(op.getResult()));
  Value source;
  if (auto from = dyn_cast<VectorType>(op.getSourceType()))
    source = get(op.getSource(), type.getShape().take_back(from.getRank()));
  else
    source = scalars.lookupOrDefault(op.getSource());
  if (!source)
    return op.emitOpError("expected a source in registers");
  set(op, vector::BroadcastOp::create(b, loc, type, source));
  return success();
}

LogicalResult Distributor::distributeTranspose(vector::TransposeOp op) {
  set(op, vector::TransposeOp::create(b, loc, get(op.getVector()),
                                      op.getPermutation()));
  return success();
}

LogicalResult Distributor::distributeStep(vector::StepOp op) {
  const DimLayout dim = getLayout(op.getResult())->dims[0];
  SmallVector<APInt> offsets;
  for (int64_t reg = 0; reg < dim.getRegisters(); ++reg)
    offsets.push_back(APInt(64, dim.getRegisterOffset(reg)));
  auto type = VectorType::get(dim.getRegisters(), b.getIndexType());
  Value fixed =
      arith::ConstantOp::create(b, loc, DenseElementsAttr::get(type, offsets));
  Value own = vector::BroadcastOp::create(b, loc, type,
                                          getThreadOffset(b, loc, dim, thread));
  set(op, arith::AddIOp::create(b, loc, fixed, own));
  return success();
}

/// One element of a block, which every thread gets.
LogicalResult Distributor::distributeExtract(vector::ExtractOp op) {
  if (op.hasDynamicPosition() || !op.getType().isIntOrIndexOrFloat())
    return op.emitOpError("expected one element at a constant position");
  std::optional<Layout> layout = getLayout(op.getSource());
  if (!layout || layout->uses(Holder::Warp))
    return op.emitOpError("expected a source that no axis of spreads over "
                          "warps");
  SmallVector<int64_t> position;
  int64_t lane = 0;
  for (auto [dim, at] : llvm::zip(layout->dims, op.getStaticPosition())) {
    auto [reg, holder] = dim.locate(at);
    position.push_back(reg);
    lane |= holder;
  }
  Value element =
      vector::ExtractOp::create(b, loc, get(op.getSource()), position);
  if (layout->uses(Holder::Lane)) {
    auto constant = [&](int32_t value) -> Value {
      return arith::ConstantIntOp::create(b, loc, value, 32);
    };
    element =
        mlir::gpu::ShuffleOp::create(b, loc, element, constant(lane),
                                     constant(32), mlir::gpu::ShuffleMode::IDX)
            .getShuffleResult();
  }
  scalars.map(op.getResult(), element);
  return success();
}

void Distributor::waitForCopies(int64_t inFlight) {
  NVVM::CpAsyncWaitGroupOp::create(b, loc, inFlight);
  mlir::gpu::BarrierOp::create(b, loc);
}

/// Whether `op` is used as the right operand of products, and in tests of one,
/// only. They compute it as they need it.
static bool isForProducts(Operation *op) {
  return op->getNumResults() == 1 && !op->use_empty() &&
         OpTrait::hasElementwiseMappableTraits(op) &&
         isa<VectorType>(op->getResult(0).getType()) &&
         llvm::all_of(op->getUses(), [](OpOperand &use) {
           if (auto product = dyn_cast<vector::ContractionOp>(use.getOwner()))
             return use.get() == product.getRhs() &&
                    use.get() != product.getLhs();
           if (auto test =
                   dyn_cast<vector::MultiDimReductionOp>(use.getOwner()))
             return test.getDestType().isInteger(1);
           return isForProducts(use.getOwner());
         });
}

/// Whether `op` widens a left operand that is read where it is needed, for
/// nothing but products, which take it as it was.
bool Distributor::isWidenedAgain(Operation *op) {
  auto wide = dyn_cast<arith::ExtFOp>(op);
  auto read =
      wide ? wide.getIn().getDefiningOp<vector::TransferReadOp>() : nullptr;
  return read && isReadAgain(read) &&
         llvm::all_of(op->getUses(), [](OpOperand &use) {
           return isa<vector::ContractionOp>(use.getOwner());
         });
}

LogicalResult Distributor::distribute(Operation *op) {
  loc = op->getLoc();
  if (isForProducts(op) || isWidenedAgain(op))
    return success();
  if (auto read = dyn_cast<vector::TransferReadOp>(op))
    return distributeRead(read);
  if (auto write = dyn_cast<vector::TransferWriteOp>(op))
    return distributeWrite(write);
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return distributeLoop(loop);
  if (auto choice = dyn_cast<scf::IfOp>(op))
    return distributeChoice(choice);
  auto isBlock = [](Type type) { return isa<VectorType>(type); };
  bool blocksInOrOut = llvm::any_of(op->getOperandTypes(), isBlock) ||
                       llvm::any_of(op->getResultTypes(), isBlock);
  if (!blocksInOrOut) {
    if (op->getNumRegions() != 0)
      return op->emitOpError("expected loops as the only control flow between "
                             "blocks");
    auto load = dyn_cast<memref::LoadOp>(op);
    if (load && loadCopied(load))
      return success();
    readApart(load && isWrittenByOthers(load, load.getMemRef()),
              [&] { b.clone(*op, scalars); });
    return success();
  }
  if (llvm::all_of(op->getResults(),
                   [](Value value) { return bool(getSplat(value)); }))
    return success(); // given its shape where it is used
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](vector::BroadcastOp o) { return distributeBroadcast(o); })
      .Case([&](vector::TransposeOp o) { return distributeTranspose(o); })
      .Case([&](vector::StepOp o) { return distributeStep(o); })
      .Case([&](vector::ExtractOp o) { return distributeExtract(o); })
      .Case(
          [&](vector::MultiDimReductionOp o) { return distributeReduction(o); })
      .Case([&](VectorScanOp o) { return distributeScan(o); })
      .Case([&](vector::ContractionOp o) { return distributeProduct(o); })
      .Default([&](Operation *o) -> LogicalResult {
        if (OpTrait::hasElementwiseMappableTraits(o) && o->getNumResults() == 1)
          return distributeElementwise(o);
        return o->emitOpError("cannot be distributed to threads");
      });
}

/// A choice that all threads of a warp make alike.
LogicalResult Distributor::distributeChoice(scf::IfOp op) {
  SmallVector<Type> types;
  for (Value result : op.getResults()) {
    auto type = dyn_cast<VectorType>(result.getType());
    std::optional<Layout> layout = type ? getLayout(result) : std::nullopt;
    if (type && !layout)
      return op.emitOpError("expected a layout, got none");
    types.push_back(type ? getThreadType(type, *layout) : result.getType());
  }
  bool hasElse = !op.getElseRegion().empty();
  auto choice = scf::IfOp::create(
      b, loc, types, scalars.lookupOrDefault(op.getCondition()), hasElse);
  auto fill = [&](Region &from, Region &to) -> LogicalResult {
    OpBuilder::InsertionGuard guard(b);
    if (types.empty())
      b.setInsertionPointToStart(&to.front());
    else
      b.setInsertionPointToEnd(&to.front());
    // What is read into registers here is not known elsewhere.
    llvm::SaveAndRestore<DenseMap<Value, Value>> own(blocks, blocks);
    if (failed(distributeBody(from.front())))
      return failure();
    if (types.empty())
      return success();
    SmallVector<Value> yielded;
    for (auto [value, result, type] :
         llvm::zip_equal(from.front().getTerminator()->getOperands(),
                         op.getResults(), types)) {
      auto held = dyn_cast<VectorType>(type);
      yielded.push_back(held ? getPlanned(value, result, held.getShape())
                             : scalars.lookupOrDefault(value));
    }
    scf::YieldOp::create(b, op.getLoc(), yielded);
    return success();
  };
  if (failed(fill(op.getThenRegion(), choice.getThenRegion())) ||
      (hasElse && failed(fill(op.getElseRegion(), choice.getElseRegion()))))
    return failure();
  for (auto [old, now] :
       llvm::zip_equal(op.getResults(), choice.getResults())) {
    if (isa<VectorType>(old.getType()))
      setPlanned(old, now);
    else
      scalars.map(old, now);
  }
  return success();
}

LogicalResult Distributor::distributeBody(Block &body) {
  SmallVector<ConvertLayoutOp> conversions;
  for (Operation &op : body.without_terminator()) {
    if (auto convert = dyn_cast<ConvertLayoutOp>(op)) {
      conversions.push_back(convert);
      if (!isa<ConvertLayoutOp>(op.getNextNode())) {
        distributeConversions(conversions);
        conversions.clear();
      }
      continue;
    }
    if (failed(distribute(&op)))
      return failure();
  }
  return success();
}
