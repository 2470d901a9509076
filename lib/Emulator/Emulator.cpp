//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/Emulator/Emulator.h"
#include "HostCode.h"
#include "Instrument.h"
#include "ThreadBlock.h"
#include "fpa/Target/Codegen.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <thread>

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

struct Emulator::Program {
  EmulatorOptions options;
  InstrumentedKernels kernels;
  std::unique_ptr<HostCode> code;
};

Emulator::Emulator() : program(new Program()) {}
Emulator::~Emulator() = default;

Expected<std::unique_ptr<Emulator>>
Emulator::create(gpu::GPUModuleOp module, const EmulatorOptions &options) {
  std::unique_ptr<Emulator> emulator(new Emulator());
  Program &program = *emulator->program;
  program.options = options;
  DialectRegistry registry;
  registerLLVMTranslations(registry);
  module->getContext()->appendDialectRegistry(registry);
  module->getContext()->loadDialect<LLVM::LLVMDialect>();
  Expected<InstrumentedKernels> kernels = instrumentKernels(module);
  if (!kernels)
    return kernels.takeError();
  program.kernels = std::move(*kernels);
  auto code = HostCode::compile(program.kernels);
  if (!code)
    return code.takeError();
  program.code = std::move(*code);
  // Compiled code holds the sites' addresses; the ops are done with.
  program.kernels.module = {};
  return std::move(emulator);
}

static std::string format(runtime::Dim3 size) {
  return std::to_string(size.x) + "x" + std::to_string(size.y) + "x" +
         std::to_string(size.z);
}

/// What the driver would refuse.
static Error checkLaunch(const InstrumentedKernels::Kernel &kernel,
                         runtime::Dim3 grid, runtime::Dim3 block,
                         int64_t dynamicBytes, int64_t sharedBytes,
                         int64_t sharedLimit, size_t numArguments) {
  auto fail = [&](const Twine &what) {
    return createStringError("kernel '" + kernel.name + "': expected " + what);
  };
  auto isWithin = [](int64_t size, int64_t limit) {
    return size >= 1 && size <= limit;
  };
  if (!isWithin(grid.x, INT32_MAX) || !isWithin(grid.y, 65535) ||
      !isWithin(grid.z, 65535))
    return fail("a grid of 1 to 2147483647 by 65535 by 65535 blocks, got " +
                format(grid));
  if (!isWithin(block.x, 1024) || !isWithin(block.y, 1024) ||
      !isWithin(block.z, 64) || block.x * block.y * block.z > 1024)
    return fail("a block of 1 to 1024 threads, got " + format(block));
  if (kernel.threads && kernel.threads != block.x * block.y * block.z)
    return fail("a block of the " + Twine(kernel.threads) +
                " threads it was made for, got " + format(block));
  if (dynamicBytes < 0 || sharedBytes > sharedLimit)
    return fail("from 0 to " + Twine(sharedLimit) +
                " bytes of shared memory, got " + Twine(sharedBytes));
  if (numArguments != kernel.numArguments)
    return fail(Twine(kernel.numArguments) + " arguments, got " +
                Twine(numArguments));
  if (grid.x * grid.y * grid.z > UINT32_MAX / 2)
    return fail("fewer than 2^31 blocks for the emulator, got " + format(grid));
  return Error::success();
}

static void summarize(Launch &launch, std::vector<BlockCount> &blocks,
                      llvm::ArrayRef<std::unique_ptr<ThreadBlock>> workers,
                      LaunchReport &report) {
  std::vector<uint64_t> executions(launch.numCounters);
  std::vector<const Traffic *> traffic;
  for (const auto &worker : workers) {
    worker->addTo(report, executions);
    traffic.push_back(&worker->getTraffic());
  }
  Traffic::combine(traffic, report);
  for (auto [block, count] : llvm::zip_equal(blocks, executions)) {
    if (!count)
      continue;
    report.blocks.push_back(block);
    report.blocks.back().executions = count;
    for (unsigned i = 0; i < numInstructionClasses; ++i)
      report.instructions[i] += count * block.instructions[i];
  }
  for (auto &[index, finding] : launch.findings)
    if (index <= launch.end)
      report.findings.push_back(std::move(finding));
}

/// Runs the blocks of `launch` on as many host threads as it has workers.
static void runBlocks(Launch &launch,
                      llvm::ArrayRef<std::unique_ptr<ThreadBlock>> workers) {
  auto work = [&](ThreadBlock &worker) {
    for (uint64_t index; (index = launch.next++) < launch.end;)
      worker.run(index);
  };
  std::vector<std::thread> threads;
  for (const auto &worker : workers.drop_front())
    threads.emplace_back([&work, &worker] { work(*worker); });
  work(*workers.front());
  for (std::thread &thread : threads)
    thread.join();
}

Expected<LaunchReport> Emulator::launch(llvm::StringRef name,
                                        runtime::Dim3 grid, runtime::Dim3 block,
                                        int64_t dynamicBytes,
                                        const std::vector<const void *> &values,
                                        DeviceMemory &memory) {
  llvm::ArrayRef<InstrumentedKernels::Kernel> kernels =
      program->kernels.kernels;
  const auto *kernel =
      llvm::find_if(kernels, [&](const auto &k) { return k.name == name; });
  if (kernel == kernels.end()) {
    std::string known;
    for (const auto &k : kernels)
      known += (known.empty() ? "'" : ", '") + k.name + "'";
    return createStringError(
        "expected a kernel " +
        (known.empty() ? "in the module" : "among " + known) + ", got '" +
        name + "'");
  }
  int64_t sharedBytes = kernel->sharedBytes + dynamicBytes;
  if (Error error = checkLaunch(*kernel, grid, block, dynamicBytes, sharedBytes,
                                program->options.sharedLimit, values.size()))
    return std::move(error);
  std::vector<void *> arguments;
  for (const void *value : values)
    arguments.push_back(const_cast<void *>(value));

  uint64_t numBlocks = grid.x * grid.y * grid.z;
  Launch launch;
  launch.kernel = name.str();
  launch.entry = program->code->getEntry(name);
  launch.arguments = arguments.data();
  launch.grid = grid;
  launch.block = block;
  launch.sharedBytes = sharedBytes;
  launch.dynamicBytes = dynamicBytes;
  launch.numCounters = program->kernels.blocks.size();
  launch.memory = &memory;
  launch.constants = program->code->getConstants();
  launch.firstRun = memory.startLaunch(numBlocks);
  launch.end = numBlocks;

  // Not more, by default, than there are stacks for.
  unsigned threads = program->options.threads;
  if (!threads)
    threads = std::clamp(std::thread::hardware_concurrency(), 1u, 16u);
  llvm::SmallVector<std::unique_ptr<ThreadBlock>> workers;
  for (uint64_t i = 0; i < std::min<uint64_t>(threads, numBlocks); ++i)
    workers.push_back(std::make_unique<ThreadBlock>(launch));
  for (const auto &worker : workers)
    if (!worker->isValid())
      return createStringError("kernel '" + name +
                               "': no memory for the stacks of its threads");
  runBlocks(launch, workers);

  LaunchReport report;
  report.kernel = name.str();
  report.grid = grid;
  report.block = block;
  report.sharedBytes = sharedBytes;
  summarize(launch, program->kernels.blocks, workers, report);
  return std::move(report);
}
