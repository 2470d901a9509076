//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/CAPI/Fpa.h"
#include "DeviceTarget.h"
#include "LastError.h"
#include "fpa/ExecutionEngine/CompiledModule.h"
#include "fpa/ExecutionEngine/ShowStage.h"
#include "fpa/Pipelines/GPUPipeline.h"
#include "fpa/Pipelines/ReadOptions.h"
#include "fpa/Runtime/CudaDevice.h"
#include "fpa/Runtime/Runtime.h"
#include "fpa/Support/LargeStack.h"
#include "fpa/Support/OneLine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

struct FpaProgram {
  std::unique_ptr<Executable> module;
  /// Empty for other targets than the CPU.
  StringRef object;
  std::string entry, signatureText;
  EntrySignature signature;
  /// The numbers of the inputs that it may write to.
  SmallVector<int64_t> written;
};

struct FpaResults {
  SmallVector<Tensor> tensors;
};

static thread_local std::string lastError;
static thread_local bool isLastErrorMemory = false;

void mlir::fpa::setLastError(Error error) {
  lastError.clear();
  isLastErrorMemory = false;
  handleAllErrors(std::move(error), [](const llvm::ErrorInfoBase &info) {
    lastError += (lastError.empty() ? "" : " ") + info.message();
    isLastErrorMemory |=
        info.convertToErrorCode() == std::errc::not_enough_memory;
  });
  lastError = toOneLine(lastError);
}

static void writeTypes(llvm::json::OStream &json, StringRef name,
                       ArrayRef<TensorSpec> specs,
                       ArrayRef<int64_t> written = {}) {
  json.attributeArray(name, [&] {
    for (auto [number, spec] : llvm::enumerate(specs))
      json.object([&, number = number, &spec = spec] {
        json.attribute("element", getElementName(spec.kind));
        json.attributeArray("shape", [&] {
          for (int64_t size : spec.shape)
            json.value(ShapedType::isDynamic(size) ? -1 : size);
        });
        if (llvm::is_contained(written, int64_t(number)))
          json.attribute("writable", true);
      });
  });
}

static std::string writeSignature(const EntrySignature &signature,
                                  ArrayRef<int64_t> written) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::json::OStream json(stream);
  json.object([&] {
    writeTypes(json, "inputs", signature.inputs, written);
    writeTypes(json, "results", signature.results);
  });
  return text;
}

/// How code for this machine's processor is made.
static Expected<CompileOptions> getHostOptions(StringRef pipeline) {
  CompileOptions options;
  Expected<CPUTarget> host = getCPUTarget("host");
  if (!host)
    return host.takeError();
  options.target = std::move(*host);
  options.strategy = CPUStrategy::Tile;
  options.pipeline = pipeline.str();
  return options;
}

/// Code for this machine's processor; from object code if there is any.
static Expected<std::unique_ptr<CompiledModule>>
compileForCPU(ModuleOp module, StringRef entry, StringRef pipeline,
              StringRef object) {
  Expected<CompileOptions> options = getHostOptions(pipeline);
  if (!options)
    return options.takeError();
  return object.empty()
             ? CompiledModule::compile(module, {entry}, *options)
             : CompiledModule::load(module, {entry}, *options, object);
}

/// Kernels, for this machine's GPU or for the emulator.
static Expected<std::unique_ptr<Executable>>
compileForGPU(ModuleOp module, StringRef entry, StringRef pipeline,
              DeviceTarget target) {
  GPUCompileOptions options;
  std::optional<runtime::ContextKeeper> keeper;
  bool isCuda = target.kind == DeviceModule::Kind::Cuda;
  if (isCuda)
    keeper.emplace();
  // The emulator is whichever chip the options name.
  GPUPipelineOptions asked;
  if (Error error = readOptions(asked, pipeline))
    return createStringError("pipeline options: " + toString(std::move(error)));
  Expected<GPUTarget> chip =
      isCuda ? getCudaChip("", target.ordinal) : getGPUTarget(asked.chip);
  if (!chip)
    return chip.takeError();
  options.chip = std::move(*chip);
  options.pipeline = pipeline.str();
  auto compiled = DeviceModule::compile(module, {entry}, options, target.kind,
                                        target.ordinal);
  if (!compiled)
    return compiled.takeError();
  return std::move(*compiled);
}

/// What `compile` makes of a text, with the entry's signature.
static Expected<std::unique_ptr<FpaProgram>>
makeProgram(StringRef text, StringRef entry,
            llvm::function_ref<Error(ModuleOp, FpaProgram &)> compile) {
  std::unique_ptr<MLIRContext> context = createContext();
  Expected<OwningOpRef<ModuleOp>> module = parseModuleText(text, *context);
  if (!module)
    return module.takeError();
  Expected<func::FuncOp> function = findEntry(**module, entry);
  if (!function)
    return function.takeError();
  Expected<EntrySignature> signature =
      readSignature(*function, AllowBuffers::Inputs);
  if (!signature)
    return signature.takeError();
  auto program = std::make_unique<FpaProgram>();
  program->written = findWrittenInputs(*function);
  if (Error error = compile(**module, *program))
    return std::move(error);
  program->entry = entry.str();
  program->signature = std::move(*signature);
  program->signatureText = writeSignature(program->signature, program->written);
  return std::move(program);
}

