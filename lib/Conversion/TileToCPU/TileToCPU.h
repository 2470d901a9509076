//===- TileToCPU.h - State of the mapping to register tiles -----*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOCPU_TILETOCPU_H
#define FPA_LIB_CONVERSION_TILETOCPU_TILETOCPU_H

#include "TilePlan.h"
#include "fpa/Dialect/IR/Tile/AxisAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include <map>

namespace mlir::fpa::cpu {

/// Where a walk stands: an index for each axis, and a run of `width` elements
/// along one of them.
struct Point {
  SmallVector<std::pair<Axis, Value>> scalars;
  Axis inner = -1;
  Value offset;
  int64_t width = 1;

  Value getScalar(Axis axis) const {
    for (auto [known, index] : scalars)
      if (known == axis)
        return index;
    return {};
  }
};

/// A run of `width` elements along the last of a block's axes `order`, from
/// `offset`; `row` is the index along the other axis, null if there is none.
struct Run {
  Run(ArrayRef<Axis> order, Value row, Value offset, int64_t width) {
    if (row) {
      point.scalars.push_back({order.front(), row});
      at.push_back(row);
    }
    point.inner = order.back();
    point.offset = offset;
    point.width = width;
    at.push_back(offset);
  }

  Point point;
  /// The indices of its first element, in the order of the axes.
  SmallVector<Value, 2> at;
};

/// Registers that hold values at one point.
using Registers = DenseMap<Value, Value>;

/// Maps the block vectors inside one op's region to loops over register tiles.
class TileMapper {
public:
  TileMapper(const AxisAnalysis &axes, const BlockStorage &storage,
             RegisterFile file, OpBuilder &builder)
      : axes(axes), storage(storage), file(file), builder(builder) {}

  /// Replaces the ops of `block`, which must not hold what it returns in
  /// vectors.
  LogicalResult mapBody(Block &block);

private:
  // MapBlock.cpp: items in order, loops, scratch memory.
  LogicalResult mapBlock(Block &block);
  LogicalResult mapLoop(scf::ForOp loop, const TilePlan &plan);
  void mapLineReduction(vector::MultiDimReductionOp op);
  LogicalResult mapScalar(Operation *op);
  void planStorage(TilePlan &plan, ArrayRef<unsigned> order, Block &block);
  void placeYields(TilePlan &plan, ArrayRef<unsigned> position, Block &block);
  Value allocate(MemRefType type);
  Value allocate(Value block);
  bool needsBuffer(Value value, unsigned item, const TilePlan &plan,
                   Block &block) const;
  static bool isYielded(Value value, Block &block);
  void fill(Value buffer, ArrayRef<Axis> order,
            function_ref<Value(const Point &)> load);
  void copyInto(Value source, Value like, Value buffer);
  void storeYields(scf::ForOp loop);

  // Evaluate.cpp: the value of a block at a point.
  Value evaluate(Value value, const Point &point, const Registers &registers);
  Value evaluateScalar(Value value, const Point &point);
  Value cloneAt(Operation *op, const Point &point, const Registers &registers);
  SmallVector<Value> locate(ValueRange base, ArrayRef<Axis> order,
                            const Point &point,
                            std::optional<size_t> &innerDim);
  SmallVector<Value> getBase(vector::TransferReadOp read);
  Value loadAt(Value memory, ValueRange base, ArrayRef<Axis> order,
               const Point &point, Type element);
  Value evaluateStep(vector::StepOp step, const Point &point);

  // MapNest.cpp: loops of a nest.
  LogicalResult mapNest(const Item &nest);

  // MapTransfer.cpp: between memory of the caller and scratch.
  LogicalResult checkTransfer(VectorTransferOpInterface transfer);
  Value getValidSize(VectorTransferOpInterface transfer, int64_t dim);
  void readInside(vector::TransferReadOp read, Value memory, ValueRange base,
                  Value buffer);
  void copyRows(ArrayRef<Axis> order,
                function_ref<void(const Point &, ValueRange)> copy);
  void readPadded(vector::TransferReadOp read, Value memory, ValueRange base,
                  ArrayRef<Value> valid, Value buffer);
  Value fitsWhole(VectorTransferOpInterface transfer,
                  SmallVectorImpl<Value> &valid);
  int64_t getSquare(Axis a, Axis b) const;
  void copyTransposed(Value from, ValueRange fromBase, Value to,
                      ValueRange toBase, int64_t sizeY, int64_t sizeX,
                      int64_t side);
  void writeElements(vector::TransferWriteOp write, Value memory,
                     ValueRange base, ArrayRef<Value> valid, bool uniform);
  LogicalResult mapRead(vector::TransferReadOp read);
  LogicalResult mapWrite(vector::TransferWriteOp write);

  Location loc() const { return location; }
  Value index(int64_t value);
  /// Emits `for (iv = 0; iv < count; ++iv)` around `body`.
  void forEach(Value count, function_ref<void(Value)> body);

  friend class NestEmitter;

  const AxisAnalysis &axes;
  const BlockStorage &storage;
  RegisterFile file;
  OpBuilder &builder;
  Block *scratchBlock = nullptr;
  IRMapping mapping;
  DenseMap<Value, Value> buffers;
  // Any number can be asked for; a DenseMap keeps some for itself.
  std::map<int64_t, Value> indexConstants;
  Location location = UnknownLoc::get(builder.getContext());
};

} // namespace mlir::fpa::cpu

#endif // FPA_LIB_CONVERSION_TILETOCPU_TILETOCPU_H
