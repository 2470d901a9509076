//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Target/HostTranslation.h"
#include "HostBuilder.h"
#include "fpa/Support/Diagnostics.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;
using runtime::ArgumentType;

static std::optional<runtime::ElementType> getElement(Type type) {
  std::string name;
  llvm::raw_string_ostream(name) << type;
  runtime::ElementType element;
  if (!runtime::parseElementType(name, element))
    return std::nullopt;
  return element;
}

static Expected<runtime::ArrayType> getArrayType(Location loc, Type type,
                                                 const Twine &what) {
  auto memref = dyn_cast<MemRefType>(type);
  std::optional<runtime::ElementType> element =
      memref ? getElement(memref.getElementType()) : std::nullopt;
  if (!element || !memref.getLayout().isIdentity()) {
    std::string text;
    llvm::raw_string_ostream(text) << type;
    return makeError(loc, ("expected " + what +
                           " to be a memref of identity layout, got " + text)
                              .str());
  }
  runtime::ArrayType array;
  array.element = *element;
  for (int64_t size : memref.getShape())
    array.shape.push_back(ShapedType::isDynamic(size) ? -1 : size);
  return array;
}

namespace {
class Translator {
public:
  explicit Translator(runtime::HostProgram &program) : builder(program) {}
  Error translate(func::FuncOp function);

private:
  Error addInputs(func::FuncOp function);
  Error translate(Operation &op);
  Error unsupported(Operation &op, const Twine &what = "") const {
    // What a host program is too simple for in principle.
    const char *advice =
        isa<memref::LoadOp>(op)
            ? ": work of the host that depends on data is not supported on "
              "GPUs, compile it for a CPU"
        : op.getNumRegions() || isa<func::CallOp>(op)
            ? ": control flow of the host other than scf.for is not supported "
              "on GPUs, compile it for a CPU"
            : "";
    return makeError(op.getLoc(),
                     ("expected ops that a GPU's host program "
                      "has, got '" +
                      op.getName().getStringRef() + "'" + what + advice)
                         .str());
  }

  Error constant(arith::ConstantOp op);
  Error arithmetic(Operation &op, Opcode opcode);
  Error compare(arith::CmpIOp op);
  Error allocate(memref::AllocOp op);
  Error subview(memref::SubViewOp op);
  Error expand(memref::ExpandShapeOp op);
  Error collapse(memref::CollapseShapeOp op);
  Error reinterpret(memref::ReinterpretCastOp op);
  Error metadata(memref::ExtractStridedMetadataOp op);
  Error dim(memref::DimOp op);
  Error launch(gpu::LaunchFuncOp op);
  Error loop(scf::ForOp op);
  Error addArgument(gpu::LaunchFuncOp op, Value value,
                    runtime::Instruction &launch);
  Error finish(func::ReturnOp op);

  ValueId get(OpFoldResult value) {
    if (auto attr = dyn_cast<Attribute>(value))
      return builder.constant(cast<IntegerAttr>(attr).getInt());
    return integers.lookup(cast<Value>(value));
  }

  HostBuilder builder;
  llvm::DenseMap<Value, ValueId> integers, floats;
  llvm::DenseMap<Value, HostBuffer> buffers;
  /// Allocations not freed yet, in order, and how many of them are from before
  /// the innermost loop.
  SmallVector<ValueId> owned;
  size_t outerOwned = 0;
};
} // namespace

Error Translator::addInputs(func::FuncOp function) {
  SmallVector<std::pair<ValueId, runtime::ArrayType>> inputs;
  for (BlockArgument argument : function.getArguments()) {
    Expected<runtime::ArrayType> type =
        getArrayType(function.getLoc(), argument.getType(),
                     "argument " + Twine(argument.getArgNumber()));
    if (!type)
      return type.takeError();
    runtime::Instruction input;
    input.op = Opcode::Input;
    input.type = *type;
    inputs.push_back({builder.add(input), std::move(*type)});
  }
  for (BlockArgument argument : function.getArguments()) {
    auto &[base, type] = inputs[argument.getArgNumber()];
    SmallVector<ValueId> sizes;
    for (auto [d, size] : llvm::enumerate(type.shape))
      sizes.push_back(size < 0 ? builder.add(Opcode::Dim, {base}, int64_t(d))
                               : builder.constant(size));
    buffers[argument] = builder.rowMajor(base, sizes);
  }
  return Error::success();
}