static Expected<std::unique_ptr<FpaProgram>>
compileText(StringRef text, StringRef entry, StringRef target,
            StringRef pipeline, StringRef object = "") {
  std::optional<DeviceTarget> device = parseDeviceTarget(target);
  if (target != "cpu" && !device)
    return createStringError(
        "expected target 'cpu', 'emulator' or 'cuda', got '" + target + "'");
  return makeProgram(
      text, entry, [&](ModuleOp module, FpaProgram &program) -> Error {
        if (!device) {
          auto compiled = compileForCPU(module, entry, pipeline, object);
          if (!compiled)
            return compiled.takeError();
          program.object = (*compiled)->getObject();
          program.module = std::move(*compiled);
          return Error::success();
        }
        auto compiled = compileForGPU(module, entry, pipeline, *device);
        if (!compiled)
          return compiled.takeError();
        program.module = std::move(*compiled);
        return Error::success();
      });
}

/// The caller's memory as a tensor, without copying it.
static Error addInput(SmallVectorImpl<Tensor> &tensors,
                      const EntrySignature &signature, ArrayRef<int64_t> shape,
                      void *data, bool needsData = true) {
  size_t number = tensors.size();
  ElementKind kind = signature.inputs[number].kind;
  std::optional<int64_t> count = countElements(shape, kind);
  if (!count)
    return createStringError(
        "expected sizes of at least 0 that fit into memory, got others in "
        "input " +
        llvm::Twine(number));
  if (*count > 0 && !data && needsData)
    return createStringError("expected the elements of input " +
                             llvm::Twine(number) + ", got a null pointer");
  tensors.emplace_back(kind, shape, /*owner=*/nullptr, data);
  return Error::success();
}

static Expected<SmallVector<Tensor>> viewInputs(const EntrySignature &signature,
                                                ArrayRef<FpaArray> arrays) {
  if (arrays.size() != signature.inputs.size())
    return createStringError("expected " +
                             llvm::Twine(signature.inputs.size()) +
                             " inputs, got " + llvm::Twine(arrays.size()));
  SmallVector<Tensor> tensors;
  for (const FpaArray &array : arrays)
    if (Error error =
            addInput(tensors, signature,
                     ArrayRef<int64_t>(array.shape, array.rank), array.data))
      return std::move(error);
  return tensors;
}

/// The same from addresses and sizes.
static Expected<SmallVector<Tensor>> viewInputs(const EntrySignature &signature,
                                                const int64_t *words) {
  const int64_t *sizes = words + signature.inputs.size();
  SmallVector<Tensor> tensors;
  for (const TensorSpec &spec : signature.inputs) {
    auto *data = reinterpret_cast<void *>(intptr_t(*words++));
    size_t rank = spec.shape.size();
    if (Error error =
            addInput(tensors, signature, ArrayRef<int64_t>(sizes, rank), data))
      return std::move(error);
    sizes += rank;
  }
  return tensors;
}

/// What the program writes to must not be read or written as another input.
static Error checkOverlaps(ArrayRef<Tensor> inputs, ArrayRef<int64_t> written) {
  for (int64_t number : written) {
    const Tensor &target = inputs[number];
    for (auto [other, input] : llvm::enumerate(inputs))
      if (int64_t(other) != number && target.getNumBytes() &&
          input.getNumBytes() &&
          input.getData() < target.getData() + target.getNumBytes() &&
          target.getData() < input.getData() + input.getNumBytes())
        return createStringError(
            "expected input " + llvm::Twine(number) +
            ", which the program may write to, in memory of its own, got some "
            "that is also of input " +
            llvm::Twine(other));
  }
  return Error::success();
}

/// Null, and why, where the inputs or the run have failed.
static FpaResults *run(const FpaProgram &program,
                       Expected<SmallVector<Tensor>> inputs) {
  if (!inputs) {
    setLastError(inputs.takeError());
    return nullptr;
  }
  if (Error error = checkOverlaps(*inputs, program.written)) {
    setLastError(std::move(error));
    return nullptr;
  }
  auto results = program.module->invoke(program.entry, *inputs);
  if (results)
    return new FpaResults{std::move(*results)};
  setLastError(results.takeError());
  return nullptr;
}

const char *fpaLastError(void) { return lastError.c_str(); }
int32_t fpaLastErrorIsMemory(void) { return isLastErrorMemory; }

static FpaProgram *giveOrFail(Expected<std::unique_ptr<FpaProgram>> program) {
  if (program)
    return program->release();
  setLastError(program.takeError());
  return nullptr;
}

FpaProgram *fpaCompile(const char *text, size_t length, const char *entry,
                       const char *target, const char *options) {
  return giveOrFail(onLargeStack([&] {
    return compileText(StringRef(text, length), entry, target,
                       options ? options : "");
  }));
}

