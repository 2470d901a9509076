//===- Differentiate.cpp - Forward and backward of a function -------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function and its gradients are first written as one function, simplified,
// and then split: what depends on the gradients of the results is the backward.
//
//===----------------------------------------------------------------------===//

#include "Gradients.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Dominance.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/CSE.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_DIFFERENTIATE
#include "fpa/Dialect/Transforms/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;
using namespace mlir::fpa;

namespace {

/// What depends on `seeds` among the values of `block`.
llvm::DenseSet<Value> findDependents(Block &block, ValueRange seeds) {
  llvm::DenseSet<Value> values(seeds.begin(), seeds.end());
  for (Operation &op : block)
    if (usesAny(&op, values))
      values.insert_range(op.getResults());
  return values;
}

/// Ops that cost next to nothing or only lead back to an operand: the backward
/// computes them once more.
bool isCheap(Operation *op) {
  if (isa<tensor::EmptyOp, tensor::DimOp, tensor::CastOp, tensor::ExpandShapeOp,
          tensor::CollapseShapeOp, linalg::FillOp>(op) ||
      op->hasTrait<OpTrait::ConstantLike>())
    return true;
  return isPure(op) && op->getNumRegions() == 0 &&
         llvm::none_of(op->getResultTypes(), llvm::IsaPred<ShapedType>);
}

/// Makes the pair of functions of one function.
class Differentiation {
public:
  explicit Differentiation(func::FuncOp function)
      : function(function), rewriter(function.getContext()) {}

  LogicalResult run();

private:
  LogicalResult check();
  LogicalResult checkTypes();
  LogicalResult checkVaried(const llvm::DenseSet<Value> &varied,
                            ValueRange results);
  LogicalResult writeJoint();
  LogicalResult writeGradients(SmallVectorImpl<Value> &results);
  LogicalResult simplify(func::FuncOp target);
  void collectSaved();
  void save(Value value);
  func::FuncOp createFunction(StringRef suffix, TypeRange inputs,
                              TypeRange results);
  LogicalResult writeForward();
  void writeBackward();
  Value copy(Value value, IRMapping &copies);

  Block &getBody() { return joint.getBody().front(); }
  /// Of the function, then the gradients of its results.
  ValueRange getArguments() {
    return ValueRange(getBody().getArguments())
        .take_front(function.getNumArguments());
  }
  ValueRange getResultGradients() {
    return ValueRange(getBody().getArguments())
        .drop_front(function.getNumArguments());
  }
  /// Of the function, then the gradients of its arguments.
  ValueRange getResults() {
    return getBody().getTerminator()->getOperands().take_front(
        function.getNumResults());
  }
  ValueRange getArgumentGradients() {
    return getBody().getTerminator()->getOperands().drop_front(
        function.getNumResults());
  }
  bool isBackward(Operation *op) {
    return llvm::any_of(op->getResults(),
                        [&](Value result) { return later.contains(result); });
  }

