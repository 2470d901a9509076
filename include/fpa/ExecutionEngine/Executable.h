//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A compiled module that can be called, whatever it runs on.

#ifndef FPA_EXECUTIONENGINE_EXECUTABLE_H
#define FPA_EXECUTIONENGINE_EXECUTABLE_H

#include "fpa/ExecutionEngine/Signature.h"

namespace mlir::fpa {

struct StageTime {
  std::string name;
  double seconds;
};

class Executable {
public:
  virtual ~Executable();

  /// Checks `inputs` and calls the entry. Only inputs that are buffers in the
  /// entry's type may be written to.
  virtual llvm::Expected<SmallVector<Tensor>>
  invoke(StringRef entry, ArrayRef<Tensor> inputs) const = 0;

  /// The shapes of the entry's results for inputs of these shapes, whose data
  /// is not looked at. For a device's programs alone, as what follows.
  virtual llvm::Expected<SmallVector<SmallVector<int64_t>>>
  computeResultShapes(StringRef entry, ArrayRef<Tensor> inputs) const;

  /// How a launch is made.
  struct LaunchOptions {
    /// The CUstream that it is part of; null is the default one.
    void *stream = nullptr;
    /// Whether rules about elements of inputs are looked at, which are copied
    /// and waited for then.
    bool checkElements = true;
  };
  /// Starts the entry on arrays whose data is in the device's memory, results
  /// included, and does not wait, unless the program has numbers of its own to
  /// be judged.
  virtual llvm::Error launch(StringRef entry, ArrayRef<Tensor> inputs,
                             ArrayRef<Tensor> results,
                             const LaunchOptions &options) const;

  /// The seconds of each of `repetitions` calls, after `warmUps` that are not
  /// counted. A device's memory holds the inputs before and the results after.
  virtual llvm::Expected<SmallVector<double>> time(StringRef entry,
                                                   ArrayRef<Tensor> inputs,
                                                   int64_t warmUps,
                                                   int64_t repetitions) const;

  /// The most bytes that calls held at once; for the CPU, of the whole program
  /// since the last reset.
  virtual int64_t getMemoryPeak() const = 0;

  /// What else is to be said of the calls so far, in lines; maybe nothing.
  virtual std::string getReport() const { return ""; }

  /// Where the time of compilation went, in order.
  ArrayRef<StageTime> getStages() const { return stages; }

protected:
  SmallVector<StageTime> stages;
};

} // namespace mlir::fpa

#endif // FPA_EXECUTIONENGINE_EXECUTABLE_H
