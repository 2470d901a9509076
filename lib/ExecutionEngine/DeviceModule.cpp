//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/ExecutionEngine/DeviceModule.h"
#include "MeteredDevice.h"
#include "Watch.h"
#include "Witnesses.h"
#include "fpa/Emulator/EmulatorDevice.h"
#include "fpa/ExecutionEngine/CompiledModule.h"
#include "fpa/ExecutionEngine/Signature.h"
#include "fpa/Runtime/CudaDevice.h"
#include "fpa/Runtime/Runtime.h"
#include "fpa/Support/KernelModule.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static Error toError(const std::string &problem) {
  return problem.empty() ? Error::success() : createStringError(problem);
}

Expected<GPUTarget> mlir::fpa::getCudaChip(StringRef name, int ordinal) {
  std::unique_ptr<runtime::CudaDevice> device;
  if (Error error = toError(runtime::CudaDevice::open(device, ordinal)))
    return std::move(error);
  return name.empty() ? chooseGPUTarget(device->getMajor(), device->getMinor())
                      : getGPUTarget(name);
}

static std::shared_ptr<EmulatorDevice::Memory> getEmulatedMemory() {
  static const auto memory = EmulatorDevice::createMemory();
  return memory;
}

std::unique_ptr<EmulatorDevice> mlir::fpa::openEmulatedMemory() {
  return std::make_unique<EmulatorDevice>(nullptr, getEmulatedMemory());
}

DeviceModule::DeviceModule() = default;
DeviceModule::~DeviceModule() = default;

Expected<std::unique_ptr<DeviceModule>>
DeviceModule::compile(ModuleOp module, ArrayRef<StringRef> names,
                      const GPUCompileOptions &options, Kind kind,
                      int ordinal) {
  std::unique_ptr<DeviceModule> result(new DeviceModule());
  Watch watch(&result->stages);
  if (Error error = prepareEntries(module, names))
    return std::move(error);
  // Rules come from the program as written.
  SmallVector<ShapeRules::LateRule> late;
  for (StringRef name : names) {
    auto function = module.lookupSymbol<func::FuncOp>(name);
    Entry &entry = result->entries[name];
    entry.rules = ShapeRules::collect(function, late);
    entry.written.assign(function.getNumArguments(), false);
    for (int64_t number : findWrittenInputs(function))
      entry.written[number] = true;
    Expected<SmallVector<Witness>> witnesses = addWitnesses(function);
    if (!witnesses)
      return witnesses.takeError();
    entry.witnesses = std::move(*witnesses);
  }
  std::string unchecked =
      late.empty() ? "" : late[0].rule.op + ": expected " + late[0].rule.what;
  watch.stage("entries");
  if (Error error = lowerToNVVM(module, options, &result->stages))
    return std::move(error);
  if (Error error = result->open(module, names, options, kind, ordinal))
    return std::move(error);
  // A host program that has no branches cannot check them on its way.
  if (!unchecked.empty())
    return createStringError(
        unchecked + " to follow from the inputs' sizes on a GPU, got one that "
                    "is known only while the program runs");
  return std::move(result);
}

Error DeviceModule::open(ModuleOp module, ArrayRef<StringRef> names,
                         const GPUCompileOptions &options, Kind kind,
                         int ordinal) {
  std::vector<runtime::HostProgram> programs;
  if (kind == Kind::Cuda) {
    auto package = makePackage(module, names, options, &stages);
    if (!package)
      return package.takeError();
    Watch watch(&stages);
    if (Error error = toError(runtime::CudaDevice::open(cuda, ordinal)))
      return error;
    if (Error error = toError(cuda->load(*package, /*path=*/"")))
      return error;
    watch.stage("loading");
    device = std::make_unique<MeteredDevice>(*cuda);
    programs = std::move(package->programs);
    kernels.append(package->kernels.begin(), package->kernels.end());
  } else {
    // A program whose sizes leave nothing to compute has no kernels.
    if (module.getOps<gpu::GPUModuleOp>().empty())
      getKernelModule(module);
    Expected<gpu::GPUModuleOp> found = findKernels(module);
    if (!found)
      return found.takeError();
    auto translated = translateHostPrograms(module, names);
    if (!translated)
      return translated.takeError();
    programs = std::move(*translated);
    Watch watch(&stages);
    // As many as share the work of programs for the CPU.
    EmulatorOptions limits;
    limits.threads = std::min<unsigned>(fpa_get_num_threads(), 16);
    limits.sharedLimit = options.chip.sharedPerBlock;
    auto created = Emulator::create(*found, limits);
    if (!created)
      return created.takeError();
    watch.stage("emulator");
    emulator = std::make_unique<EmulatorDevice>(std::move(*created),
                                                getEmulatedMemory());
    device = std::make_unique<MeteredDevice>(*emulator);
  }
  for (auto [name, program] : llvm::zip_equal(names, programs))
    entries[name].program = std::move(program);
  return Error::success();
}

