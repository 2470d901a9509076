//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Inputs.h"
#include "Reference.h"
#include "Report.h"
#include "RunOptions.h"
#include "fpa/ExecutionEngine/DeviceModule.h"
#include "fpa/Runtime/Runtime.h"
#include "fpa/Support/Npy.h"
#include "llvm/Support/FileSystem.h"
#include <chrono>

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::outs;
using llvm::Twine;

/// What a call gives, and how it is called.
using NamedTensor = std::pair<std::string, Tensor>;

/// Results, then the memrefs among the inputs that the call may have changed.
static SmallVector<NamedTensor> nameOutputs(ArrayRef<Tensor> results,
                                            ArrayRef<Tensor> inputs,
                                            ArrayRef<int64_t> written) {
  SmallVector<NamedTensor> outputs;
  for (auto [i, result] : llvm::enumerate(results))
    outputs.push_back({"output " + std::to_string(i), result});
  for (int64_t i : written)
    outputs.push_back({"input " + std::to_string(i), inputs[i]});
  return outputs;
}

static Error writeOutputs(const RunOptions &options,
                          ArrayRef<NamedTensor> outputs) {
  OutputFiles files;
  for (auto [i, path] : llvm::enumerate(options.outputs))
    if (!path.empty())
      if (Error error = addNpy(files, path, outputs[i].second))
        return error;
  if (Error error = files.commit())
    return error;
  for (auto [i, output] : llvm::enumerate(outputs)) {
    bool isWritten = i < options.outputs.size() && !options.outputs[i].empty();
    auto &[name, tensor] = output;
    if (options.print)
      printTensor(name, tensor);
    else if (!isWritten && !options.compare && !options.bench)
      outs() << name << ": " << tensor.getTypeText() << "\n";
  }
  return Error::success();
}

/// Fails for an output that would replace the program.
static Error checkOutputs(const RunOptions &options) {
  for (const std::string &path : options.outputs)
    if (!path.empty() && llvm::sys::fs::equivalent(options.file, path))
      return createStringError("option --output: expected another file than "
                               "the module, got '" +
                               path + "'");
  return Error::success();
}

namespace {
/// What the program runs on; the reference runs on this CPU in any case.
struct Machine {
  CompileOptions cpu;
  std::optional<GPUCompileOptions> gpu;
};
} // namespace

/// Fails for a CPU whose code this machine cannot run and for a GPU that it has
/// not.
static Expected<Machine> getMachine(CodeOptions code) {
  Machine machine;
  if (code.target != TargetKind::CPU) {
    Expected<GPUCompileOptions> gpu = getGPUCompileOptions(code);
    if (!gpu)
      return gpu.takeError();
    machine.gpu = std::move(*gpu);
    code.pipeline.clear();
  }
  Expected<CompileOptions> cpu = getCompileOptions(code);
  if (!cpu)
    return cpu.takeError();
  if (Error error = checkRunsOnHost(cpu->target))
    return std::move(error);
  machine.cpu = std::move(*cpu);
  return machine;
}

static Expected<std::unique_ptr<Executable>>
compile(ModuleOp module, const RunOptions &options, const Machine &machine) {
  auto finish = [](auto compiled) -> Expected<std::unique_ptr<Executable>> {
    if (!compiled)
      return compiled.takeError();
    return std::move(*compiled);
  };
  if (!machine.gpu)
    return finish(
        CompiledModule::compile(module, {options.entry}, machine.cpu));
  return finish(DeviceModule::compile(module, {options.entry}, *machine.gpu,
                                      options.code.target == TargetKind::Cuda
                                          ? DeviceModule::Kind::Cuda
                                          : DeviceModule::Kind::Emulator));
}

Error mlir::fpa::run(const RunOptions &options) {
  if (Error error = checkOutputs(options))
    return error;
  Expected<Machine> machine = getMachine(options.code);
  if (!machine)
    return machine.takeError();
  if (options.threads)
    fpa_set_num_threads(int32_t(std::min<int64_t>(options.threads, INT32_MAX)));
  if (options.poison)
    fpa_set_poison(1);

  std::unique_ptr<MLIRContext> context = createContext();
  auto start = std::chrono::steady_clock::now();
  auto module = parseModuleFile(options.file, *context);
  if (!module)
    return module.takeError();
  std::chrono::duration<double> parseTime =
      std::chrono::steady_clock::now() - start;
  // Inputs are checked before any work.
  Expected<func::FuncOp> entry = findEntry(**module, options.entry);
  if (!entry)
    return entry.takeError();
  Expected<EntrySignature> signature = readSignature(
      *entry, machine->gpu ? AllowBuffers::All : AllowBuffers::Inputs);
  if (!signature)
    return signature.takeError();
  if (options.compare)
    for (auto [i, input] : llvm::enumerate(signature->inputs))
      if (input.isBuffer && !machine->gpu)
        return createStringError(
            "expected an entry that writes to no input where it is compared, "
            "got one with a memref as input " +
            Twine(i));
  SmallVector<int64_t> written = findWrittenInputs(*entry);
  size_t most = signature->results.size() + written.size();
  if (options.outputs.size() > most)
    return createStringError("expected at most " + Twine(most) +
                             " outputs, got " + Twine(options.outputs.size()));
  auto inputs = makeInputs(*signature, options.inputs, options.seed);
  if (!inputs)
    return inputs.takeError();
  // The rules take ranks and types as checked.
  if (Error error = checkInputs(*signature, *inputs))
    return error;
  if (Error error = ShapeRules::collect(*entry).check(*inputs))
    return error;

  OwningOpRef<ModuleOp> reference;
  if (options.compare) {
    auto prepared = prepareReference(**module, options.entry);
    if (!prepared)
      return prepared.takeError();
    reference = std::move(*prepared);
  }
  auto compiled = compile(**module, options, *machine);
  if (!compiled)
    return compiled.takeError();
  fpa_memory_reset();
  auto results = (*compiled)->invoke(options.entry, *inputs);
  if (!results)
    return results.takeError();
  int64_t peak = (*compiled)->getMemoryPeak();
  if (Error error =
          writeOutputs(options, nameOutputs(*results, *inputs, written)))
    return error;
  if (options.stats) {
    reportStages((*compiled)->getStages(), parseTime.count());
    outs() << "memory peak: " << peak << " bytes\n" << (*compiled)->getReport();
  }
  if (options.bench)
    if (Error error =
            benchmark(**compiled, options.entry, *inputs, options.repetitions))
      return error;
  if (!options.compare)
    return Error::success();
  auto references =
      runReference(*reference, options.entry, machine->cpu, *inputs);
  if (!references)
    return createStringError("reference: " + toString(references.takeError()));
  return reportDifferences(*results, *references, options.tolerance);
}
