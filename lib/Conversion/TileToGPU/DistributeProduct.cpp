//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Products of blocks. Narrow types use the matrix instructions m16n8k16 with
// sums in f32; f32 multiplies element by element, rounding as f32 does.

#include "Distribute.h"
#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"
#include "fpa/Target/GPUTiles.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::simt;

/// The narrow block that `value` widens, or null.
static Value getNarrow(Value value) {
  auto extension = value.getDefiningOp<arith::ExtFOp>();
  if (!extension)
    return {};
  auto type = cast<VectorType>(extension.getIn().getType());
  return type.getElementType().isF16() || type.getElementType().isBF16()
             ? extension.getIn()
             : Value();
}

/// Which dimension of an operand is summed over.
static int64_t getSummedDim(vector::ContractionOp op, unsigned operand) {
  AffineMap map = op.getIndexingMapsArray()[operand];
  for (auto [index, type] : llvm::enumerate(op.getIteratorTypesArray()))
    if (type == vector::IteratorType::reduction)
      return *map.getResultPosition(getAffineDimExpr(index, op.getContext()));
  llvm_unreachable("a product sums over one dimension");
}

namespace {
/// Operands of the matrix instruction, two 16-bit numbers each.
class MatrixOperands {
public:
  MatrixOperands(OpBuilder &b, Location loc, FloatType element)
      : b(b), loc(loc), element(element) {}

  /// Elements (row, column) and (row, column + 1) of a thread's vector.
  Value pair(Value vector, int64_t row, int64_t column) {
    Value line = vector::ExtractOp::create(b, loc, vector, row);
    return toOperand(vector::ExtractStridedSliceOp::create(
        b, loc, line, ArrayRef<int64_t>{column}, ArrayRef<int64_t>{2},
        ArrayRef<int64_t>{1}));
  }
  Value toOperand(Value pair) {
    if (element.isF16())
      return pair;
    auto word = VectorType::get({1}, b.getI32Type());
    return vector::ExtractOp::create(
        b, loc, vector::BitCastOp::create(b, loc, word, pair), 0);
  }

private:
  OpBuilder &b;
  Location loc;
  FloatType element;
};
} // namespace

/// One instruction: acc[0..3] += lhs rhs.
static void multiply(OpBuilder &b, Location loc, FloatType element,
                     ValueRange lhs, ValueRange rhs,
                     MutableArrayRef<Value *> acc) {
  SmallVector<Value> sums =
      llvm::map_to_vector(acc, [](Value *sum) { return *sum; });
  auto result = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(4, b.getF32Type()));
  NVVM::MMATypes types =
      element.isF16() ? NVVM::MMATypes::f16 : NVVM::MMATypes::bf16;
  Value product = NVVM::MmaOp::create(
      b, loc, result, lhs, rhs, sums, ArrayRef<int64_t>{16, 8, 16},
      /*b1Op=*/std::nullopt, /*intOverflow=*/std::nullopt,
      std::array<NVVM::MMATypes, 2>{types, types},
      std::array<NVVM::MMALayout, 2>{NVVM::MMALayout::row,
                                     NVVM::MMALayout::col});
  for (auto [i, sum] : llvm::enumerate(acc))
    *sum = LLVM::ExtractValueOp::create(b, loc, product,
                                        ArrayRef<int64_t>{int64_t(i)});
}

/// A chunk of a right operand, and what is computed on it element by element.
Value Distributor::getChunk(Value value, ValueRange position, int64_t width) {
  auto type = VectorType::get(
      {width}, cast<VectorType>(value.getType()).getElementType());
  if (TypedAttr splat = getSplat(value))
    return arith::ConstantOp::create(b, loc,
                                     DenseElementsAttr::get(type, splat));
  auto tile = tiles.find(value);
  if (tile != tiles.end())
    return tile->second.load(b, loc, position, width);
  Operation *op = value.getDefiningOp();
  OperationState state(loc, op->getName());
  for (Value operand : op->getOperands())
    state.operands.push_back(isa<VectorType>(operand.getType())
                                 ? getChunk(operand, position, width)
                                 : scalars.lookupOrDefault(operand));
  state.addTypes(type);
  for (NamedAttribute attribute : op->getAttrs())
    if (attribute.getName() != layoutsAttrName)
      state.attributes.push_back(attribute);
  return b.create(state)->getResult(0);
}

/// Fills `tile` with columns of a right operand, from `firstColumn` on, on
/// which something is computed; all threads do so together.
void Distributor::fillRightTile(const SharedTile &tile, Value value,
                                int64_t firstColumn) {
  mlir::gpu::BarrierOp::create(b, loc); // the memory may be in use
  for (auto [row, column, own] :
       tile.getChunks(b, loc, thread, 32 * shape.warps)) {
    OpBuilder::InsertionGuard guard(b);
    if (own)
      b.setInsertionPointToStart(scf::IfOp::create(b, loc, own).thenBlock());
    Value chunk = getChunk(
        value, {row, addIndices(b, loc, column, firstColumn)}, tile.getChunk());
    tile.store(b, loc, chunk, {row, column});
  }
  mlir::gpu::BarrierOp::create(b, loc);
}