FpaProgram *fpaProgramLoad(const char *text, size_t length, const char *entry,
                           const char *options, const char *object,
                           size_t objectLength) {
  if (objectLength == 0) {
    setLastError(createStringError("expected object code, got none"));
    return nullptr;
  }
  return giveOrFail(onLargeStack([&] {
    return compileText(StringRef(text, length), entry, "cpu",
                       options ? options : "", StringRef(object, objectLength));
  }));
}

void fpaProgramDestroy(FpaProgram *program) { delete program; }

const char *fpaShow(const char *text, size_t length, const char *entry,
                    const char *target, const char *stage,
                    const char *options) {
  static thread_local std::string shown;
  auto result = onLargeStack([&]() -> Expected<std::string> {
    std::unique_ptr<MLIRContext> context = createContext();
    auto module = parseModuleText(StringRef(text, length), *context);
    if (!module)
      return module.takeError();
    return showStage(**module, entry, target, stage, options ? options : "");
  });
  if (!result) {
    setLastError(result.takeError());
    return nullptr;
  }
  shown = std::move(*result);
  return shown.c_str();
}

const char *fpaProgramObject(const FpaProgram *program, size_t *length) {
  *length = program->object.size();
  return program->object.empty() ? nullptr : program->object.data();
}

const char *fpaCompilerId(void) {
  static const std::string id = [] {
    std::string text = "LLVM " LLVM_VERSION_STRING;
    if (Expected<CPUTarget> host = getCPUTarget("host"))
      text += " " + host->triple + " " + host->cpu + " " + host->features;
    else
      text += " " + toString(host.takeError());
    return text;
  }();
  return id.c_str();
}

const char *fpaProgramSignature(const FpaProgram *program) {
  return program->signatureText.c_str();
}

FpaResults *fpaProgramRun(const FpaProgram *program, const FpaArray *inputs,
                          int64_t count) {
  return run(*program, viewInputs(program->signature, {inputs, size_t(count)}));
}

FpaResults *fpaProgramCall(const FpaProgram *program, const int64_t *inputs,
                           int64_t *results) {
  FpaResults *held = run(*program, viewInputs(program->signature, inputs));
  if (!held)
    return nullptr;
  for (const Tensor &tensor : held->tensors)
    *results++ = int64_t(reinterpret_cast<intptr_t>(tensor.getData()));
  for (const Tensor &tensor : held->tensors)
    results = llvm::copy(tensor.getShape(), results);
  return held;
}

static Error computeResultSizes(const FpaProgram &program, const int64_t *sizes,
                                int64_t *results) {
  SmallVector<Tensor> inputs;
  for (const TensorSpec &spec : program.signature.inputs) {
    size_t rank = spec.shape.size();
    if (Error error =
            addInput(inputs, program.signature, ArrayRef<int64_t>(sizes, rank),
                     /*data=*/nullptr, /*needsData=*/false))
      return error;
    sizes += rank;
  }
  auto shapes = program.module->computeResultShapes(program.entry, inputs);
  if (!shapes)
    return shapes.takeError();
  for (ArrayRef<int64_t> shape : *shapes)
    results = llvm::copy(shape, results);
  return Error::success();
}

/// 1 for success.
static int32_t report(Error error) {
  if (!error)
    return 1;
  setLastError(std::move(error));
  return 0;
}

int32_t fpaProgramResultSizes(const FpaProgram *program, const int64_t *sizes,
                              int64_t *results) {
  return report(computeResultSizes(*program, sizes, results));
}

static Error launch(const FpaProgram &program, const int64_t *inputWords,
                    const int64_t *resultWords,
                    const Executable::LaunchOptions &options) {
  auto inputs = viewInputs(program.signature, inputWords);
  if (!inputs)
    return inputs.takeError();
  if (Error error = checkOverlaps(*inputs, program.written))
    return error;
  auto shapes = program.module->computeResultShapes(program.entry, *inputs);
  if (!shapes)
    return shapes.takeError();
  SmallVector<Tensor> results;
  for (auto [spec, shape] : llvm::zip_equal(program.signature.results, *shapes))
    results.emplace_back(spec.kind, shape, /*owner=*/nullptr,
                         reinterpret_cast<void *>(intptr_t(*resultWords++)));
  return program.module->launch(program.entry, *inputs, results, options);
}

int32_t fpaProgramLaunch(const FpaProgram *program, const int64_t *inputs,
                         const int64_t *results, void *stream,
                         int32_t checkElements) {
  return report(
      launch(*program, inputs, results, {stream, checkElements != 0}));
}

FpaArray fpaResultsGet(const FpaResults *results, int64_t index) {
  if (index < 0 || size_t(index) >= results->tensors.size())
    return {nullptr, nullptr, 0};
  const Tensor &tensor = results->tensors[index];
  return {tensor.getData(), tensor.getShape().data(),
          int64_t(tensor.getShape().size())};
}

void fpaResultsDestroy(FpaResults *results) { delete results; }

void fpaSetThreads(int32_t threads) { fpa_set_num_threads(threads); }
int32_t fpaGetThreads(void) { return fpa_get_num_threads(); }

int64_t fpaMemoryPeak(void) { return fpa_memory_peak(); }
void fpaMemoryReset(void) { fpa_memory_reset(); }
