//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SharedTile.h"
#include "GlobalAlignment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/NVGPU/IR/NVGPUDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::simt;

/// All banks together.
static constexpr int64_t kBankBytes = 128;

int64_t SharedMemory::allocate(int64_t bytes, int64_t alignment) {
  int64_t place = llvm::alignTo(used, alignment);
  used = place + bytes;
  peak = std::max(peak, used);
  return place;
}

static Value index(OpBuilder &b, Location loc, int64_t value) {
  return arith::ConstantIndexOp::create(b, loc, value);
}

int64_t SharedTile::getElementBytes() const {
  return type.getElementTypeBitWidth() / 8;
}

SharedTile::SharedTile(OpBuilder &b, Location loc, SharedMemory &shared,
                       VectorType type, int64_t copies, Filling filling)
    : type(type) {
  int64_t rows = type.getRank() == 2 ? type.getDimSize(0) : 1;
  int64_t chunks = llvm::divideCeil(getColumns(), getChunk());
  bool isWide = getElementBytes() == 4;
  // Narrow rows follow each other without a gap, for copies that run on from
  // one to the next; as many chunks are exchanged as divide a row, which puts
  // eight rows of a column into different banks. Of wide rows each chunk is
  // read by itself, at a constant distance, for which they are padded.
  if (type.getRank() == 1)
    exchanged = 0;
  else if (isWide && filling == Filling::Pairs)
    chunks += (10 - chunks % 4) % 4;
  else if (!isWide || (llvm::isPowerOf2_64(chunks) && chunks < 8))
    exchanged = std::min<int64_t>(chunks & -chunks, 8);
  else
    chunks |= 1;
  SmallVector<int64_t> shape = {copies, rows, chunks * getChunk()};
  auto space = mlir::gpu::AddressSpaceAttr::get(
      b.getContext(), mlir::gpu::AddressSpace::Workgroup);
  auto memoryType =
      MemRefType::get(shape, type.getElementType(), AffineMap(), space);
  int64_t bytes = memoryType.getNumElements() * getElementBytes();
  // Of two lines that each take half of the banks, one after the other, copies
  // lie in different halves, so that one instruction can fill both.
  int64_t line = getColumns() * getElementBytes();
  bool isHalf = type.getRank() == 1 && 2 * line == kBankBytes;
  offset = isHalf ? shared.allocate(line * (copies | 1), line)
                  : shared.allocate(bytes);
  memory = memref::ViewOp::create(b, loc, memoryType, shared.base,
                                  index(b, loc, offset), ValueRange());
  copy = index(b, loc, 0);
}

/// What is exchanged into the number of a chunk in row `row`.
static Value getExchange(OpBuilder &b, Location loc, Value row,
                         int64_t exchanged) {
  if (int64_t shift = llvm::Log2_64(8 / exchanged))
    row = arith::ShRUIOp::create(b, loc, row, index(b, loc, shift));
  return arith::AndIOp::create(b, loc, row, index(b, loc, exchanged - 1));
}

SmallVector<Value> SharedTile::place(OpBuilder &b, Location loc,
                                     ValueRange position) const {
  Value column = position.back();
  if (position.size() == 1)
    return {copy, index(b, loc, 0), column};
  Value row = position.front();
  if (exchanged > 1) {
    // The exchange acts on the bits above those inside of a chunk.
    Value exchange =
        arith::ShLIOp::create(b, loc, getExchange(b, loc, row, exchanged),
                              index(b, loc, llvm::Log2_64(getChunk())));
    column = arith::XOrIOp::create(b, loc, column, exchange);
  }
  return {copy, row, column};
}

Value SharedTile::load(OpBuilder &b, Location loc, ValueRange position,
                       int64_t width) const {
  auto loaded = VectorType::get({width}, type.getElementType());
  auto op =
      vector::LoadOp::create(b, loc, loaded, memory, place(b, loc, position));
  setAlignment(op, loaded);
  return op;
}

void SharedTile::store(OpBuilder &b, Location loc, Value vector,
                       ValueRange position) const {
  setAlignment(
      vector::StoreOp::create(b, loc, vector, memory, place(b, loc, position)),
      cast<VectorType>(vector.getType()));
}

SmallVector<SharedTile::Chunk> SharedTile::getChunks(OpBuilder &b, Location loc,
                                                     const Thread &thread,
                                                     int64_t threads) const {
  int64_t rows = type.getRank() == 2 ? type.getDimSize(0) : 1;
  int64_t perRow = getColumns() / getChunk(), total = rows * perRow;
  SmallVector<Chunk> chunks;
  for (int64_t first = 0; first < total; first += threads) {
    if (threads % perRow == 0 && first + threads <= total) {
      // A thread stays in its columns, a constant number of rows apart.
      auto [row, column] = getPieceAt(b, loc, thread.id, perRow, getChunk());
      chunks.push_back(
          {addIndices(b, loc, row, first / perRow), column, Value()});
      continue;
    }
    Value number = addIndices(b, loc, thread.id, first);
    Value own = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::ult, number,
                                      index(b, loc, total));
    Value known =
        arith::MinUIOp::create(b, loc, number, index(b, loc, total - 1));
    auto [row, column] = getPieceAt(b, loc, known, perRow, getChunk());
    chunks.push_back({row, column, own});
  }
  return chunks;
}

