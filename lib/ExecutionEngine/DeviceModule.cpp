//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/ExecutionEngine/DeviceModule.h"
#include "MeteredDevice.h"
#include "Watch.h"
#include "fpa/Emulator/EmulatorDevice.h"
#include "fpa/ExecutionEngine/CompiledModule.h"
#include "fpa/ExecutionEngine/Signature.h"
#include "fpa/Runtime/CudaDevice.h"

using namespace mlir;
using namespace mlir::fpa;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;

static Error toError(const std::string &problem) {
  return problem.empty() ? Error::success() : createStringError(problem);
}

Expected<GPUTarget> mlir::fpa::getCudaChip(StringRef name) {
  std::unique_ptr<runtime::CudaDevice> device;
  if (Error error = toError(runtime::CudaDevice::open(device)))
    return std::move(error);
  return name.empty() ? chooseGPUTarget(device->getMajor(), device->getMinor())
                      : getGPUTarget(name);
}

DeviceModule::DeviceModule() = default;
DeviceModule::~DeviceModule() = default;

Expected<std::unique_ptr<DeviceModule>>
DeviceModule::compile(ModuleOp module, ArrayRef<StringRef> names,
                      const GPUCompileOptions &options, Kind kind) {
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
  }
  std::string unchecked =
      late.empty() ? "" : late[0].rule.op + ": expected " + late[0].rule.what;
  watch.stage("entries");
  if (Error error = lowerToNVVM(module, options, &result->stages))
    return std::move(error);
  if (Error error = result->open(module, names, options, kind))
    return std::move(error);
  // A host program that has no branches cannot check them on its way.
  if (!unchecked.empty())
    return createStringError(
        unchecked + " to follow from the inputs' sizes on a GPU, got one that "
                    "is known only while the program runs");
  return std::move(result);
}

Error DeviceModule::open(ModuleOp module, ArrayRef<StringRef> names,
                         const GPUCompileOptions &options, Kind kind) {
  std::vector<runtime::HostProgram> programs;
  if (kind == Kind::Cuda) {
    auto package = makePackage(module, names, options, &stages);
    if (!package)
      return package.takeError();
    Watch watch(&stages);
    if (Error error = toError(runtime::CudaDevice::open(cuda)))
      return error;
    if (Error error = toError(cuda->load(*package, "program")))
      return error;
    watch.stage("loading");
    device = std::make_unique<MeteredDevice>(*cuda);
    programs = std::move(package->programs);
    kernels.append(package->kernels.begin(), package->kernels.end());
  } else {
    // A program whose sizes leave nothing to compute has no kernels.
    if (module.getOps<gpu::GPUModuleOp>().empty()) {
      OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
      gpu::GPUModuleOp::create(b, module.getLoc(), "kernels");
    }
    Expected<gpu::GPUModuleOp> found = findKernels(module);
    if (!found)
      return found.takeError();
    auto translated = translateHostPrograms(module, names);
    if (!translated)
      return translated.takeError();
    programs = std::move(*translated);
    Watch watch(&stages);
    auto created = Emulator::create(*found);
    if (!created)
      return created.takeError();
    watch.stage("emulator");
    emulator = std::make_unique<EmulatorDevice>(std::move(*created));
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

Expected<DeviceModule::Call>
DeviceModule::prepare(StringRef name, ArrayRef<Tensor> inputs) const {
  auto entry = entries.find(name);
  if (entry == entries.end())
    return createStringError("no entry '" + name + "' in the compiled module");
  const Entry &found = entry->getValue();
  std::vector<runtime::ArrayType> types = getTypes(inputs);
  if (Error error = toError(runtime::checkInputs(found.program, types)))
    return std::move(error);
  if (Error error = found.rules.check(inputs))
    return std::move(error);
  Call call{found.program, found.written, {}};
  if (Error error = toError(
          runtime::computeResultTypes(call.program, types, call.results)))
    return std::move(error);
  return call;
}

Expected<SmallVector<Tensor>>
DeviceModule::invoke(StringRef name, ArrayRef<Tensor> inputs) const {
  Expected<Call> call = prepare(name, inputs);
  if (!call)
    return call.takeError();
  SmallVector<Tensor> results;
  for (const runtime::ArrayType &type : call->results) {
    Expected<Tensor> result = Tensor::create(
        *parseElementKind(runtime::getName(type.element)), type.shape);
    if (!result)
      return result.takeError();
    results.push_back(std::move(*result));
  }
  if (Error error = toError(runtime::executeOnHostArrays(
          call->program, *device, getArrays(inputs), getArrays(results),
          call->written)))
    return std::move(error);
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

Expected<SmallVector<double>> DeviceModule::time(StringRef name,
                                                 ArrayRef<Tensor> inputs,
                                                 int64_t warmUps,
                                                 int64_t repetitions) const {
  if (!cuda)
    return Executable::time(name, inputs, warmUps, repetitions);
  Expected<Call> call = prepare(name, inputs);
  if (!call)
    return call.takeError();
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
            call->program, *device, resident.arrays, results.arrays)))
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
