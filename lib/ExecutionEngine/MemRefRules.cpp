//===- MemRefRules.cpp - Sizes that the memref dialect's ops need ---------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where these do not hold the program reads or writes beyond its memory.
//
//===----------------------------------------------------------------------===//

#include "RuleBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Twine;
using Kind = ShapeRules::Kind;

static void addCopy(memref::CopyOp op, RuleBuilder &builder) {
  auto type = dyn_cast<MemRefType>(op.getSource().getType());
  for (int64_t d = 0, e = type ? type.getRank() : 0; d < e; ++d)
    builder.add(Kind::Equal, builder.tracer.traceSize(op.getTarget(), d),
                "target dimension " + Twine(d),
                builder.tracer.traceSize(op.getSource(), d),
                "source dimension " + Twine(d));
}

static void addCast(memref::CastOp op, RuleBuilder &builder) {
  auto source = dyn_cast<MemRefType>(op.getSource().getType());
  auto result = dyn_cast<MemRefType>(op.getType());
  for (int64_t d = 0, e = source && result ? source.getRank() : 0; d < e; ++d)
    if (!result.isDynamicDim(d))
      builder.add(Kind::Equal, builder.tracer.traceSize(op.getSource(), d),
                  "source dimension " + Twine(d),
                  SizeExpression::ofNumber(result.getDimSize(d)),
                  "result dimension " + Twine(d));
}

static void addSubview(memref::SubViewOp op, RuleBuilder &builder) {
  addSliceRules(builder, op.getSource(), "source", op.getMixedOffsets(),
                op.getMixedSizes(), op.getMixedStrides());
}

static void addSizes(ValueRange sizes, RuleBuilder &builder) {
  for (auto [i, size] : llvm::enumerate(sizes))
    builder.add(Kind::AtLeast, builder.tracer.traceIndex(OpFoldResult(size)),
                "dynamic size " + Twine(i), SizeExpression::ofNumber(0),
                "a size");
}

void fpa::addMemRefRules(Operation *op, RuleBuilder &builder) {
  if (!alwaysRuns(op))
    return;
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](memref::CopyOp op) { addCopy(op, builder); })
      .Case([&](memref::CastOp op) { addCast(op, builder); })
      .Case([&](memref::SubViewOp op) { addSubview(op, builder); })
      .Case([&](memref::LoadOp op) {
        addIndexRules(builder, op.getMemRef(), "memref", op.getIndices());
      })
      .Case([&](memref::StoreOp op) {
        addIndexRules(builder, op.getMemRef(), "memref", op.getIndices());
      })
      .Case<memref::AllocOp, memref::AllocaOp>(
          [&](auto op) { addSizes(op.getDynamicSizes(), builder); });
}