  func::FuncOp function;
  IRRewriter rewriter;
  /// The function with gradients: of its results as further arguments, of its
  /// arguments as further results.
  func::FuncOp joint;
  /// What depends on the gradients of the results.
  llvm::DenseSet<Value> later;
  /// What the backward takes as arguments beside those and the results of the
  /// function.
  llvm::SetVector<Value> saved;
};

LogicalResult Differentiation::check() {
  if (!llvm::hasSingleElement(function.getBody()))
    return function.emitOpError("expected a body of one block to "
                                "differentiate, got ")
           << function.getBody().getBlocks().size();
  if (failed(checkTypes()))
    return failure();
  auto module = function->getParentOfType<ModuleOp>();
  for (StringRef suffix : {"_forward", "_backward"}) {
    std::string name = (function.getName() + suffix).str();
    if (SymbolTable::lookupSymbolIn(module, name))
      return function.emitOpError("expected no function called '")
             << name << "', got one";
  }
  return success();
}

LogicalResult Differentiation::checkTypes() {
  for (Type type : function.getArgumentTypes()) {
    if (isa<BaseMemRefType>(type))
      return function.emitOpError("expected arguments to be tensors to "
                                  "differentiate, got ")
             << type;
    if (isa<UnrankedTensorType>(type))
      return function.emitOpError("expected arguments to differentiate to be "
                                  "ranked, got ")
             << type;
  }
  // The tensors that gradients are made in have none.
  auto isEncoded = [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getEncoding();
  };
  auto refuse = [](Operation *op, Type type) -> LogicalResult {
    return op->emitOpError("expected tensors without encoding to "
                           "differentiate, got ")
           << type;
  };
  for (Type type : function.getArgumentTypes())
    if (isEncoded(type))
      return refuse(function, type);
  for (Operation &op : function.getBody().front())
    for (Type type : op.getResultTypes())
      if (isEncoded(type))
        return refuse(&op, type);
  return success();
}

/// Refuses what depends on the arguments in a way that gradients cannot be
/// traced: through memory, or to a result that has no gradient.
LogicalResult Differentiation::checkVaried(const llvm::DenseSet<Value> &varied,
                                           ValueRange results) {
  for (Operation &op : getBody().without_terminator()) {
    if (isMemoryEffectFree(&op) || !usesAny(&op, varied))
      continue;
    if (isa<CallOpInterface>(op))
      return op.emitOpError("expected calls to be inlined before "
                            "differentiation, got one");
    return op.emitOpError("expected an op that depends on a tensor argument "
                          "to have no effect on memory, got one");
  }
  for (auto [i, result] : llvm::enumerate(results)) {
    Type type = result.getType();
    if (varied.contains(result) && !isFloatTensor(type) &&
        (isa<BaseMemRefType>(type) ||
         !getElementTypeOrSelf(type).isIntOrIndex()))
      return function.emitOpError("expected results that depend on a tensor "
                                  "argument to be ranked tensors of floats or "
                                  "integers, got ")
             << type << " as result " << i;
  }
  return success();
}

/// Whether an argument is beta of smooth penalties and nothing else: a number
/// of the definition, which has no gradient.
static bool isOnlySmooth(Value argument) {
  return !argument.use_empty() &&
         llvm::all_of(argument.getUses(), [](OpOperand &use) {
           auto op = dyn_cast<AttentionOp>(use.getOwner());
           return op && use.get() == op.getBeta();
         });
}

/// Writes the gradients' ops behind those of the joint function and appends the
/// arguments' gradients to `results`.
LogicalResult Differentiation::writeGradients(SmallVectorImpl<Value> &results) {
  SmallVector<Value> wanted;
  for (Value argument : getArguments())
    if (isFloatTensor(argument.getType()) && !isOnlySmooth(argument))
      wanted.push_back(argument);
  llvm::DenseSet<Value> varied = findVaried(
      getBody(), llvm::DenseSet<Value>(wanted.begin(), wanted.end()));
  if (failed(checkVaried(varied, results)))
    return failure();
  SmallVector<Operation *> ops;
  for (Operation &op : getBody().without_terminator())
    ops.push_back(&op);

  rewriter.setInsertionPoint(getBody().getTerminator());
  Gradients gradients(rewriter, varied);
  for (Value result : llvm::to_vector(results))
    if (isFloatTensor(result.getType()))
      gradients.add(result,
                    getBody().addArgument(result.getType(), result.getLoc()));
  for (Operation *op : llvm::reverse(ops)) {
    auto hasGradient = [&](Value result) {
      return bool(gradients.lookup(result));
    };
    if (llvm::any_of(op->getResults(), hasGradient) && usesAny(op, varied) &&
        failed(gradients.visit(op)))
      return failure();
  }
  for (Value argument : wanted) {
    Value gradient = gradients.lookup(argument);
    results.push_back(gradient ? gradient : gradients.zerosLike(argument));
  }
  return success();
}

LogicalResult Differentiation::writeJoint() {
  rewriter.setInsertionPointAfter(function);
  joint = cast<func::FuncOp>(rewriter.clone(*function));
  RewritePatternSet patterns(joint.getContext());
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  if (failed(applyPatternsGreedily(joint, std::move(patterns))))
    return failure();
  joint.walk([&](AttentionOp op) { addLse(op, rewriter); });

  auto returnOp = cast<func::ReturnOp>(getBody().getTerminator());
  SmallVector<Value> results(returnOp.getOperands());
  if (failed(writeGradients(results)))
    return failure();
  returnOp.getOperandsMutable().assign(results);
  joint.setFunctionType(rewriter.getFunctionType(
      getBody().getArgumentTypes(), ValueRange(results).getTypes()));
  return simplify(joint);
}

/// Takes sizes from arguments where that can be and drops what is not used: it
/// need not be saved.
LogicalResult Differentiation::simplify(func::FuncOp target) {
  MLIRContext *context = target.getContext();
  RewritePatternSet patterns(context);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
  linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
  tensor::DimOp::getCanonicalizationPatterns(patterns, context);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  if (failed(applyPatternsGreedily(target, std::move(patterns))))
    return failure();
  DominanceInfo dominance(target);
  eliminateCommonSubExpressions(rewriter, dominance, target);
  return success();
}

void Differentiation::save(Value value) {
  if (later.contains(value) || llvm::is_contained(getArguments(), value) ||
      llvm::is_contained(getResults(), value))
    return;
  Operation *op = value.getDefiningOp();
  if (!isCheap(op)) {
    saved.insert(value);
    return;
  }
  for (Value operand : op->getOperands())
    save(operand);
}

void Differentiation::collectSaved() {
  later = findDependents(getBody(), getResultGradients());
  for (Operation &op : getBody().without_terminator())
    if (isBackward(&op))
      op.walk([&](Operation *nested) {
        for (Value operand : nested->getOperands())
          if (operand.getParentBlock() == &getBody())
            save(operand);
      });
  for (Value gradient : getArgumentGradients())
    save(gradient);
}

/// A function like `function` with further arguments, empty so far.
func::FuncOp Differentiation::createFunction(StringRef suffix, TypeRange inputs,
                                             TypeRange results) {
  rewriter.setInsertionPoint(joint);
  auto created = func::FuncOp::create(
      rewriter, function.getLoc(), (function.getName() + suffix).str(),
      rewriter.getFunctionType(inputs, results));
  created.setVisibility(function.getVisibility());
  for (unsigned i = 0; i < function.getNumArguments(); ++i)
    created.setArgAttrs(i, function.getArgAttrDict(i));
  rewriter.setInsertionPointToStart(created.addEntryBlock());
  return created;
}

/// The function, with what is saved as further results.
LogicalResult Differentiation::writeForward() {
  SmallVector<Value> results(getResults());
  llvm::append_range(results, saved);
  func::FuncOp forward = createFunction("_forward", getArguments().getTypes(),
                                        ValueRange(results).getTypes());
  IRMapping copies;
  copies.map(getArguments(), forward.getArguments());
  for (Operation &op : getBody().without_terminator())
    if (!isBackward(&op))
      rewriter.clone(op, copies);
  for (Value &result : results)
    result = copies.lookup(result);
  func::ReturnOp::create(rewriter, function.getLoc(), results);
  // Zeros that gradients are added to depend on none.
  return simplify(forward);
}

/// A value in the backward, computed once more where it is not there.
Value Differentiation::copy(Value value, IRMapping &copies) {
  if (!copies.contains(value)) {
    Operation *op = value.getDefiningOp();
    for (Value operand : op->getOperands())
      copy(operand, copies);
    rewriter.clone(*op, copies);
  }
  return copies.lookup(value);
}

/// The gradients of the arguments from arguments, results, what is saved and
/// the gradients of the results.
void Differentiation::writeBackward() {
  SmallVector<Value> arguments(getArguments());
  llvm::append_range(arguments, getResults());
  llvm::append_range(arguments, saved);
  llvm::append_range(arguments, getResultGradients());
  func::FuncOp backward =
      createFunction("_backward", ValueRange(arguments).getTypes(),
                     getArgumentGradients().getTypes());
  IRMapping copies;
  for (auto [value, argument] : llvm::zip(arguments, backward.getArguments()))
    if (!copies.contains(value))
      copies.map(value, argument);
  for (Operation &op : getBody().without_terminator()) {
    if (!isBackward(&op))
      continue;
    op.walk([&](Operation *nested) {
      for (Value operand : nested->getOperands())
        if (operand.getParentBlock() == &getBody())
          copy(operand, copies);
    });
    rewriter.clone(op, copies);
  }
  SmallVector<Value> results;
  for (Value gradient : getArgumentGradients())
    results.push_back(copy(gradient, copies));
  func::ReturnOp::create(rewriter, function.getLoc(), results);
}

LogicalResult Differentiation::run() {
  if (failed(check()))
    return failure();
  LogicalResult written = writeJoint();
  if (succeeded(written)) {
    collectSaved();
    written = writeForward();
    writeBackward();
  }
  rewriter.eraseOp(joint);
  return written;
}

struct Differentiate : public fpa::impl::DifferentiateBase<Differentiate> {
  using DifferentiateBase::DifferentiateBase;

  /// The functions named, or those with attention.
  LogicalResult findFunctions(SmallVectorImpl<func::FuncOp> &found) {
    for (const std::string &name : functions) {
      auto function = getOperation().lookupSymbol<func::FuncOp>(name);
      if (!function || function.isExternal())
        return emitError(getOperation().getLoc(),
                         "expected a function called '")
               << name << "' with a body, got none";
      found.push_back(function);
    }
    if (functions.empty())
      for (auto function : getOperation().getOps<func::FuncOp>())
        if (function.walk([](AttentionOp) { return WalkResult::interrupt(); })
                .wasInterrupted())
          found.push_back(function);
    return success();
  }

  void runOnOperation() override {
    SmallVector<func::FuncOp> found;
    if (failed(findFunctions(found)))
      return signalPassFailure();
    for (func::FuncOp function : found)
      if (failed(Differentiation(function).run()))
        return signalPassFailure();
  }
};

} // namespace
