//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernel.h"
#include "Distribute.h"
#include "fpa/Support/KernelModule.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace mlir::fpa;
using namespace mlir::fpa::simt;

namespace {
/// What a kernel is given: the bounds of the loop and what its body uses.
class Captures {
public:
  explicit Captures(scf::ForallOp forall) {
    llvm::SetVector<Value> used;
    getUsedValuesDefinedAbove(forall.getRegion(), used);
    for (Value bound : forall.getDynamicUpperBound())
      used.insert(bound);
    for (Value value : used) {
      Operation *op = value.getDefiningOp();
      (op && op->hasTrait<OpTrait::ConstantLike>() ? constants : arguments)
          .push_back(value);
    }
  }
  SmallVector<Value> constants, arguments;
};
} // namespace

static mlir::gpu::GPUFuncOp createFunction(scf::ForallOp forall,
                                           const Captures &captures,
                                           int64_t threads, bool hasProducts) {
  auto module = forall->getParentOfType<ModuleOp>();
  auto kernels = getKernelModule(module);
  module->setAttr(mlir::gpu::GPUDialect::getContainerModuleAttrName(),
                  UnitAttr::get(module.getContext()));
  OpBuilder b = OpBuilder::atBlockEnd(kernels.getBody());
  std::string base = "main";
  if (auto function = forall->getParentOfType<func::FuncOp>())
    base = function.getName().str();
  std::string name;
  for (int64_t number = 0; name.empty() || kernels.lookupSymbol(name); ++number)
    name = base + "_" + std::to_string(number);
  auto type = b.getFunctionType(
      llvm::map_to_vector(captures.arguments,
                          [](Value value) { return value.getType(); }),
      {});
  auto function = mlir::gpu::GPUFuncOp::create(b, forall.getLoc(), name, type);
  function->setAttr(mlir::gpu::GPUDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  function.setKnownBlockSizeAttr(
      b.getDenseI32ArrayAttr({int32_t(threads), 1, 1}));
  // Without this the assembler spills a few registers of scans so that more
  // blocks fit into a multiprocessor.
  if (!hasProducts)
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      b.getI32IntegerAttr(1));
  return function;
}

/// Says that a kernel needs more shared memory than there is, at the op that
/// made it so large, if there is one.
static LogicalResult refuse(scf::ForallOp forall, int64_t limit,
                            int64_t needed) {
  Operation *op = forall;
  StringRef remedy = "smaller tiles or fewer stages";
  forall.getBody()->walk([&](VectorScanOp scan) {
    op = scan;
    remedy = "a smaller chunk or fewer warps";
    return WalkResult::interrupt();
  });
  return op->emitOpError("expected a kernel of at most ")
         << limit << " bytes of shared memory, got one of " << needed << ": "
         << remedy << " would do";
}

LogicalResult fpa::simt::convertToKernel(scf::ForallOp forall,
                                         KernelShape shape,
                                         int64_t sharedLimit) {
  if (!forall.isNormalized() || forall.getNumResults() != 0)
    return forall.emitOpError(
        "expected a loop from 0 in steps of 1 on memrefs");
  Captures captures(forall);
  int64_t threads = 32 * shape.warps;
  bool hasProducts =
      forall.getBody()
          ->walk([](vector::ContractionOp) { return WalkResult::interrupt(); })
          .wasInterrupted();
  auto function = createFunction(forall, captures, threads, hasProducts);

  Location loc = forall.getLoc();
  OpBuilder b = OpBuilder::atBlockBegin(&function.getBody().front());
  Value id = mlir::gpu::ThreadIdOp::create(b, loc, mlir::gpu::Dimension::x);
  auto constant = [&](int64_t value) -> Value {
    return arith::ConstantIndexOp::create(b, loc, value);
  };
  Thread thread = Thread::create(b, loc, id);
  SharedMemory shared;
  auto space = mlir::gpu::AddressSpaceAttr::get(
      b.getContext(), mlir::gpu::AddressSpace::Workgroup);
  auto bytes = MemRefType::get({ShapedType::kDynamic}, b.getI8Type(),
                               AffineMap(), space);
  shared.base = mlir::gpu::DynamicSharedMemoryOp::create(b, loc, bytes);

  Distributor distributor(b, shape, thread, shared, hasProducts);
  distributor.planLeftOperands(forall.getRegion());
  for (Value value : captures.constants)
    b.clone(*value.getDefiningOp(), distributor.scalars);
  for (auto [value, argument] :
       llvm::zip_equal(captures.arguments, function.getArguments()))
    distributor.scalars.map(value, argument);

  // Blocks are numbered with the last dimension fastest.
  Value number = mlir::gpu::BlockIdOp::create(b, loc, mlir::gpu::Dimension::x);
  SmallVector<OpFoldResult> bounds = forall.getMixedUpperBound();
  for (int64_t dim = bounds.size() - 1; dim >= 0; --dim) {
    Value variable = number;
    if (dim > 0) {
      Value bound = isa<Attribute>(bounds[dim])
                        ? constant(*getConstantIntValue(bounds[dim]))
                        : distributor.scalars.lookup(cast<Value>(bounds[dim]));
      variable = arith::RemUIOp::create(b, loc, number, bound);
      number = arith::DivUIOp::create(b, loc, number, bound);
    }
    distributor.scalars.map(forall.getInductionVar(dim), variable);
  }
  if (failed(distributor.distributeBody(*forall.getBody())))
    return failure();
  if (sharedLimit != 0 && shared.getPeak() > sharedLimit)
    return refuse(forall, sharedLimit, shared.getPeak());
  b.setInsertionPointToEnd(&function.getBody().front());
  mlir::gpu::ReturnOp::create(b, loc);

  b.setInsertionPoint(forall);
  Value blocks = constant(1), one = blocks;
  for (OpFoldResult bound : bounds)
    blocks = b.createOrFold<arith::MulIOp>(
        loc, blocks,
        isa<Attribute>(bound) ? constant(*getConstantIntValue(bound))
                              : cast<Value>(bound));
  Value memory = arith::ConstantIntOp::create(b, loc, shared.getPeak(), 32);
  mlir::gpu::LaunchFuncOp::create(
      b, loc, function, mlir::gpu::KernelDim3{blocks, one, one},
      mlir::gpu::KernelDim3{constant(threads), one, one}, memory,
      captures.arguments);
  forall.erase();
  return success();
}