Error Translator::translate(func::FuncOp function) {
  if (!function.getBody().hasOneBlock())
    return makeError(function.getLoc(),
                     "expected a GPU's host function of one block: branches "
                     "of the host are not supported on GPUs, compile it for a "
                     "CPU");
  if (Error error = addInputs(function))
    return error;
  for (Operation &op : function.getBody().front())
    if (Error error = translate(op))
      return error;
  return Error::success();
}

/// The instruction for an op of two or three integers.
static std::optional<Opcode> getArithmetic(Operation &op) {
  bool isBit =
      op.getNumResults() == 1 && op.getResult(0).getType().isInteger(1);
  return llvm::TypeSwitch<Operation *, std::optional<Opcode>>(&op)
      .Case([](arith::AddIOp) { return Opcode::Add; })
      .Case([](arith::SubIOp) { return Opcode::Sub; })
      .Case([](arith::MulIOp) { return Opcode::Mul; })
      // Sizes are never negative.
      .Case<arith::DivSIOp, arith::DivUIOp>([](auto) { return Opcode::Div; })
      .Case<arith::CeilDivSIOp, arith::CeilDivUIOp>(
          [](auto) { return Opcode::CeilDiv; })
      .Case([](arith::FloorDivSIOp) { return Opcode::FloorDiv; })
      .Case([](arith::RemSIOp) { return Opcode::Rem; })
      .Case([](arith::MinSIOp) { return Opcode::Min; })
      .Case([](arith::MaxSIOp) { return Opcode::Max; })
      .Case([](arith::SelectOp) { return Opcode::Select; })
      // Of 0 and 1.
      .Case([&](arith::AndIOp) {
        return isBit ? std::optional(Opcode::Min) : std::nullopt;
      })
      .Case([&](arith::OrIOp) {
        return isBit ? std::optional(Opcode::Max) : std::nullopt;
      })
      .Case([&](arith::XOrIOp) {
        return isBit ? std::optional(Opcode::NotEqual) : std::nullopt;
      })
      .Default([](Operation *) { return std::nullopt; });
}

Error Translator::translate(Operation &op) {
  if (std::optional<Opcode> opcode = getArithmetic(op))
    return arithmetic(op, *opcode);
  return llvm::TypeSwitch<Operation *, Error>(&op)
      .Case([&](arith::ConstantOp op) { return constant(op); })
      .Case([&](arith::CmpIOp op) { return compare(op); })
      // Kernels take the low half of a value as their i32.
      .Case<arith::IndexCastOp, arith::ExtSIOp, arith::TruncIOp>(
          [&](auto cast) -> Error {
            if (!cast.getIn().getType().isIntOrIndex() ||
                cast.getIn().getType().isInteger(1))
              return unsupported(op);
            integers[cast.getResult()] = integers.lookup(cast.getIn());
            return Error::success();
          })
      .Case([&](memref::AllocOp op) { return allocate(op); })
      .Case([&](memref::DeallocOp dealloc) -> Error {
        ValueId base = buffers.lookup(dealloc.getMemref()).base;
        if (!llvm::is_contained(ArrayRef(owned).drop_front(outerOwned), base))
          return unsupported(op, outerOwned
                                     ? " of what the loop does not allocate"
                                     : " of what the function does not own");
        builder.add(Opcode::Release, {base});
        llvm::erase(owned, base);
        return Error::success();
      })
      .Case<memref::CastOp, memref::MemorySpaceCastOp>([&](auto cast) -> Error {
        if (!isa<MemRefType>(cast.getSource().getType()) ||
            !isa<MemRefType>(cast.getResult().getType()))
          return unsupported(op, " of an unranked memref");
        buffers[cast.getResult()] = HostBuffer(buffers[cast.getSource()]);
        return Error::success();
      })
      .Case([&](memref::AssumeAlignmentOp assume) -> Error {
        buffers[assume.getResult()] = HostBuffer(buffers[assume.getMemref()]);
        return Error::success();
      })
      .Case([&](memref::SubViewOp op) { return subview(op); })
      .Case([&](memref::ExpandShapeOp op) { return expand(op); })
      .Case([&](memref::CollapseShapeOp op) { return collapse(op); })
      .Case([&](memref::ReinterpretCastOp op) { return reinterpret(op); })
      .Case([&](memref::ExtractStridedMetadataOp op) { return metadata(op); })
      .Case([&](memref::DimOp op) { return dim(op); })
      .Case([&](gpu::LaunchFuncOp op) { return launch(op); })
      .Case([&](scf::ForOp op) { return loop(op); })
      .Case([&](func::ReturnOp op) { return finish(op); })
      .Default([&](Operation *) { return unsupported(op); });
}

