//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Conversion/FpaToLLVM/FpaToLLVM.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/LoweringOptions.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir::fpa {
#define GEN_PASS_DEF_CONVERTFPATOLLVM
#include "fpa/Conversion/Passes.h.inc"
} // namespace mlir::fpa

using namespace mlir;

namespace {
constexpr StringLiteral kParallelFor = "fpa_parallel_for";

// Declarations and calls are those of the func dialect: the callee may not be
// lowered yet, and upstream's func-to-llvm lowers all of them alike.

/// `void fpa_parallel_for(int64_t, void (*)(int64_t, void *), void *)`.
void declareParallelFor(OpBuilder &builder, ModuleOp module) {
  // Another call may have been lowered before, its function too.
  if (module.lookupSymbol(kParallelFor))
    return;
  Type pointer = LLVM::LLVMPointerType::get(module.getContext());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(module.getBody());
  func::FuncOp::create(
      builder, module.getLoc(), kParallelFor,
      builder.getFunctionType({builder.getIndexType(), pointer, pointer}, {}))
      .setPrivate();
}

/// `void trampoline(int64_t index, void *captures)`: calls the callee of `op`
/// with the index and the fields of `captures`. One for each callee.
void createTrampoline(OpBuilder &builder, fpa::ParallelCallOp op,
                      StringRef name, FunctionType type,
                      LLVM::LLVMStructType captures) {
  auto module = op->getParentOfType<ModuleOp>();
  if (module.lookupSymbol(name))
    return;
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(builder, loc, name, type);
  function.setPrivate();
  function->setAttr(
      "llvm.linkage",
      LLVM::LinkageAttr::get(module.getContext(), LLVM::Linkage::Internal));
  Block *entry = function.addEntryBlock();
  builder.setInsertionPointToStart(entry);
  SmallVector<Value> arguments{entry->getArgument(0)};
  Value packed;
  if (!captures.getBody().empty())
    packed =
        LLVM::LoadOp::create(builder, loc, captures, entry->getArgument(1));
  for (auto [i, type] : llvm::enumerate(op.getArgs().getTypes())) {
    Value field =
        LLVM::ExtractValueOp::create(builder, loc, packed, int64_t(i));
    if (field.getType() != type)
      field = UnrealizedConversionCastOp::create(builder, loc, type, field)
                  .getResult(0);
    arguments.push_back(field);
  }
  func::CallOp::create(builder, loc, op.getCalleeAttr(), TypeRange(),
                       arguments);
  func::ReturnOp::create(builder, loc);
}

struct ParallelCallLowering : ConvertOpToLLVMPattern<fpa::ParallelCallOp> {
  using ConvertOpToLLVMPattern::ConvertOpToLLVMPattern;

  LogicalResult
  matchAndRewrite(fpa::ParallelCallOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    if (getTypeConverter()->getIndexTypeBitwidth() != 64)
      return rewriter.notifyMatchFailure(op, "expected a 64-bit index type");
    if (!op->getParentOfType<FunctionOpInterface>())
      return rewriter.notifyMatchFailure(op, "expected to be in a function");
    Location loc = op.getLoc();
    ValueRange fields = adaptor.getArgs();
    auto captures = LLVM::LLVMStructType::getLiteral(
        getContext(), llvm::to_vector(fields.getTypes()));
    Value context = packCaptures(op, captures, fields, rewriter);
    std::string name = ("fpa_trampoline_" + op.getCallee()).str();
    FunctionType type = rewriter.getFunctionType(
        {rewriter.getIndexType(), context.getType()}, {});
    declareParallelFor(rewriter, op->getParentOfType<ModuleOp>());
    createTrampoline(rewriter, op, name, type, captures);

    Value entry = func::ConstantOp::create(rewriter, loc, type, name);
    entry = UnrealizedConversionCastOp::create(rewriter, loc, context.getType(),
                                               entry)
                .getResult(0);
    func::CallOp::create(rewriter, loc, kParallelFor, TypeRange(),
                         ValueRange{op.getCount(), entry, context});
    rewriter.eraseOp(op);
    return success();
  }

  /// Stores the fields on the stack. The slot is made where the function
  /// begins, so that a call in a loop does not make the stack grow.
  Value packCaptures(fpa::ParallelCallOp op, LLVM::LLVMStructType captures,
                     ValueRange fields,
                     ConversionPatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    Type pointer = LLVM::LLVMPointerType::get(getContext());
    if (fields.empty())
      return LLVM::ZeroOp::create(rewriter, loc, pointer);
    Value slot;
    {
      OpBuilder::InsertionGuard guard(rewriter);
      auto function = op->getParentOfType<FunctionOpInterface>();
      rewriter.setInsertionPointToStart(&function.getFunctionBody().front());
      Value one =
          LLVM::ConstantOp::create(rewriter, loc, rewriter.getI64Type(), 1);
      slot = LLVM::AllocaOp::create(rewriter, loc, pointer, captures, one);
    }
    Value packed = LLVM::PoisonOp::create(rewriter, loc, captures);
    for (auto [i, field] : llvm::enumerate(fields))
      packed =
          LLVM::InsertValueOp::create(rewriter, loc, packed, field, int64_t(i));
    LLVM::StoreOp::create(rewriter, loc, packed, slot);
    return slot;
  }
};

struct ConvertFpaToLLVM
    : public fpa::impl::ConvertFpaToLLVMBase<ConvertFpaToLLVM> {
  void runOnOperation() override {
    LLVMTypeConverter converter(&getContext());
    RewritePatternSet patterns(&getContext());
    fpa::populateFpaToLLVMConversionPatterns(converter, patterns);
    LLVMConversionTarget target(getContext());
    target.addIllegalOp<fpa::ParallelCallOp>();
    target.addLegalDialect<func::FuncDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};

struct FpaToLLVMInterface : ConvertToLLVMPatternInterface {
  using ConvertToLLVMPatternInterface::ConvertToLLVMPatternInterface;

  void loadDependentDialects(MLIRContext *context) const override {
    context->loadDialect<LLVM::LLVMDialect, func::FuncDialect>();
  }

  void populateConvertToLLVMConversionPatterns(
      ConversionTarget &target, LLVMTypeConverter &typeConverter,
      RewritePatternSet &patterns) const override {
    target.addIllegalOp<fpa::ParallelCallOp>();
    // Between a function value and its address, until the value is lowered.
    target.addLegalOp<UnrealizedConversionCastOp>();
    fpa::populateFpaToLLVMConversionPatterns(typeConverter, patterns);
  }
};
} // namespace

void fpa::populateFpaToLLVMConversionPatterns(
    const LLVMTypeConverter &converter, RewritePatternSet &patterns) {
  patterns.add<ParallelCallLowering>(converter);
}

void fpa::registerConvertFpaToLLVMInterface(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *, FpaDialect *dialect) {
    dialect->addInterfaces<FpaToLLVMInterface>();
  });
}