/// Elements that one access can move: at most 16 bytes, aligned in memory, and
/// dividing a row.
static int64_t getPieceWidth(VectorType type, const GlobalBlock &block,
                             int64_t elementBytes) {
  int64_t width =
      getGlobalAlignment(block.memory, block.indices) / elementBytes;
  while (width > 1 && type.getShape().back() % width != 0)
    width /= 2;
  return std::max<int64_t>(width, 1);
}

/// Whether there is an asynchronous copy of pieces of so many bytes.
static bool canCopyAsynchronously(const GlobalBlock &source, int64_t bytes) {
  return bytes >= 4 &&
         cast<MemRefType>(source.memory.getType()).isLastDimUnitStride();
}

LogicalResult SharedTile::copyBothFrom(OpBuilder &b, Location loc,
                                       const SharedTile &first,
                                       const GlobalBlock &firstSource,
                                       const SharedTile &second,
                                       const GlobalBlock &secondSource,
                                       const Thread &thread, int64_t threads) {
  VectorType type = first.type;
  int64_t bytes = first.getElementBytes();
  int64_t width = getPieceWidth(type, firstSource, bytes);
  if (type.getRank() != 1 || second.type != type ||
      first.memory.getType() != second.memory.getType() ||
      firstSource.memory.getType() != secondSource.memory.getType() ||
      firstSource.inBounds != secondSource.inBounds ||
      getPieceWidth(type, secondSource, bytes) != width ||
      !canCopyAsynchronously(firstSource, width * bytes))
    return failure();
  // Threads of a warp that move different lines could meet in one bank, unless
  // each line takes all banks or half of them, the second the other half.
  int64_t pieces = type.getDimSize(0) / width;
  int64_t line = type.getDimSize(0) * bytes;
  bool takeHalves = 2 * line == kBankBytes &&
                    std::abs(second.offset - first.offset) % kBankBytes == line;
  if (2 * pieces > threads || (line % kBankBytes != 0 && !takeHalves))
    return failure();
  // Which of the two a thread moves is the same in every iteration.
  Value isSecond = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::uge,
                                         thread.id, index(b, loc, pieces));
  auto choose = [&](Value ofFirst, Value ofSecond) -> Value {
    return b.createOrFold<arith::SelectOp>(loc, isSecond, ofSecond, ofFirst);
  };
  // The place is chosen, not the memory: converting a choice between memories of
  // this space prints an error on the way.
  SharedTile tile = first;
  auto view = first.memory.getDefiningOp<memref::ViewOp>();
  tile.memory = memref::ViewOp::create(
      b, loc, view.getType(), view.getSource(),
      choose(index(b, loc, first.offset), index(b, loc, second.offset)),
      ValueRange());
  GlobalBlock source = firstSource;
  source.memory = choose(firstSource.memory, secondSource.memory);
  for (auto [at, other] : llvm::zip_equal(source.indices, secondSource.indices))
    at = choose(at, other);
  Thread half = thread;
  half.id = choose(thread.id, addIndices(b, loc, thread.id, -pieces));
  // With threads to spare the walk asks which have a piece.
  tile.copyFrom(b, loc, source, half, 2 * pieces == threads ? pieces : threads,
                Start::Row, width);
  return success();
}

void SharedTile::copyFrom(OpBuilder &b, Location loc, const GlobalBlock &source,
                          const Thread &thread, int64_t threads,
                          Start start) const {
  copyFrom(b, loc, source, thread, threads, start,
           getPieceWidth(type, source, getElementBytes()));
}

