//===- TensorRules.cpp - Sizes that the tensor dialect's ops need ---------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where these do not hold the program reads or writes beyond its tensors.
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Twine;
using Kind = ShapeRules::Kind;
using MaybeSize = std::optional<SizeExpression>;
using Operator = SizeExpression::Operator;

namespace {

class TensorRules {
public:
  explicit TensorRules(RuleBuilder &builder) : builder(builder) {}

  void visit(Operation *op);

private:
  MaybeSize trace(OpFoldResult index) {
    return builder.tracer.traceIndex(index);
  }
  MaybeSize trace(Value value, int64_t dim) {
    return builder.tracer.traceSize(value, dim);
  }
  static MaybeSize number(int64_t value) {
    return SizeExpression::ofNumber(value);
  }

  void addStatic(const MaybeSize &size, const Twine &what, Value result,
                 int64_t dim);
  void addDynamicSizes(ValueRange sizes);

  void visitRule(tensor::CastOp op);
  void visitRule(tensor::ExtractSliceOp op);
  void visitRule(tensor::InsertSliceOp op);
  void visitRule(tensor::ExpandShapeOp op);
  void visitRule(tensor::ReshapeOp op);
  void visitRule(tensor::PadOp op);
  void visitRule(tensor::ConcatOp op);
  void visitRule(tensor::ExtractOp op) {
    addIndexRules(builder, op.getTensor(), "tensor", op.getIndices());
  }
  void visitRule(tensor::InsertOp op) {
    addIndexRules(builder, op.getDest(), "destination", op.getIndices());
  }
  void visitRule(tensor::EmptyOp op) { addDynamicSizes(op.getDynamicSizes()); }
  void visitRule(tensor::SplatOp op) { addDynamicSizes(op.getDynamicSizes()); }
  void visitRule(tensor::GenerateOp op) {
    addDynamicSizes(op.getDynamicExtents());
  }

  RuleBuilder &builder;
};

/// `size` is what the type of `result` says, if that is a number.
void TensorRules::addStatic(const MaybeSize &size, const Twine &what,
                            Value result, int64_t dim) {
  auto type = dyn_cast<RankedTensorType>(result.getType());
  if (type && !type.isDynamicDim(dim))
    builder.add(Kind::Equal, size, what, number(type.getDimSize(dim)),
                "result dimension " + Twine(dim));
}

void TensorRules::visitRule(tensor::CastOp op) {
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  for (int64_t d = 0, e = source ? source.getRank() : 0; d < e; ++d)
    addStatic(trace(op.getSource(), d), "source dimension " + Twine(d), op, d);
}

void TensorRules::visitRule(tensor::ExtractSliceOp op) {
  addSliceRules(builder, op.getSource(), "source", op.getMixedOffsets(),
                op.getMixedSizes(), op.getMixedStrides());
}

void TensorRules::visitRule(tensor::InsertSliceOp op) {
  addSliceRules(builder, op.getDest(), "destination", op.getMixedOffsets(),
                op.getMixedSizes(), op.getMixedStrides());
  llvm::SmallBitVector dropped = op.getDroppedDims();
  int64_t kept = 0;
  for (auto [d, size] : llvm::enumerate(op.getMixedSizes())) {
    if (dropped.test(d))
      continue;
    builder.add(Kind::Equal, trace(op.getSource(), kept),
                "source dimension " + Twine(kept), trace(size),
                "size " + Twine(d));
    ++kept;
  }
}

void TensorRules::visitRule(tensor::ExpandShapeOp op) {
  SmallVector<OpFoldResult> shape = op.getMixedOutputShape();
  for (OpFoldResult size : shape)
    builder.add(Kind::AtLeast, trace(size), "an output size", number(0),
                "a size");
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    SmallVector<OpFoldResult> sizes;
    for (int64_t dim : group)
      sizes.push_back(shape[dim]);
    builder.add(
        Kind::Equal, trace(op.getSrc(), d), "source dimension " + Twine(d),
        builder.tracer.traceProduct(sizes), "the product of the output sizes");
  }
}

void TensorRules::visitRule(tensor::ReshapeOp op) {
  auto source = dyn_cast<RankedTensorType>(op.getSource().getType());
  auto shape = cast<ShapedType>(op.getShape().getType());
  if (!source || !isa<RankedTensorType>(op.getType()) || shape.isDynamicDim(0))
    return;
  MaybeSize product = number(1);
  for (int64_t d = 0, e = shape.getDimSize(0); d < e; ++d) {
    MaybeSize size = builder.tracer.traceShapeElement(op.getShape(), d);
    builder.add(Kind::AtLeast, size, "shape element " + Twine(d), number(0),
                "a size");
    addStatic(size, "shape element " + Twine(d), op, d);
    product = combineSizes(Operator::Multiply, product, size);
  }
  auto dims = llvm::to_vector(llvm::seq<int64_t>(0, source.getRank()));
  builder.add(Kind::Equal, builder.tracer.traceProduct(op.getSource(), dims),
              "the number of elements", product, "the product of the shape");
}

