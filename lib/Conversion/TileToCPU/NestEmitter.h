//===- NestEmitter.h - Loops over register tiles ----------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A nest walks its outer axis in rows and its inner axis in registers:
//
//   for chunk of registers along the inner axis
//     for tile of rows along the outer axis, carrying reductions and scans
//       ops before the contraction, at every point of the tile
//       for k: accumulators += row element * register of the inner axis
//       ops after the contraction, reductions, scans, stores
//     store reductions and scan totals
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_CONVERSION_TILETOCPU_NESTEMITTER_H
#define FPA_LIB_CONVERSION_TILETOCPU_NESTEMITTER_H

#include "TileToCPU.h"
#include "fpa/Dialect/IR/FpaOps.h"

namespace mlir::fpa::cpu {

/// Reduces registers of a power of two of rows to one, of which each lane is a
/// row's. Two that have as many lanes of each row left become one as soon as
/// there are two: few are kept, and a row has about half the shuffles that it
/// takes to reduce it alone.
class LaneTree {
public:
  void add(OpBuilder &b, Location loc, vector::CombiningKind kind, Value row);
  /// The result, after which the tree is empty.
  Value take(OpBuilder &b, Location loc, vector::CombiningKind kind);

private:
  struct Part {
    Value rows;
    /// Lanes that are left of each row.
    int64_t left;
  };
  SmallVector<Part> parts;
};

class NestEmitter {
public:
  NestEmitter(TileMapper &mapper, const Item &nest)
      : mapper(mapper), nest(nest), b(mapper.builder), loc(mapper.loc()) {}

  LogicalResult emit();

private:
  /// Registers of all points of one register tile: [row][register].
  using Tile = SmallVector<SmallVector<Registers>>;

  LogicalResult findContraction();
  int64_t registersPerValue() const;
  int64_t rowsBeside(int64_t candidate) const;
  int64_t chooseProductRegisters(int64_t count) const;
  void chooseTile();
  void chooseRows();
  void emitChunks();
  bool canWeigh() const;
  Value loadRowElement(Point point);
  Value emitWeights();
  Value emitAllFinite();
  void emitWeighed();
  SmallVector<Value> initialStates(Value chunkStart);
  SmallVector<Value> emitRows(Value chunkStart, Value row, int64_t rows,
                              ValueRange states);
  SmallVector<Value> walkRows(Value chunkStart, SmallVector<Value> states);
  void emitProducts(Value chunkStart, Value row, Tile &tile);
  void emitOp(Operation *op, const Point &point, int64_t reg,
              Registers &registers, MutableArrayRef<Value> states);
  bool isAlongLanes(Operation *op) const;
  bool onlySumsLanes() const;
  void startLaneReductions(bool single);
  void addToLaneReduction(Operation *op, const Point &point, int64_t reg,
                          const Registers &registers);
  void storeLaneReductions(Value begin, int64_t count);
  void finishLaneReductions();
  // Prefetch.cpp: memory that is read once.
  void findStreams();
  void prefetch(Axis rowAxis, const Point &point, int64_t reg);

  void storeResults(const Point &point, Registers &registers);
  void storeStates(Value chunkStart, ArrayRef<Value> states);
  void store(Value block, Value data, const Point &point);
  Value combine(vector::CombiningKind kind, Value acc, Value next, Value init);
  Value combineScan(ScanKind kind, Value acc, Value next);
  Point makePoint(Value chunkStart, Value row, int64_t u, int64_t reg);
  Value offset(Value base, int64_t add);
  bool isAfterContraction(Operation *op) const { return after.contains(op); }

  TileMapper &mapper;
  const Item &nest;
  OpBuilder &b;
  Location loc;

  int64_t width = 1, regs = 1, rows = 1, rowExtent = 1, available = 4;
  /// A reduction along lanes: each row is first reduced to one register.
  struct LaneReduction {
    vector::MultiDimReductionOp op;
    /// The register of every row.
    Value partial;
    /// That of the row being walked.
    Value current;
    /// The rows whose lanes are being reduced.
    LaneTree tree = {};
  };
  SmallVector<LaneReduction> laneReductions;
  bool oneChunk = true, addsAtOnce = false;
  /// Reductions and scans in order; each has `regs` carried registers.
  SmallVector<Operation *> carried;
  DenseSet<Operation *> after;

  /// Reads of rows that are worth asking for ahead.
  llvm::SmallSetVector<Operation *, 2> streams;

  vector::ContractionOp product;
  Value rowSide, laneSide, productMask;
  Axis productAxis = -1;
  bool maskHasRows = false;
  /// The other operand with zeros where it is masked, in scratch memory.
  Value weights;
};

} // namespace mlir::fpa::cpu

#endif // FPA_LIB_CONVERSION_TILETOCPU_NESTEMITTER_H