/// Calls `multiply` with a right operand in shared memory, its first column
/// there and their number. It lies where it was copied to or, if something is
/// computed on it, in a tile of its own, `some` columns at a time if that
/// divides them.
void Distributor::forRightTiles(
    Value value, int64_t summed, int64_t some,
    llvm::function_ref<void(const SharedTile &, int64_t, int64_t)> multiply) {
  auto type = cast<VectorType>(value.getType());
  int64_t width = type.getDimSize(1 - summed);
  auto known = tiles.find(value);
  if (known != tiles.end())
    return multiply(known->second, 0, width);
  if (summed != 0 || width % some != 0)
    some = width;
  SmallVector<int64_t> shape(type.getShape());
  shape[1 - summed] = some;
  SharedTile tile(b, loc, shared,
                  VectorType::get(shape, type.getElementType()));
  for (int64_t first = 0; first < width; first += some) {
    fillRightTile(tile, value, first);
    multiply(tile, first, some);
  }
}

void Distributor::multiplyMatrices(vector::ContractionOp op, FloatType element,
                                   Value lhs, SmallVectorImpl<Value> &acc) {
  auto rhsType = cast<VectorType>(op.getRhsType());
  int64_t summed = getSummedDim(op, 1);
  int64_t depth = rhsType.getDimSize(summed);
  int64_t width = rhsType.getDimSize(1 - summed);
  auto held = cast<VectorType>(lhs.getType());
  int64_t rowTiles = held.getDimSize(0) / 2;
  MatrixOperands operands(b, loc, element);

  // Left operands of a row of 16x16 blocks: rows 0 and 8, then columns.
  SmallVector<SmallVector<Value>> left;
  for (int64_t m = 0; m < rowTiles; ++m)
    for (int64_t k = 0; k < depth / 16; ++k)
      left.push_back({operands.pair(lhs, 2 * m, 4 * k),
                      operands.pair(lhs, 2 * m + 1, 4 * k),
                      operands.pair(lhs, 2 * m, 4 * k + 2),
                      operands.pair(lhs, 2 * m + 1, 4 * k + 2)});

  auto multiplyAll = [&](const SharedTile &tile, int64_t, int64_t) {
    for (int64_t n = 0; n < width / 16; ++n)
      for (int64_t k = 0; k < depth / 16; ++k) {
        // Both orders of the dimensions end as column n, then row k.
        Value four = summed == 1
                         ? tile.loadMatrices(b, loc, 16 * n, 16 * k,
                                             /*columnFirst=*/true,
                                             /*transposed=*/false, thread)
                         : tile.loadMatrices(b, loc, 16 * k, 16 * n,
                                             /*columnFirst=*/false,
                                             /*transposed=*/true, thread);
        SmallVector<Value> right;
        for (int64_t i = 0; i < 4; ++i)
          right.push_back(
              operands.toOperand(vector::ExtractOp::create(b, loc, four, i)));
        int64_t columns = width / 4;
        for (int64_t m = 0; m < rowTiles; ++m)
          for (int64_t half = 0; half < 2; ++half) {
            Value *first = &acc[2 * m * columns + 4 * n + 2 * half];
            SmallVector<Value *> sums = {first, first + 1, first + columns,
                                         first + columns + 1};
            multiply(b, loc, element, left[m * (depth / 16) + k],
                     ArrayRef(right).slice(2 * half, 2), sums);
          }
      }
  };
  forRightTiles(getNarrow(op.getRhs()), summed, width, multiplyAll);
}

/// A left operand in shared memory, where each thread finds whole rows: where
/// it was copied to, or a tile that each warp fills with rows of its own.
SharedTile Distributor::getLeftTile(Value value) {
  auto known = tiles.find(value);
  if (known != tiles.end())
    return known->second;
  Value held = get(value);
  SharedTile tile(b, loc, shared, cast<VectorType>(value.getType()),
                  /*copies=*/1, Filling::Pairs);
  mlir::gpu::BarrierOp::create(b, loc); // the memory may be in use
  storeToShared(tile, held, *getLayout(value));
  // Rows belong to one warp each, so its lanes need to wait for each other
  // only.
  Value lanes =
      LLVM::ConstantOp::create(b, loc, b.getI32Type(), b.getI32IntegerAttr(-1));
  NVVM::SyncWarpOp::create(b, loc, lanes);
  return tile;
}