static runtime::ArrayType getArrayType(const Tensor &tensor) {
  runtime::ArrayType type;
  runtime::parseElementType(getElementName(tensor.getKind()).str(),
                            type.element);
  type.shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  return type;
}

static std::vector<runtime::HostArray> getArrays(ArrayRef<Tensor> tensors) {
  std::vector<runtime::HostArray> arrays;
  for (const Tensor &tensor : tensors)
    arrays.push_back({getArrayType(tensor), tensor.getData()});
  return arrays;
}

static std::vector<runtime::ArrayType> getTypes(ArrayRef<Tensor> tensors) {
  std::vector<runtime::ArrayType> types;
  for (const Tensor &tensor : tensors)
    types.push_back(getArrayType(tensor));
  return types;
}

static runtime::DeviceArray getDeviceArray(const Tensor &tensor) {
  return {getArrayType(tensor), reinterpret_cast<uintptr_t>(tensor.getData())};
}

static Expected<Tensor> makeTensor(const runtime::ArrayType &type) {
  return Tensor::create(*parseElementKind(runtime::getName(type.element)),
                        type.shape);
}

Expected<const DeviceModule::Entry *> DeviceModule::find(StringRef name) const {
  auto entry = entries.find(name);
  if (entry == entries.end())
    return createStringError("no entry '" + name + "' in the compiled module");
  return &entry->getValue();
}

Expected<DeviceModule::Call>
DeviceModule::prepare(StringRef name, ArrayRef<Tensor> inputs) const {
  Expected<const Entry *> entry = find(name);
  if (!entry)
    return entry.takeError();
  std::vector<runtime::ArrayType> types = getTypes(inputs);
  if (Error error = toError(runtime::checkInputs((*entry)->program, types)))
    return std::move(error);
  if (Error error = (*entry)->rules.check(inputs))
    return std::move(error);
  Call call{**entry, {}};
  if (Error error = toError(
          runtime::computeResultTypes((*entry)->program, types, call.results)))
    return std::move(error);
  return call;
}

Error DeviceModule::Call::judge(ArrayRef<Tensor> given) const {
  ArrayRef<Tensor> judged = given.take_back(entry.witnesses.size());
  for (auto [witness, number] : llvm::zip_equal(entry.witnesses, judged))
    if (Error error = witness(number))
      return error;
  return Error::success();
}

Expected<SmallVector<Tensor>>
DeviceModule::invoke(StringRef name, ArrayRef<Tensor> inputs) const {
  Expected<Call> call = prepare(name, inputs);
  if (!call)
    return call.takeError();
  SmallVector<Tensor> results;
  for (const runtime::ArrayType &type : call->results) {
    Expected<Tensor> result = makeTensor(type);
    if (!result)
      return result.takeError();
    results.push_back(std::move(*result));
  }
  std::lock_guard<std::mutex> lock(mutex);
  if (cuda)
    cuda->setStream(nullptr);
  auto judge = [&]() -> std::string {
    Error error = call->judge(results);
    return error ? toString(std::move(error)) : "";
  };
  if (Error error = toError(runtime::executeOnHostArrays(
          call->entry.program, *device, getArrays(inputs), getArrays(results),
          call->entry.written, judge)))
    return std::move(error);
  results.truncate(call->getResultCount());
  return results;
}

namespace {
/// Arrays in the device's memory, released at the end.
class ResidentArrays {
public:
  explicit ResidentArrays(runtime::Device &device) : device(device) {}
  ~ResidentArrays() {
    for (const runtime::DeviceArray &array : arrays)
      device.release(array.address);
  }
  Error add(const runtime::ArrayType &type, const void *data = nullptr) {
    int64_t bytes = 0;
    runtime::countBytes(type, bytes);
    runtime::DeviceArray array{type, 0};
    if (Error error = toError(device.allocate(bytes, array.address)))
      return error;
    arrays.push_back(array);
    return data && bytes ? toError(device.copyIn(array.address, data, bytes))
                         : Error::success();
  }
  std::vector<runtime::DeviceArray> arrays;

private:
  runtime::Device &device;
};
} // namespace

Expected<SmallVector<SmallVector<int64_t>>>
DeviceModule::computeResultShapes(StringRef name,
                                  ArrayRef<Tensor> inputs) const {
  SmallVector<Tensor> shapes;
  for (const Tensor &input : inputs)
    shapes.emplace_back(input.getKind(), input.getShape(), /*owner=*/nullptr,
                        nullptr);
  Expected<Call> call = prepare(name, shapes);
  if (!call)
    return call.takeError();
  SmallVector<SmallVector<int64_t>> results;
  for (const runtime::ArrayType &type :
       ArrayRef(call->results).take_front(call->getResultCount()))
    results.emplace_back(type.shape.begin(), type.shape.end());
  return results;
}

