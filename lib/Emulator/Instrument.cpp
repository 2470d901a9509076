//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Instrument.h"
#include "InstructionClasses.h"
#include "Instrumenter.h"
#include "fpa/Support/Diagnostics.h"
#include "mlir/Analysis/CFGLoopInfo.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Error;
using llvm::Expected;

/// Words that a collective takes and gives at most: mma.sync has 4 + 2 + 4.
constexpr unsigned maxWords = 16;

Instrumenter::Instrumenter(InstrumentedKernels &result)
    : result(result), module(*result.module),
      builder(module.getLoc(), module.getContext()), layout(module),
      pointerType(LLVM::LLVMPointerType::get(module.getContext())),
      i32(builder.getI32Type()), i64(builder.getI64Type()) {}

Error Instrumenter::refuse(Operation *op, StringRef why) {
  std::string text = "function '" + function.getName().str() +
                     "': the emulator does not know '" +
                     op->getName().getStringRef().str() + "'";
  if (!why.empty())
    text += " " + why.str();
  return makeError(op->getLoc(), text);
}

Site Instrumenter::makeSite(Operation *op, SiteKind kind) {
  Site site;
  site.kind = kind;
  site.location = formatLocation(op->getLoc());
  site.op = op->getName().getStringRef().str();
  site.function = function.getName().str();
  return site;
}

Value Instrumenter::constant(int64_t value, unsigned bits) {
  Type type = builder.getIntegerType(bits);
  return LLVM::ConstantOp::create(builder, type,
                                  builder.getIntegerAttr(type, value));
}

/// The code runs in this process, and the site lives as long as the code.
Value Instrumenter::makeSiteAddress(const Site &site) {
  result.sites.push_back(site);
  auto address = reinterpret_cast<intptr_t>(&result.sites.back());
  return LLVM::IntToPtrOp::create(builder, pointerType, constant(address, 64));
}

Value Instrumenter::callHook(StringRef name, Type type, ValueRange operands) {
  auto hook = module.lookupSymbol<LLVM::LLVMFuncOp>(name);
  if (!hook) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(module.getBody());
    Type returned = type ? type : LLVM::LLVMVoidType::get(builder.getContext());
    hook = LLVM::LLVMFuncOp::create(
        builder, name,
        LLVM::LLVMFunctionType::get(returned,
                                    llvm::to_vector(operands.getTypes())));
  }
  auto call = LLVM::CallOp::create(builder, hook, operands);
  return type ? call.getResult() : Value();
}

Value Instrumenter::loadView(Type type, size_t offset) {
  Value address = LLVM::GEPOp::create(
      builder, pointerType, builder.getI8Type(), thread,
      ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(offset))});
  return LLVM::LoadOp::create(builder, type, address);
}

Value Instrumenter::toGenericPointer(Value pointer) {
  if (pointer.getType() == pointerType)
    return pointer;
  return LLVM::AddrSpaceCastOp::create(builder, pointerType, pointer);
}

Error Instrumenter::checkGlobals() {
  for (auto global : module.getOps<LLVM::GlobalOp>()) {
    if (global.getAddrSpace() == 3)
      continue;
    if (!global.getConstant())
      return makeError(global.getLoc(),
                       "variable '" + global.getName().str() +
                           "': expected constants and shared memory alone");
    global.setAddrSpace(0);
    // Its address is asked for.
    global.setLinkage(LLVM::Linkage::External);
    result.constants.push_back(
        {global.getName().str(),
         int64_t(layout.getTypeSize(global.getGlobalType()))});
  }
  return Error::success();
}

int64_t Instrumenter::layOutShared(LLVM::LLVMFuncOp function, int64_t offset) {
  function.walk([&](LLVM::AddressOfOp address) {
    auto global = module.lookupSymbol<LLVM::GlobalOp>(address.getGlobalName());
    if (!global || global.getAddrSpace() != 3 ||
        sharedOffsets.contains(global.getName()))
      return;
    int64_t bytes = layout.getTypeSize(global.getGlobalType());
    if (bytes)
      offset = llvm::alignTo(offset, global.getAlignment().value_or(16));
    sharedOffsets[global.getName()] = bytes ? offset : 0;
    offset += bytes;
  });
  return llvm::alignTo(offset, 16);
}

void Instrumenter::countBlock(Block &block, unsigned index) {
  BlockCount count;
  count.kernel = function.getName().str();
  count.index = index;
  for (Operation &op : block) {
    if (count.location.empty())
      count.location = formatLocation(op.getLoc());
    countInstructions(&op, layout, count.instructions);
  }
  result.blocks.push_back(std::move(count));
}

void Instrumenter::findLoops(size_t firstBlock) {
  Region &body = function.getBody();
  if (body.hasOneBlock())
    return;
  DominanceInfo dominance(function);
  CFGLoopInfo loops(dominance.getDomTree(&body));
  llvm::DenseMap<Block *, unsigned> numbers;
  for (auto [index, block] : llvm::enumerate(body))
    numbers[&block] = index;
  for (auto [block, index] : numbers)
    if (CFGLoop *loop = loops.getLoopFor(block)) {
      BlockCount &count = result.blocks[firstBlock + index];
      count.loop = numbers[loop->getHeader()];
      count.isLatch = loop->isLoopLatch(block);
    }
}

Error Instrumenter::checkOps(LLVM::LLVMFuncOp function) {
  Operation *unknown = nullptr;
  function.walk([&](Operation *op) {
    if (op != function &&
        !isa<LLVM::LLVMDialect, NVVM::NVVMDialect>(op->getDialect())) {
      unknown = op;
      return WalkResult::interrupt();
    }
    return WalkResult::advance();
  });
  return unknown ? refuse(unknown) : Error::success();
}

