//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/IR/CreateGeneric.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Reference/Reference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_CONVERTFPATOREFERENCE
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;
using reference::Present;

namespace {
/// Replaces one op on tensors by a call of a reference function. Inputs and
/// outputs go as unranked memrefs, outputs in new memory.
class ReferenceCall {
public:
  ReferenceCall(RewriterBase &rewriter, Operation *op)
      : rewriter(rewriter), op(op), loc(op->getLoc()) {}

  /// An input, or an empty memref where there is none.
  void input(Value tensor, Type element) {
    if (!tensor)
      return absentOperand(element);
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<int64_t> strides(type.getRank(), ShapedType::kDynamic);
    auto layout = StridedLayoutAttr::get(rewriter.getContext(),
                                         ShapedType::kDynamic, strides);
    auto buffer = bufferization::ToBufferOp::create(
        rewriter, loc,
        MemRefType::get(type.getShape(), type.getElementType(), layout), tensor,
        /*readOnly=*/true);
    unranked(buffer);
  }

  /// An output with the sizes of `init`.
  void output(Value init, Type element) {
    if (!init)
      return absentOperand(element);
    auto type = cast<RankedTensorType>(init.getType());
    SmallVector<Value> sizes;
    for (int64_t d = 0, e = type.getRank(); d < e; ++d)
      if (type.isDynamicDim(d))
        sizes.push_back(tensor::DimOp::create(rewriter, loc, init, d));
    Value buffer = memref::AllocOp::create(
        rewriter, loc, MemRefType::get(type.getShape(), type.getElementType()),
        sizes);
    unranked(buffer);
    outputs.push_back(buffer);
  }

  /// Zeros written into `init`.
  Value zeros(Value init) { return fillWithZero(rewriter, loc, init); }

  void number(int64_t value) {
    arguments.push_back(arith::ConstantOp::create(
        rewriter, loc, rewriter.getI64IntegerAttr(value)));
  }
  void number(double value) {
    arguments.push_back(arith::ConstantOp::create(
        rewriter, loc, rewriter.getF64FloatAttr(value)));
  }
  /// The element of a tensor of rank 0.
  void element(Value tensor) {
    arguments.push_back(
        tensor::ExtractOp::create(rewriter, loc, tensor, ValueRange()));
  }
  void value(Value value) { arguments.push_back(value); }

  /// `others` are the results that follow those of the call.
  void replaceOp(StringRef name, ArrayRef<Value> others = {}) {
    declare(name);
    func::CallOp::create(rewriter, loc, name, TypeRange(), arguments);
    SmallVector<Value> results;
    for (auto [buffer, result] : llvm::zip(outputs, op->getResults()))
      // Not writable: another call may read the buffer itself later, where
      // bufferization sees no use of the tensor.
      results.push_back(bufferization::ToTensorOp::create(
          rewriter, loc, result.getType(), buffer, /*restrict=*/true,
          /*writable=*/false));
    llvm::append_range(results, others);
    rewriter.replaceOp(op, results);
  }

private:
  /// The reference takes every operand: an empty memref is one that is absent.
  void absentOperand(Type element) {
    unranked(
        memref::AllocaOp::create(rewriter, loc, MemRefType::get({0}, element)));
  }

  void unranked(Value memref) {
    Type element = cast<MemRefType>(memref.getType()).getElementType();
    arguments.push_back(memref::CastOp::create(
        rewriter, loc, UnrankedMemRefType::get(element, 0), memref));
  }

  void declare(StringRef name) {
    auto module = op->getParentOfType<ModuleOp>();
    if (module.lookupSymbol(name))
      return;
    OpBuilder::InsertionGuard guard(rewriter);
    rewriter.setInsertionPointToStart(module.getBody());
    auto function = func::FuncOp::create(
        rewriter, module.getLoc(), name,
        rewriter.getFunctionType(ValueRange(arguments).getTypes(), {}));
    function.setPrivate();
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(),
                      rewriter.getUnitAttr());
  }

  RewriterBase &rewriter;
  Operation *op;
  Location loc;
  SmallVector<Value> arguments, outputs;
};
} // namespace

static int64_t flag(bool is, Present bit) { return is ? int64_t(bit) : 0; }

/// Operands of attention and of its gradients that come first.
static void addInputs(AttentionOpInterface op, ReferenceCall &call, Type f64,
                      Type i64) {
  for (Value tensor : {op.getQuery(), op.getKey(), op.getValue(), op.getField(),
                       op.getLevel()})
    call.input(tensor, f64);
  call.input(op.getCuSeqlensQ(), i64);
  call.input(op.getCuSeqlensK(), i64);
}

/// Options of attention and of its gradients, which come last. `present`: bits
/// for what only one of the two has.
static void addOptions(AttentionOpInterface op, ReferenceCall &call,
                       int64_t present) {
  call.number(present | flag(bool(op.getField()), Present::kField) |
              flag(bool(op.getLevel()), Present::kLevel) |
              flag(op.isPacked(), Present::kCuSeqlens) |
              flag(op.getWindow().has_value(), Present::kWindow) |
              flag(op.isSmooth(), Present::kSmooth));
  call.number(op.getScaleValue());
  call.number(int64_t(op.getWindow().value_or(0)));
  if (Value beta = op.getBeta())
    call.element(beta);
  else
    call.number(op.getSmooth() ? op.getSmooth()->convertToDouble() : 0.0);
}