Error Translator::constant(arith::ConstantOp op) {
  if (auto attr = dyn_cast<IntegerAttr>(op.getValue())) {
    // An i1 is 0 or 1, not 0 or -1.
    bool isBit = attr.getType().isInteger(1);
    integers[op] = builder.constant(isBit ? attr.getValue().getZExtValue()
                                          : attr.getValue().getSExtValue());
    return Error::success();
  }
  auto attr = dyn_cast<FloatAttr>(op.getValue());
  if (!attr || !(attr.getType().isF32() || attr.getType().isF64()))
    return unsupported(*op, " of another type than integer, f32 or f64");
  floats[op] =
      builder.add(Opcode::Float, {},
                  int64_t(attr.getValue().bitcastToAPInt().getZExtValue()));
  return Error::success();
}

Error Translator::arithmetic(Operation &op, Opcode opcode) {
  SmallVector<ValueId> operands;
  for (Value operand : op.getOperands()) {
    if (!operand.getType().isIntOrIndex())
      return unsupported(op, " of another type than integer");
    operands.push_back(integers.lookup(operand));
  }
  integers[op.getResult(0)] = builder.add(opcode, operands);
  return Error::success();
}

Error Translator::compare(arith::CmpIOp op) {
  ValueId a = integers.lookup(op.getLhs()), b = integers.lookup(op.getRhs());
  if (!op.getLhs().getType().isIntOrIndex())
    return unsupported(*op, " of another type than integer");
  auto set = [&](Opcode opcode, ValueId left, ValueId right) -> Error {
    integers[op] = builder.add(opcode, {left, right});
    return Error::success();
  };
  switch (op.getPredicate()) {
  case arith::CmpIPredicate::eq:
    return set(Opcode::Equal, a, b);
  case arith::CmpIPredicate::ne:
    return set(Opcode::NotEqual, a, b);
  case arith::CmpIPredicate::slt:
    return set(Opcode::Less, a, b);
  case arith::CmpIPredicate::sle:
    return set(Opcode::LessEqual, a, b);
  case arith::CmpIPredicate::sgt:
    return set(Opcode::Less, b, a);
  case arith::CmpIPredicate::sge:
    return set(Opcode::LessEqual, b, a);
  default:
    return unsupported(*op, " of unsigned numbers");
  }
}

Error Translator::allocate(memref::AllocOp op) {
  Expected<runtime::ArrayType> type =
      getArrayType(op.getLoc(), op.getType(), "an allocation");
  if (!type)
    return type.takeError();
  SmallVector<ValueId> sizes;
  auto dynamic = op.getDynamicSizes().begin();
  ValueId bytes = builder.constant(runtime::getBytes(type->element));
  for (int64_t size : type->shape) {
    sizes.push_back(size < 0 ? integers.lookup(*dynamic++)
                             : builder.constant(size));
    bytes = builder.multiply(bytes, sizes.back());
  }
  ValueId base = builder.add(Opcode::Allocate, {bytes});
  owned.push_back(base);
  buffers[op] = builder.rowMajor(base, sizes);
  return Error::success();
}