/// Of a right operand on which something is computed few columns at a time:
/// what is computed of their sums need not wait for the others, which take
/// registers meanwhile.
void Distributor::multiplyElements(vector::ContractionOp op,
                                   SmallVectorImpl<Value> &acc) {
  Layout layout = *getLayout(op.getResult());
  int64_t summed = getSummedDim(op, 1);
  int64_t width = op.getRhsType().getDimSize(1 - summed);
  SmallVector<int64_t> registers = layout.getRegisterShape();
  std::optional<SharedTile> left;
  forRightTiles(op.getRhs(), summed, kComputedColumns,
                [&](const SharedTile &tile, int64_t first, int64_t count) {
                  if (!left)
                    left = getLeftTile(op.getLhs());
                  // Of a row's registers those that hold these columns.
                  int64_t begin = first * registers[1] / width;
                  int64_t columns = count * registers[1] / width;
                  SmallVector<Value *> sums;
                  for (int64_t row = 0; row < registers[0]; ++row)
                    for (int64_t column = 0; column < columns; ++column)
                      sums.push_back(&acc[row * registers[1] + begin + column]);
                  multiplyColumns(op, *left, tile, columns, sums);
                });
}

/// Four steps of the sum at a time.
void Distributor::multiplyColumns(vector::ContractionOp op,
                                  const SharedTile &left,
                                  const SharedTile &tile, int64_t columns,
                                  MutableArrayRef<Value *> acc) {
  Layout layout = *getLayout(op.getResult());
  int64_t summed = getSummedDim(op, 1);
  int64_t depth = op.getRhsType().getDimSize(summed);
  int64_t rows = acc.size() / columns;
  SmallVector<Value> places = getOffsets(layout);
  SmallVector<Value> inits =
      llvm::map_to_vector(acc, [](Value *sum) { return *sum; });
  auto loop =
      scf::ForOp::create(b, loc, index(0), index(depth), index(4), inits);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar();
  SmallVector<Value> sums(loop.getRegionIterArgs());
  auto placeOf = [&](int64_t dim, int64_t reg) {
    return addIndices(b, loc, places[dim],
                      layout.dims[dim].getRegisterOffset(reg));
  };
  SmallVector<Value> leftRows;
  for (int64_t row = 0; row < rows; ++row)
    leftRows.push_back(left.load(b, loc, {placeOf(0, row), step}, 4));
  for (int64_t column = 0; column < columns; column += 2) {
    // Elements [step][neighbour] of two neighbouring columns.
    std::array<std::array<Value, 2>, 4> right;
    if (summed == 1) {
      for (int64_t next = 0; next < 2; ++next) {
        Value four = tile.load(b, loc, {placeOf(1, column + next), step}, 4);
        for (int64_t i = 0; i < 4; ++i)
          right[i][next] = vector::ExtractOp::create(b, loc, four, i);
      }
    } else {
      for (int64_t i = 0; i < 4; ++i) {
        Value two = tile.load(
            b, loc, {addIndices(b, loc, step, i), placeOf(1, column)}, 2);
        for (int64_t next = 0; next < 2; ++next)
          right[i][next] = vector::ExtractOp::create(b, loc, two, next);
      }
    }
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t i = 0; i < 4; ++i) {
        Value factor = vector::ExtractOp::create(b, loc, leftRows[row], i);
        for (int64_t next = 0; next < 2; ++next) {
          Value &sum = sums[row * columns + column + next];
          sum = math::FmaOp::create(b, loc, factor, right[i][next], sum);
        }
      }
  }
  scf::YieldOp::create(b, loc, sums);
  for (auto [sum, result] : llvm::zip_equal(acc, loop.getResults()))
    *sum = result;
}

LogicalResult Distributor::distributeProduct(vector::ContractionOp op) {
  if (isa<vector::MaskOp>(op->getParentOp()))
    return op.emitOpError("expected a product without a mask");
  std::optional<Layout> layout = getLayout(op.getResult());
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(op.getResultType()));
  if (!layout || !element || !element.isF32() ||
      op.getKind() != vector::CombiningKind::ADD)
    return op.emitOpError("expected sums of products in f32");
  SmallVector<int64_t> registers = layout->getRegisterShape();
  SmallVector<Value> acc = getElements(op.getAcc(), registers);
  int64_t mark = shared.getMark();
  if (Value narrow = getNarrow(op.getRhs())) {
    auto type = cast<FloatType>(getElementTypeOrSelf(narrow.getType()));
    Value lhs;
    if (Value same = getNarrow(op.getLhs());
        same && getElementTypeOrSelf(same.getType()) == type) {
      lhs = get(same);
    } else {
      Value wide = get(op.getLhs());
      auto held = cast<VectorType>(wide.getType());
      lhs = arith::TruncFOp::create(
          b, loc, VectorType::get(held.getShape(), type), wide);
    }
    multiplyMatrices(op, type, lhs, acc);
  } else {
    multiplyElements(op, acc);
  }
  shared.release(mark);
  set(op.getResult(), pack(b, loc, acc, VectorType::get(registers, element)));
  return success();
}