static void convert(AttentionOp op, ReferenceCall &call, Type f64, Type i64) {
  addInputs(op, call, f64, i64);
  call.output(op.getOutput(), f64);
  call.output(op.getLse(), f64);
  addOptions(op, call, flag(bool(op.getLse()), Present::kLse));
  // The reference leaves nothing out.
  SmallVector<Value> zeros;
  for (Value out : op.getOuts().drop_front(op.getLse() ? 2 : 1))
    zeros.push_back(call.zeros(out));
  call.replaceOp("fpa_reference_attention", zeros);
}

static void convert(AttentionBackwardOp op, ReferenceCall &call, Type f64,
                    Type i64) {
  addInputs(op, call, f64, i64);
  call.input(op.getOutput(), f64);
  call.input(op.getLse(), f64);
  call.input(op.getOutputGradient(), f64);
  call.input(op.getLseGradient(), f64);
  for (Value init :
       {op.getQueryGradient(), op.getKeyGradient(), op.getValueGradient(),
        op.getFieldGradient(), op.getLevelGradient()})
    call.output(init, f64);
  addOptions(op, call,
             flag(bool(op.getLseGradient()), Present::kLseGradient) |
                 flag(bool(op.getFieldGradient()), Present::kFieldGradient) |
                 flag(bool(op.getLevelGradient()), Present::kLevelGradient));
  // The reference leaves nothing out.
  SmallVector<Value> zeros;
  for (Value out : op.getNumbers())
    zeros.push_back(call.zeros(out));
  call.replaceOp("fpa_reference_attention_backward", zeros);
}

template <typename Op>
static void addScanOptions(Op op, ReferenceCall &call, bool hasIndex) {
  call.number(flag(hasIndex, Present::kIndex) |
              flag(op.getReverse(), Present::kReverse) |
              flag(op.getExclusive(), Present::kExclusive) |
              flag(op.getSegment().has_value(), Present::kSegment));
  call.number(int64_t(op.getAxis()));
  call.number(int64_t(op.getSegment().value_or(0)));
}

static void convert(PrefixMinOp op, ReferenceCall &call, Type f64, Type i64) {
  call.input(op.getInput(), f64);
  call.output(op.getOutput(), f64);
  call.output(op.getIndex(), i64);
  addScanOptions(op, call, bool(op.getIndex()));
  call.replaceOp("fpa_reference_prefix_min");
}

static void convert(PrefixMinBackwardOp op, ReferenceCall &call, Type f64,
                    Type i64) {
  call.input(op.getIndex(), i64);
  call.input(op.getGradient(), f64);
  call.output(op.getOuts()[0], f64);
  call.number(int64_t(op.getAxis()));
  call.replaceOp("fpa_reference_prefix_min_backward");
}

static void convert(PrefixSumOp op, ReferenceCall &call, Type f64) {
  call.input(op.getInput(), f64);
  call.output(op.getOuts()[0], f64);
  addScanOptions(op, call, /*hasIndex=*/false);
  call.replaceOp("fpa_reference_prefix_sum");
}

static void convert(KeyIntervalsOp op, ReferenceCall &call, Type i64) {
  call.value(op.getKeyLength());
  call.input(op.getCuSeqlensQ(), i64);
  call.input(op.getCuSeqlensK(), i64);
  call.output(op.getOuts()[0], i64);
  call.output(op.getOuts()[1], i64);
  call.number(flag(bool(op.getCuSeqlensQ()), Present::kCuSeqlens) |
              flag(op.getWindow().has_value(), Present::kWindow));
  call.number(int64_t(op.getWindow().value_or(0)));
  call.replaceOp("fpa_reference_key_intervals");
}

/// The reference knows float64 on tensors, and is called from functions.
static LogicalResult verifyOperands(Operation *op) {
  for (Type type : op->getOperandTypes()) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (shaped && (!isa<RankedTensorType>(type) ||
                   !(shaped.getElementType().isF64() ||
                     shaped.getElementType().isInteger(64))))
      return op->emitOpError("expected ranked tensors of f64 or i64, got ")
             << type;
  }
  return success();
}

namespace {
struct ConvertFpaToReference
    : public fpa::impl::ConvertFpaToReferenceBase<ConvertFpaToReference> {
  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa<AttentionOp, AttentionBackwardOp, PrefixMinOp,
              PrefixMinBackwardOp, PrefixSumOp, KeyIntervalsOp>(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    Type f64 = rewriter.getF64Type(), i64 = rewriter.getI64Type();
    for (Operation *op : ops) {
      if (failed(verifyOperands(op)))
        return signalPassFailure();
      rewriter.setInsertionPoint(op);
      ReferenceCall call(rewriter, op);
      if (auto attention = dyn_cast<AttentionOp>(op))
        convert(attention, call, f64, i64);
      else if (auto backward = dyn_cast<AttentionBackwardOp>(op))
        convert(backward, call, f64, i64);
      else if (auto prefixMin = dyn_cast<PrefixMinOp>(op))
        convert(prefixMin, call, f64, i64);
      else if (auto backward = dyn_cast<PrefixMinBackwardOp>(op))
        convert(backward, call, f64, i64);
      else if (auto prefixSum = dyn_cast<PrefixSumOp>(op))
        convert(prefixSum, call, f64);
      else
        convert(cast<KeyIntervalsOp>(op), call, i64);
    }
  }
};
} // namespace