Error Translator::subview(memref::SubViewOp op) {
  HostBuffer source = buffers.lookup(op.getSource()), view;
  view.base = source.base;
  view.offset = source.offset;
  llvm::SmallBitVector dropped = op.getDroppedDims();
  SmallVector<OpFoldResult> offsets = op.getMixedOffsets(),
                            sizes = op.getMixedSizes(),
                            strides = op.getMixedStrides();
  for (size_t d = 0; d < offsets.size(); ++d) {
    ValueId step = builder.multiply(get(offsets[d]), source.strides[d]);
    view.offset = builder.add(Opcode::Add, {view.offset, step});
    if (dropped.test(d))
      continue;
    view.sizes.push_back(get(sizes[d]));
    view.strides.push_back(
        builder.multiply(get(strides[d]), source.strides[d]));
  }
  buffers[op] = std::move(view);
  return Error::success();
}

Error Translator::expand(memref::ExpandShapeOp op) {
  HostBuffer source = buffers.lookup(op.getSrc()), view;
  view.base = source.base;
  view.offset = source.offset;
  for (OpFoldResult size : op.getMixedOutputShape())
    view.sizes.push_back(get(size));
  // What no dimension of the source stands for is of size 1.
  view.strides.assign(view.sizes.size(), builder.constant(1));
  for (auto [d, group] : llvm::enumerate(op.getReassociationIndices())) {
    ValueId stride = source.strides[d];
    for (int64_t inner : llvm::reverse(group)) {
      view.strides[inner] = stride;
      if (inner != group.front())
        stride = builder.multiply(stride, view.sizes[inner]);
    }
  }
  buffers[op] = std::move(view);
  return Error::success();
}

Error Translator::collapse(memref::CollapseShapeOp op) {
  HostBuffer source = buffers.lookup(op.getSrc()), view;
  view.base = source.base;
  view.offset = source.offset;
  ArrayRef<int64_t> shape = op.getSrcType().getShape();
  for (ArrayRef<int64_t> group : op.getReassociationIndices()) {
    ValueId size = builder.constant(1);
    int64_t innermost = group.front();
    for (int64_t d : group) {
      size = builder.multiply(size, source.sizes[d]);
      // The stride of a single element says nothing.
      if (shape[d] != 1)
        innermost = d;
    }
    view.sizes.push_back(size);
    view.strides.push_back(source.strides[innermost]);
  }
  buffers[op] = std::move(view);
  return Error::success();
}

Error Translator::reinterpret(memref::ReinterpretCastOp op) {
  if (!isa<MemRefType>(op.getSource().getType()))
    return unsupported(*op, " of an unranked memref");
  HostBuffer view;
  view.base = buffers.lookup(op.getSource()).base;
  view.offset = get(op.getMixedOffsets().front());
  for (OpFoldResult size : op.getMixedSizes())
    view.sizes.push_back(get(size));
  for (OpFoldResult stride : op.getMixedStrides())
    view.strides.push_back(get(stride));
  buffers[op] = std::move(view);
  return Error::success();
}

Error Translator::metadata(memref::ExtractStridedMetadataOp op) {
  HostBuffer source = buffers.lookup(op.getSource());
  buffers[op.getBaseBuffer()] = builder.rowMajor(source.base, {});
  integers[op.getOffset()] = source.offset;
  for (auto [value, id] : llvm::zip_equal(op.getSizes(), source.sizes))
    integers[value] = id;
  for (auto [value, id] : llvm::zip_equal(op.getStrides(), source.strides))
    integers[value] = id;
  return Error::success();
}

Error Translator::dim(memref::DimOp op) {
  std::optional<int64_t> index = op.getConstantIndex();
  HostBuffer source = buffers.lookup(op.getSource());
  if (!index || *index < 0 || size_t(*index) >= source.sizes.size())
    return unsupported(*op, " of a dimension that is not a constant");
  integers[op] = source.sizes[*index];
  return Error::success();
}

