//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "EmulateOptions.h"
#include "fpa/Emulator/EmulatorDevice.h"
#include "fpa/ExecutionEngine/CompiledModule.h"
#include "fpa/InitAll.h"
#include "fpa/Support/RunPasses.h"
#include "fpa/Tools/FillTensor.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include <deque>

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::outs;

static Error runPipeline(ModuleOp module, StringRef pipeline) {
  registerAllPasses();
  registerFpaPasses();
  PassManager pm(module.getContext());
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(pipeline, pm, os)))
    return createStringError("pipeline: " + StringRef(message).trim());
  return runPasses(pm, module);
}

static Error toError(const std::string &text) {
  return text.empty() ? Error::success() : createStringError(text);
}

static Error failArguments(StringRef kernel, const llvm::Twine &what) {
  return createStringError("kernel '" + kernel + "': expected " + what);
}

/// Whether the arguments are those of the kernel as it is written, before
/// memrefs become several parameters each.
static Error checkArguments(gpu::GPUFuncOp kernel,
                            ArrayRef<EmulateArgument> arguments) {
  // Attributions of memory come after them.
  ArrayRef<Type> types = kernel.getFunctionType().getInputs();
  if (types.size() != arguments.size())
    return failArguments(kernel.getName(), llvm::Twine(types.size()) +
                                               " arguments, got " +
                                               llvm::Twine(arguments.size()));
  for (auto [i, type, argument] : llvm::enumerate(types, arguments)) {
    auto memory = dyn_cast<MemRefType>(type);
    if (memory
            ? !argument.isScalar &&
                  memory.getRank() == int64_t(argument.tensor.getShape().size())
            : argument.isScalar)
      continue;
    std::string expected;
    llvm::raw_string_ostream(expected) << type;
    return failArguments(
        kernel.getName(),
        "argument " + llvm::Twine(i) + " to be " + expected + ", got " +
            (argument.isScalar ? "the scalar " : "memory of ") +
            argument.tensor.getTypeText());
  }
  return Error::success();
}

/// The same of a kernel that was lowered before.
static Error checkParameters(LLVM::LLVMFuncOp kernel, size_t count) {
  if (kernel.getNumArguments() == count)
    return Error::success();
  return failArguments(kernel.getName(),
                       llvm::Twine(kernel.getNumArguments()) +
                           " parameters, got " + llvm::Twine(count) +
                           ", of which a memref takes 3 and 2 more for each "
                           "dimension");
}

namespace {
/// Memory of the device and the values that a launch is given.
class Arguments {
public:
  explicit Arguments(runtime::Device &device) : device(device) {}

  Error add(const EmulateArgument &argument) {
    const Tensor &tensor = argument.tensor;
    size_t number = count++;
    if (argument.isScalar) {
      values.push_back(tensor.getData());
      return Error::success();
    }
    uint64_t address;
    if (Error error = toError(device.allocate(tensor.getNumBytes(), address)))
      return error;
    if (argument.isInput)
      if (Error error = toError(
              device.copyIn(address, tensor.getData(), tensor.getNumBytes())))
        return error;
    if (argument.isOutput)
      outputs.push_back({tensor, address, number});
    // As an expanded memref: twice the pointer, offset, sizes, strides.
    push(address);
    push(address);
    push(0);
    for (int64_t size : tensor.getShape())
      push(size);
    for (size_t i = 1; i <= tensor.getShape().size(); ++i) {
      uint64_t stride = 1;
      for (int64_t size : tensor.getShape().drop_front(i))
        stride *= size;
      push(stride);
    }
    return Error::success();
  }

  Error printOutputs(StringRef kernel) {
    for (auto &[tensor, address, number] : outputs) {
      if (Error error = toError(
              device.copyOut(tensor.getData(), address, tensor.getNumBytes())))
        return createStringError("argument " + llvm::Twine(number) +
                                 " of kernel '" + kernel +
                                 "': " + toString(std::move(error)));
      outs() << tensor.getTypeText() << "\n";
      printElements(tensor);
    }
    return Error::success();
  }

  std::vector<const void *> values;

private:
  void push(uint64_t value) {
    words.push_back(value);
    values.push_back(&words.back());
  }

  runtime::Device &device;
  std::deque<uint64_t> words;
  struct Output {
    Tensor tensor;
    uint64_t address;
    size_t number;
  };
  std::vector<Output> outputs;
  size_t count = 0;
};
} // namespace

static void printBlocks(const LaunchReport &report) {
  for (const BlockCount &block : report.blocks) {
    outs() << block.location << "'" << block.kernel << "' block " << block.index
           << ", run " << block.executions << " times:";
    for (unsigned i = 0; i < numInstructionClasses; ++i)
      if (block.instructions[i])
        outs() << " " << getName(InstructionClass(i)) << " "
               << block.instructions[i] << ";";
    outs() << "\n";
  }
}

Error mlir::fpa::emulate(const EmulateOptions &options) {
  std::unique_ptr<MLIRContext> context = createContext();
  auto module = parseModuleFile(options.file, *context);
  if (!module)
    return module.takeError();
  bool isChecked = false;
  for (auto kernels : (*module)->getOps<gpu::GPUModuleOp>())
    if (auto kernel = kernels.lookupSymbol<gpu::GPUFuncOp>(options.kernel)) {
      if (Error error = checkArguments(kernel, options.arguments))
        return error;
      isChecked = true;
      break;
    }
  if (!options.pipeline.empty())
    if (Error error = runPipeline(**module, options.pipeline))
      return error;
  auto kernels = (*module)->getOps<gpu::GPUModuleOp>();
  if (kernels.empty())
    return createStringError("expected a gpu.module in the file, got none");
  EmulatorOptions emulatorOptions;
  emulatorOptions.threads = options.threads;
  emulatorOptions.sharedLimit = options.sharedLimit;
  auto emulator = Emulator::create(*kernels.begin(), emulatorOptions);
  if (!emulator)
    return emulator.takeError();

  EmulatorDevice device(std::move(*emulator));
  Arguments arguments(device);
  for (const EmulateArgument &argument : options.arguments)
    if (Error error = arguments.add(argument))
      return error;
  auto kernel =
      (*kernels.begin()).lookupSymbol<LLVM::LLVMFuncOp>(options.kernel);
  if (kernel && !isChecked)
    if (Error error = checkParameters(kernel, arguments.values.size()))
      return error;
  std::string problem =
      device.launch(options.kernel, options.grid, options.block,
                    options.sharedBytes, arguments.values);
  if (!problem.empty())
    return createStringError(
        (options.kernel.empty() ? "option --kernel: " : "") + problem);
  if (options.stats)
    outs() << device.getReports().back().getText();
  if (options.blocks)
    printBlocks(device.getReports().back());
  return arguments.printOutputs(options.kernel);
}