Expected<SmallVector<Tensor>>
DeviceModule::readForRules(const Entry &entry, ArrayRef<Tensor> inputs,
                           const LaunchOptions &options) const {
  SmallVector<Tensor> seen;
  for (const Tensor &input : inputs)
    seen.emplace_back(input.getKind(), input.getShape(), /*owner=*/nullptr,
                      nullptr);
  if (!options.checkElements)
    return seen;
  for (int64_t number : entry.rules.findReadInputs()) {
    const Tensor &input = inputs[number];
    Expected<Tensor> copy = Tensor::create(input.getKind(), input.getShape());
    if (!copy)
      return copy.takeError();
    if (Error error = toError(device->copyOut(copy->getData(),
                                              getDeviceArray(input).address,
                                              input.getNumBytes())))
      return createStringError("input " + llvm::Twine(number) + ": " +
                               toString(std::move(error)));
    seen[number] = std::move(*copy);
  }
  return seen;
}

Error DeviceModule::run(const Call &call,
                        const std::vector<runtime::DeviceArray> &inputs,
                        std::vector<runtime::DeviceArray> results) const {
  size_t count = call.getResultCount();
  if (results.size() != count)
    return createStringError("expected " + llvm::Twine(count) +
                             " results, got " + llvm::Twine(results.size()));
  ResidentArrays judged(*device);
  for (const runtime::ArrayType &type :
       ArrayRef(call.results).drop_front(count))
    if (Error error = judged.add(type))
      return error;
  llvm::append_range(results, judged.arrays);
  if (Error error = toError(
          runtime::execute(call.entry.program, *device, inputs, results)))
    return error;
  SmallVector<Tensor> numbers;
  for (const runtime::DeviceArray &array : judged.arrays) {
    Expected<Tensor> number = makeTensor(array.type);
    if (!number)
      return number.takeError();
    if (Error error = toError(device->copyOut(number->getData(), array.address,
                                              number->getNumBytes())))
      return error;
    numbers.push_back(std::move(*number));
  }
  return call.judge(numbers);
}

Error DeviceModule::launch(StringRef name, ArrayRef<Tensor> inputs,
                           ArrayRef<Tensor> results,
                           const LaunchOptions &options) const {
  Expected<const Entry *> entry = find(name);
  if (!entry)
    return entry.takeError();
  std::lock_guard<std::mutex> lock(mutex);
  std::optional<runtime::ContextKeeper> keeper;
  if (cuda) {
    keeper.emplace();
    cuda->setStream(options.stream);
  }
  if (Error error =
          toError(runtime::checkInputs((*entry)->program, getTypes(inputs))))
    return error;
  Expected<SmallVector<Tensor>> seen = readForRules(**entry, inputs, options);
  if (!seen)
    return seen.takeError();
  Expected<Call> call = prepare(name, *seen);
  if (!call)
    return call.takeError();
  std::vector<runtime::DeviceArray> given, places;
  for (const Tensor &input : inputs)
    given.push_back(getDeviceArray(input));
  for (const Tensor &result : results)
    places.push_back(getDeviceArray(result));
  return run(*call, given, std::move(places));
}

Expected<SmallVector<double>> DeviceModule::time(StringRef name,
                                                 ArrayRef<Tensor> inputs,
                                                 int64_t warmUps,
                                                 int64_t repetitions) const {
  if (!cuda)
    return Executable::time(name, inputs, warmUps, repetitions);
  Expected<Call> call = prepare(name, inputs);
  if (!call)
    return call.takeError();
  std::lock_guard<std::mutex> lock(mutex);
  cuda->setStream(nullptr);
  ResidentArrays resident(*device), results(*device);
  for (const Tensor &input : inputs)
    if (Error error = resident.add(getArrayType(input), input.getData()))
      return std::move(error);
  for (const runtime::ArrayType &type : call->results)
    if (Error error = results.add(type))
      return std::move(error);
  for (int64_t i = 0; i < warmUps + repetitions; ++i) {
    if (Error error = toError(cuda->recordEvent(size_t(i))))
      return std::move(error);
    if (Error error = toError(runtime::execute(
            call->entry.program, *device, resident.arrays, results.arrays)))
      return std::move(error);
  }
  if (Error error = toError(cuda->recordEvent(size_t(warmUps + repetitions))))
    return std::move(error);
  SmallVector<double> times;
  for (int64_t i = warmUps; i < warmUps + repetitions; ++i) {
    double milliseconds = 0;
    if (Error error =
            toError(cuda->elapsed(size_t(i), size_t(i + 1), milliseconds)))
      return std::move(error);
    times.push_back(1e-3 * milliseconds);
  }
  return times;
}

int64_t DeviceModule::getMemoryPeak() const { return device->getPeak(); }

std::string DeviceModule::getReport() const {
  std::string text;
  if (cuda)
    text = "gpu: " + cuda->getName() + "\n" + formatResources(kernels);
  if (emulator)
    for (const LaunchReport &report : emulator->getReports())
      text += report.getText();
  return text;
}