void SharedTile::copyFrom(OpBuilder &b, Location loc, const GlobalBlock &source,
                          const Thread &thread, int64_t threads, Start start,
                          int64_t width) const {
  int64_t bytes = width * getElementBytes();
  bool isAsynchronous = canCopyAsynchronously(source, bytes);
  PieceWalk walk(b, loc, type, source, width, start);
  auto place = [&](const BlockPiece &piece) {
    SmallVector<Value> position = {piece.row, piece.column};
    return this->place(b, loc, ArrayRef(position).take_back(type.getRank()));
  };
  walk.run(thread, threads, [&](const BlockPiece &piece) {
    SmallVector<Value> from = walk.place(piece), to = place(piece);
    if (isAsynchronous) {
      auto token = nvgpu::DeviceAsyncTokenType::get(b.getContext());
      nvgpu::DeviceAsyncCopyOp::create(
          b, loc, token, memory, to, source.memory, from, b.getIndexAttr(width),
          piece.valid, bytes == 16 ? b.getUnitAttr() : UnitAttr());
      return;
    }
    // Not for the asynchronous copy: one element through a register.
    Type element = type.getElementType();
    Value loaded;
    if (piece.valid) {
      Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                           piece.valid, index(b, loc, 0));
      auto choice = scf::IfOp::create(
          b, loc, exists,
          [&](OpBuilder &b, Location loc) {
            scf::YieldOp::create(
                b, loc,
                memref::LoadOp::create(b, loc, source.memory, from)
                    .getResult());
          },
          [&](OpBuilder &b, Location loc) {
            scf::YieldOp::create(
                b, loc,
                arith::ConstantOp::create(b, loc, b.getZeroAttr(element))
                    .getResult());
          });
      loaded = choice.getResult(0);
    } else {
      loaded = memref::LoadOp::create(b, loc, source.memory, from);
    }
    memref::StoreOp::create(b, loc, loaded, memory, to);
  });
}

void SharedTile::copyTo(OpBuilder &b, Location loc, const GlobalBlock &target,
                        const Thread &thread, int64_t threads,
                        Start start) const {
  int64_t width = getPieceWidth(type, target, getElementBytes());
  int64_t extent = cast<MemRefType>(target.memory.getType()).getShape().back();
  if (!target.inBounds && extent != getColumns())
    while (width > 1 && (ShapedType::isDynamic(extent) || extent % width != 0))
      width /= 2;
  PieceWalk walk(b, loc, type, target, width, start);
  walk.run(thread, threads, [&](const BlockPiece &piece) {
    OpBuilder::InsertionGuard insertion(b);
    if (piece.valid) {
      Value exists = arith::CmpIOp::create(b, loc, arith::CmpIPredicate::sgt,
                                           piece.valid, index(b, loc, 0));
      auto guard = scf::IfOp::create(b, loc, exists);
      b.setInsertionPointToStart(guard.thenBlock());
    }
    SmallVector<Value> position = {piece.row, piece.column};
    Value moved =
        load(b, loc, ArrayRef(position).take_back(type.getRank()), width);
    setAlignment(vector::StoreOp::create(b, loc, moved, target.memory,
                                         walk.place(piece)),
                 cast<VectorType>(moved.getType()));
  });
}

Value SharedTile::loadMatrices(OpBuilder &b, Location loc, int64_t row,
                               int64_t column, bool columnFirst,
                               bool transposed, const Thread &thread,
                               Value firstRow) const {
  // Lane l gives the address of row l % 8 of matrix l / 8.
  auto bit = [&](int64_t number) -> Value {
    Value moved =
        arith::ShRUIOp::create(b, loc, thread.lane, index(b, loc, number));
    return arith::AndIOp::create(b, loc, moved, index(b, loc, 1));
  };
  Value inMatrix = arith::AndIOp::create(b, loc, thread.lane, index(b, loc, 7));
  Value down =
      arith::ShLIOp::create(b, loc, bit(columnFirst ? 4 : 3), index(b, loc, 3));
  Value right = bit(columnFirst ? 3 : 4);
  Value atRow = addIndices(b, loc, inMatrix, down);
  if (firstRow)
    atRow = addIndices(b, loc, atRow, firstRow);
  // Rows start at multiples of 8, so only the row in the matrix is exchanged.
  if (exchanged > 1)
    right = arith::XOrIOp::create(b, loc, right,
                                  getExchange(b, loc, inMatrix, exchanged));
  // What is exchanged are the lowest bits of a chunk's number in all of memory:
  // the matrices of a loop differ in a constant that is exchanged into one
  // address, or else added to it, and none needs a register of its own.
  ArrayRef<int64_t> shape = cast<MemRefType>(memory.getType()).getShape();
  auto sum = [&](Value x, Value y) { return addIndices(b, loc, x, y); };
  auto times = [&](Value x, int64_t y) -> Value {
    return arith::MulIOp::create(b, loc, x, index(b, loc, y));
  };
  Value place =
      sum(sum(times(copy, shape[1] * shape[2]), times(atRow, shape[2])),
          times(right, 8));
  int64_t chunk = column / 8, low = std::max<int64_t>(exchanged, 1) - 1;
  if (chunk & low)
    place =
        arith::XOrIOp::create(b, loc, place, index(b, loc, (chunk & low) * 8));
  // The index runs on into the rows that follow: what is added last, and is a
  // constant, becomes part of the instruction.
  place = addIndices(b, loc, place, (chunk & ~low) * 8 + row * shape[2]);
  Value none = index(b, loc, 0);
  auto result = VectorType::get({4, 2}, type.getElementType());
  return nvgpu::LdMatrixOp::create(b, loc, result, memory,
                                   ValueRange{none, none, place}, transposed,
                                   /*numTiles=*/4);
}
