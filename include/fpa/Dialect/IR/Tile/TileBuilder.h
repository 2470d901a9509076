//===- TileBuilder.h - Arithmetic on blocks ---------------------*- C++ -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The equations of the kernels are written against this interface once. Two
// implementations give them a form: whole vectors (a tile program) or linalg
// ops on tensors (their readable meaning).

#ifndef FPA_DIALECT_IR_TILE_TILEBUILDER_H
#define FPA_DIALECT_IR_TILE_TILEBUILDER_H

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/Builders.h"

namespace mlir::fpa {

/// Arithmetic inside of `TileBuilder::map`: on scalars or on whole vectors,
/// whatever the operands are.
class Elementwise {
public:
  /// `nanMaximum` says which form `maxOrSecond` takes.
  Elementwise(OpBuilder &builder, Location loc, bool nanMaximum = false)
      : b(builder), loc(loc), nanMaximum(nanMaximum) {}

  /// `value` in the type of `like`.
  Value constant(double value, Value like);
  Value constant(int64_t value, Value like);
  /// The number `scalar`, of the element type of `like`, in its type.
  Value spread(Value scalar, Value like);
  Value add(Value x, Value y);
  Value sub(Value x, Value y);
  Value mul(Value x, Value y);
  Value div(Value x, Value y);
  Value bitAnd(Value x, Value y);
  Value bitXor(Value x, Value y);
  /// x * y + z, rounded once.
  Value fma(Value x, Value y, Value z);
  /// Minimum and maximum in which a NaN wins.
  Value min(Value x, Value y);
  Value max(Value x, Value y);
  /// The larger of the two, NaN where y is NaN. Where only x is NaN it is y,
  /// one instruction on x86, or with `nanMaximum` NaN, one instruction on GPUs.
  Value maxOrSecond(Value x, Value y);
  /// The largest number below x.
  Value below(Value x);
  Value abs(Value x);
  Value sqrt(Value x);
  /// 2^x for x <= 0 (or NaN), which lowerings may rely on.
  Value exp2OfNonpositive(Value x);
  Value log2(Value x);
  Value compare(arith::CmpFPredicate predicate, Value x, Value y);
  Value compare(arith::CmpIPredicate predicate, Value x, Value y);
  Value select(Value condition, Value x, Value y);
  /// x in floating point type `element`, wider or narrower.
  Value cast(Value x, FloatType element);
  /// x truncated to integer type `element`.
  Value truncate(Value x, IntegerType element);

private:
  OpBuilder &b;
  Location loc;
  bool nanMaximum;
};

/// What a machine does in one instruction, which block vectors then use.
struct TileTraits {
  /// Products take operands of a narrow type as they are, so that the product
  /// is scaled rather than the operand.
  bool scaleProducts = false;
  /// A maximum in which a NaN wins.
  bool nanMaximum = false;
  /// What the number of keys in a block of logits is a multiple of.
  int64_t keyMultiple = 1;
  /// What is rarely needed takes a branch.
  bool branches = false;
};

/// A block is a value of up to two dimensions in the builder's own form. Its
/// shape is given by extents: constants for vectors, anything for tensors.
class TileBuilder {
public:
  using Extents = ArrayRef<OpFoldResult>;
  using MapFn = function_ref<Value(Elementwise &, ValueRange)>;
  enum class Reduction { Sum, Max };

  TileBuilder(OpBuilder &builder, Location loc) : b(builder), loc(loc) {}
  virtual ~TileBuilder() = default;

  /// The tensor `source` as a block of `extents`; where the source is smaller,
  /// the block is filled up with `padding`.
  virtual Value load(Value source, Extents extents, TypedAttr padding) = 0;
  /// Writes the leading part of `block` that fits into the tensor `dest`.
  virtual Value store(Value block, Value dest) = 0;

  virtual Value splat(Value scalar, Extents extents) = 0;
  /// Element `index` of a block of rank 1.
  virtual Value extract(Value block, int64_t index) = 0;
  /// 0, 1, 2, ... as i32.
  virtual Value iota(OpFoldResult extent) = 0;

  /// Elementwise computation on blocks of equal shape. `element` is the
  /// result's element type, that of the first block if null.
  virtual Value map(ValueRange blocks, MapFn fn, Type element = {}) = 0;
  /// A block of rank 1 along dimension `axis` of a block of rank 2.
  virtual Value broadcast(Value block, Extents extents, int64_t axis) = 0;
  /// Removes dimension `axis`. A maximum ignores NaN.
  virtual Value reduce(Reduction kind, Value block, int64_t axis) = 0;
  /// All of a block of rank 1 in one number.
  virtual Value sum(Value block) = 0;
  /// `acc + lhs * rhs` summed over shared dimensions, spelled as in
  /// "id,jd->ij". With `mask`, of the shape of lhs, only the products for
  /// which it holds take part: the others may be NaN.
  virtual Value contract(StringRef spec, Value lhs, Value rhs, Value acc,
                         Value mask = {}) = 0;
  /// Minima of the elements to the right of each along `axis`, where a NaN
  /// wins: from the end, without the element itself, starting with `init`,
  /// which lacks the axis. Also returns init combined with all of `block`.
  virtual std::pair<Value, Value> scanMinimum(Value block, Value init,
                                              int64_t axis) = 0;

  /// Sums of the elements to the left of each along `axis` since the last one
  /// for which `reset` holds, that one included: from the start, beginning with
  /// `init`, which lacks the axis. Also returns what is left at the end.
  virtual std::pair<Value, Value> scanSums(Value block, Value init, Value reset,
                                           int64_t axis) = 0;

  /// Whether `choose` may be called: what is rarely needed takes a branch.
  virtual bool hasBranches() const { return false; }
  /// What `make` gives where the i1 `condition` holds, else `otherwise`.
  using MakeFn = function_ref<SmallVector<Value>()>;
  virtual SmallVector<Value> choose(Value condition, MakeFn make,
                                    MakeFn otherwise) {
    llvm_unreachable("blocks without branches");
  }

  /// Whether a product's scale is multiplied into its left operand, which is
  /// loaded once, rather than into the product.
  virtual bool foldsScaleIntoOperand() const = 0;
  /// Whether a NaN in either operand of `maxOrSecond` wins.
  virtual bool hasNaNMaximum() const { return false; }

  /// A block of one constant.
  Value constant(TypedAttr value, Extents extents);

  OpBuilder &b;
  Location loc;
};

/// Whole vectors; every extent is a constant.
std::unique_ptr<TileBuilder>
createVectorTileBuilder(OpBuilder &builder, Location loc,
                        const TileTraits &traits = {});
/// linalg ops on tensors, of static or dynamic extents.
std::unique_ptr<TileBuilder> createLinalgTileBuilder(OpBuilder &builder,
                                                     Location loc);

/// The indexing maps of a contraction "ab,bc->ac" for lhs, rhs and result,
/// over the result's letters followed by those that are summed.
struct ContractionSpec {
  SmallVector<AffineMap> maps;
  SmallVector<utils::IteratorType> iterators;
};
ContractionSpec parseContraction(StringRef spec, MLIRContext *context);

} // namespace mlir::fpa

#endif // FPA_DIALECT_IR_TILE_TILEBUILDER_H