Error Translator::addArgument(gpu::LaunchFuncOp op, Value value,
                              runtime::Instruction &launch) {
  auto add = [&](ArgumentType type, ValueId id) {
    launch.arguments.push_back({type, id});
  };
  Type type = value.getType();
  if (isa<MemRefType>(type)) {
    const HostBuffer &buffer = buffers[value];
    add(ArgumentType::Pointer, buffer.base);
    add(ArgumentType::Pointer, buffer.base);
    add(ArgumentType::Index, buffer.offset);
    for (ValueId size : buffer.sizes)
      add(ArgumentType::Index, size);
    for (ValueId stride : buffer.strides)
      add(ArgumentType::Index, stride);
    return Error::success();
  }
  if (type.isIndex())
    add(ArgumentType::Index, integers.lookup(value));
  else if (type.isInteger(64))
    add(ArgumentType::I64, integers.lookup(value));
  else if (type.isInteger(32))
    add(ArgumentType::I32, integers.lookup(value));
  else if (type.isF32())
    add(ArgumentType::F32, floats.lookup(value));
  else if (type.isF64())
    add(ArgumentType::F64, floats.lookup(value));
  else
    return unsupported(*op, " with an argument that is no memref, index, i64, "
                            "i32, f32 or f64");
  return Error::success();
}

Error Translator::launch(gpu::LaunchFuncOp op) {
  if (op.hasClusterSize())
    return unsupported(*op, " with clusters");
  if (op.getAsyncToken() || !op.getAsyncDependencies().empty())
    return unsupported(*op, " with an asynchronous token");
  runtime::Instruction launch;
  launch.op = Opcode::Launch;
  launch.kernel = op.getKernelName().str();
  for (gpu::KernelDim3 dims :
       {op.getGridSizeOperandValues(), op.getBlockSizeOperandValues()})
    for (Value size : {dims.x, dims.y, dims.z})
      launch.operands.push_back(integers.lookup(size));
  Value shared = op.getDynamicSharedMemorySize();
  launch.operands.push_back(shared ? integers.lookup(shared)
                                   : builder.constant(0));
  for (Value operand : op.getKernelOperands())
    if (Error error = addArgument(op, operand, launch))
      return error;
  builder.add(std::move(launch));
  return Error::success();
}

/// Kernels are started in order, so what one step writes the next may read.
Error Translator::loop(scf::ForOp op) {
  if (op.getNumResults())
    return unsupported(*op, " that carries something other than tensors of "
                            "static sizes");
  ValueId variable = builder.beginLoop(integers.lookup(op.getLowerBound()),
                                       integers.lookup(op.getUpperBound()),
                                       integers.lookup(op.getStep()));
  integers[op.getInductionVar()] = variable;
  size_t before = std::exchange(outerOwned, owned.size());
  for (Operation &inner : op.getBody()->without_terminator())
    if (Error error = translate(inner))
      return error;
  while (owned.size() > outerOwned)
    builder.add(Opcode::Release, {owned.pop_back_val()});
  outerOwned = before;
  builder.endLoop();
  return Error::success();
}

Error Translator::finish(func::ReturnOp op) {
  SmallVector<runtime::Instruction> returns;
  for (auto [i, value] : llvm::enumerate(op.getOperands())) {
    Expected<runtime::ArrayType> type =
        getArrayType(op.getLoc(), value.getType(), "result " + Twine(i));
    if (!type)
      return type.takeError();
    const HostBuffer &buffer = buffers[value];
    if (!llvm::is_contained(owned, buffer.base))
      return makeError(op.getLoc(), "expected result " + std::to_string(i) +
                                        " to be a buffer that the function "
                                        "allocates and returns once");
    llvm::erase(owned, buffer.base);
    runtime::Instruction instruction;
    instruction.op = Opcode::Return;
    instruction.type = std::move(*type);
    instruction.operands.push_back(buffer.base);
    instruction.operands.insert(instruction.operands.end(),
                                buffer.sizes.begin(), buffer.sizes.end());
    returns.push_back(std::move(instruction));
  }
  for (ValueId base : owned)
    builder.add(Opcode::Release, {base});
  for (runtime::Instruction &instruction : returns)
    builder.add(std::move(instruction));
  return Error::success();
}

Expected<runtime::HostProgram>
mlir::fpa::translateHostFunction(func::FuncOp function) {
  runtime::HostProgram program;
  program.name = function.getName().str();
  if (Error error = Translator(program).translate(function))
    return std::move(error);
  if (std::string problem = runtime::verify(program); !problem.empty())
    return makeError(function.getLoc(), "host program: " + problem);
  return program;
}