/// Attributes of the GPU's dialects mean nothing on the host.
static void dropForeignAttributes(LLVM::LLVMFuncOp function) {
  auto isForeign = [](NamedAttribute attribute) {
    StringRef name = attribute.getName().getValue();
    return name.starts_with("nvvm.") || name.starts_with("gpu.");
  };
  SmallVector<StringAttr> names;
  for (NamedAttribute attribute : function->getDiscardableAttrs())
    if (isForeign(attribute))
      names.push_back(attribute.getName());
  for (StringAttr name : names)
    function->removeDiscardableAttr(name);
  function.removeArgAttrsAttr();
}

static int64_t getKnownThreads(LLVM::LLVMFuncOp function) {
  int64_t threads = 1;
  for (StringRef name :
       {"nvvm.reqntid", "known_block_size", "gpu.known_block_size"})
    if (auto sizes = function->getAttrOfType<DenseI32ArrayAttr>(name)) {
      for (int32_t size : sizes.asArrayRef())
        threads *= size;
      return threads;
    }
  return 0;
}

static bool isKernel(LLVM::LLVMFuncOp function) {
  return function->hasAttr("gpu.kernel") || function->hasAttr("nvvm.kernel");
}

Error Instrumenter::rewriteFunction(LLVM::LLVMFuncOp function) {
  this->function = function;
  if (Error error = checkOps(function))
    return error;
  dropForeignAttributes(function);
  function.setLinkage(LLVM::Linkage::Internal);
  function.setVisibility_(LLVM::Visibility::Default);

  size_t firstBlock = result.blocks.size();
  for (auto [index, block] : llvm::enumerate(function.getBody()))
    countBlock(block, index);
  findLoops(firstBlock);
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) { ops.push_back(op); });

  Block &entry = function.getBody().front();
  builder.setInsertionPointToStart(&entry);
  builder.setLoc(function.getLoc());
  thread = callHook("fpa_emulator_thread", pointerType, {});
  Value words = constant(maxWords, 64);
  operandWords = LLVM::AllocaOp::create(builder, pointerType, i32, words, 8);
  resultWords = LLVM::AllocaOp::create(builder, pointerType, i32, words, 8);
  Value counts = loadView(pointerType, offsetof(ThreadView, counts));
  Operation *last = counts.getDefiningOp();

  for (Operation *op : ops) {
    if (op == function)
      continue;
    builder.setInsertionPoint(op);
    builder.setLoc(op->getLoc());
    Error error = Error::success();
    bool known = rewriteStack(op) || rewriteMemory(op, error) ||
                 rewriteCopies(op, error) || rewriteCollective(op, error) ||
                 rewriteMatrices(op, error) || rewriteScalar(op, error);
    if (error)
      return error;
    if (!known)
      return refuse(op);
  }
  for (auto [index, block] : llvm::enumerate(function.getBody())) {
    if (index == 0)
      builder.setInsertionPointAfter(last);
    else
      builder.setInsertionPointToStart(&block);
    builder.setLoc(function.getLoc());
    Value place = LLVM::GEPOp::create(
        builder, pointerType, i64, counts,
        ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(int32_t(firstBlock + index))});
    Value count = LLVM::LoadOp::create(builder, i64, place);
    Value more = LLVM::AddOp::create(builder, count, constant(1, 64));
    LLVM::StoreOp::create(builder, more, place);
  }
  return Error::success();
}

Error Instrumenter::run() {
  for (Operation &op : module.getOps())
    if (!isa<LLVM::LLVMFuncOp, LLVM::GlobalOp>(op))
      return makeError(op.getLoc(),
                       "expected functions and variables of the llvm dialect "
                       "in a module of kernels, got '" +
                           op.getName().getStringRef().str() + "'");
  if (Error error = checkGlobals())
    return error;
  if (Error error = layOutStack())
    return error;
  // A kernel has its own variables; those of other functions have one place in
  // all kernels.
  auto functions = llvm::to_vector(module.getOps<LLVM::LLVMFuncOp>());
  int64_t common = 0;
  for (LLVM::LLVMFuncOp function : functions)
    if (!isKernel(function))
      common = layOutShared(function, common);
  const llvm::StringMap<int64_t> commonOffsets = sharedOffsets;
  for (LLVM::LLVMFuncOp function : functions) {
    if (function.isExternal())
      continue;
    // Several kernels may name one variable; each has its own.
    sharedOffsets = commonOffsets;
    if (isKernel(function))
      result.kernels.push_back(
          {function.getName().str(), function.getNumArguments(),
           getKnownThreads(function), layOutShared(function, common)});
    if (Error error = rewriteFunction(function))
      return error;
  }
  for (auto global :
       llvm::make_early_inc_range(module.getOps<LLVM::GlobalOp>()))
    if (global.getAddrSpace() == 3)
      global.erase();
  return Error::success();
}

Expected<InstrumentedKernels>
mlir::fpa::instrumentKernels(gpu::GPUModuleOp kernels) {
  InstrumentedKernels result;
  result.module = ModuleOp::create(kernels.getLoc());
  OpBuilder builder(result.module->getBodyRegion());
  for (Operation &op : kernels.getBodyRegion().front())
    builder.clone(op);
  if (Error error = Instrumenter(result).run())
    return std::move(error);
  return std::move(result);
}
