//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Runs host programs on a device.

#ifndef FPA_RUNTIME_EXECUTE_H
#define FPA_RUNTIME_EXECUTE_H

#include "fpa/Runtime/Device.h"
#include "fpa/Runtime/HostProgram.h"
#include <functional>

namespace fpa::runtime {

/// An array whose sizes are all known, in the device's memory.
struct DeviceArray {
  ArrayType type;
  Device::Address address = 0;
};

/// The same in the host's memory.
struct HostArray {
  ArrayType type;
  void *data = nullptr;
};

/// Every function returns "" or a one-line error.

/// Whether inputs of these types, with all sizes known, fit the program.
std::string checkInputs(const HostProgram &program,
                        const std::vector<ArrayType> &inputs);

/// The types of the results for inputs of these types, with all sizes known.
std::string computeResultTypes(const HostProgram &program,
                               const std::vector<ArrayType> &inputs,
                               std::vector<ArrayType> &results);

/// Starts the program's kernels; does not wait for them. `results` are either
/// none, and then allocated and the caller's to release, or one array for each
/// of the computed type, which is written to and overlaps no input or other
/// result.
std::string execute(const HostProgram &program, Device &device,
                    const std::vector<DeviceArray> &inputs,
                    std::vector<DeviceArray> &results);

/// Copies the inputs to the device, runs the program and copies the results
/// back into arrays of the computed types. So are the inputs for which `written`
/// is true, if it is given: the program may write to them; but not before
/// `judge`, if it is given, finds no error in the results.
std::string executeOnHostArrays(
    const HostProgram &program, Device &device,
    const std::vector<HostArray> &inputs, const std::vector<HostArray> &results,
    const std::vector<bool> &written = {},
    const std::function<std::string()> &judge = nullptr);

} // namespace fpa::runtime

#endif // FPA_RUNTIME_EXECUTE_H