void TensorRules::visitRule(tensor::PadOp op) {
  SmallVector<OpFoldResult> low = op.getMixedLowPad();
  SmallVector<OpFoldResult> high = op.getMixedHighPad();
  for (int64_t d = 0, e = op.getSourceType().getRank(); d < e; ++d) {
    builder.add(Kind::AtLeast, trace(low[d]), "low padding " + Twine(d),
                number(0), "a size");
    builder.add(Kind::AtLeast, trace(high[d]), "high padding " + Twine(d),
                number(0), "a size");
    MaybeSize around =
        combineSizes(Operator::Add, trace(low[d]), trace(high[d]));
    addStatic(combineSizes(Operator::Add, around, trace(op.getSource(), d)),
              "padded dimension " + Twine(d), op, d);
  }
}

void TensorRules::visitRule(tensor::ConcatOp op) {
  int64_t joined = op.getDim();
  MaybeSize sum = number(0);
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    for (int64_t d = 0, e = op.getRank(); d < e; ++d) {
      std::string name = ("input " + Twine(i) + " dimension " + Twine(d)).str();
      MaybeSize size = trace(input, d);
      if (d == joined) {
        sum = combineSizes(Operator::Add, sum, size);
      } else {
        builder.add(Kind::Equal, size, name, trace(op.getInputs().front(), d),
                    "input 0 dimension " + Twine(d));
        addStatic(size, name, op, d);
      }
    }
  addStatic(sum, "the sum of dimension " + Twine(joined), op, joined);
}

void TensorRules::addDynamicSizes(ValueRange sizes) {
  for (auto [i, size] : llvm::enumerate(sizes))
    builder.add(Kind::AtLeast, trace(OpFoldResult(size)),
                "dynamic size " + Twine(i), number(0), "a size");
}

void TensorRules::visit(Operation *op) {
  llvm::TypeSwitch<Operation *>(op)
      .Case<tensor::CastOp, tensor::ExtractSliceOp, tensor::InsertSliceOp,
            tensor::ExpandShapeOp, tensor::ReshapeOp, tensor::PadOp,
            tensor::ConcatOp, tensor::ExtractOp, tensor::InsertOp,
            tensor::EmptyOp, tensor::SplatOp, tensor::GenerateOp>(
          [&](auto op) { visitRule(op); });
}

} // namespace

void fpa::addSliceRules(RuleBuilder &builder, Value whole, StringRef name,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        ArrayRef<OpFoldResult> strides) {
  SizeTracer &tracer = builder.tracer;
  auto number = SizeExpression::ofNumber;
  for (auto [d, indices] :
       llvm::enumerate(llvm::zip_equal(offsets, sizes, strides))) {
    MaybeSize offset = tracer.traceIndex(std::get<0>(indices));
    MaybeSize size = tracer.traceIndex(std::get<1>(indices));
    MaybeSize stride = tracer.traceIndex(std::get<2>(indices));
    builder.add(Kind::AtLeast, offset, "offset " + Twine(d), number(0),
                "the first index");
    builder.add(Kind::AtLeast, size, "size " + Twine(d), number(0), "a size");
    builder.add(Kind::AtLeast, stride, "stride " + Twine(d), number(1),
                "a stride");
    MaybeSize last =
        combineSizes(Operator::Multiply,
                     combineSizes(Operator::Subtract, size, number(1)), stride);
    MaybeSize end = combineSizes(
        Operator::Add, combineSizes(Operator::Add, offset, last), number(1));
    MaybeSize any = combineSizes(Operator::Minimum, size, number(1));
    builder.add(Kind::AtLeast, tracer.traceSize(whole, d),
                name + " dimension " + Twine(d),
                combineSizes(Operator::Multiply, any, end),
                "the end of the slice");
  }
}

void fpa::addIndexRules(RuleBuilder &builder, Value whole, StringRef name,
                        ValueRange indices) {
  auto number = SizeExpression::ofNumber;
  for (auto [d, index] : llvm::enumerate(indices)) {
    MaybeSize traced = builder.tracer.traceIndex(OpFoldResult(index));
    builder.add(Kind::AtLeast, traced, "index " + Twine(d), number(0),
                "the first index");
    builder.add(Kind::AtLeast, builder.tracer.traceSize(whole, d),
                name + " dimension " + Twine(d),
                combineSizes(Operator::Add, traced, number(1)),
                "it holds the index");
  }
}

bool fpa::alwaysRuns(Operation *op) {
  auto function = dyn_cast<func::FuncOp>(op->getParentOp());
  return function && op->getBlock() == &function.getBody().front();
}

void fpa::addTensorRules(Operation *op, RuleBuilder &builder) {
  if (alwaysRuns(op))
    TensorRules(builder).visit(op);
}
