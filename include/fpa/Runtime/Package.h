//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One file with compiled kernels and the host programs that launch them. Plain
// C++, no LLVM.

#ifndef FPA_RUNTIME_PACKAGE_H
#define FPA_RUNTIME_PACKAGE_H

#include "fpa/Runtime/HostProgram.h"

namespace fpa::runtime {

/// A kernel as the assembler saw it; -1 where no assembler ran.
struct Kernel {
  std::string name;
  int64_t registers = -1;
  /// Bytes of memory for each thread that should have been registers.
  int64_t spillStores = -1, spillLoads = -1;
  /// Bytes of local memory of a thread and of static shared memory of a block.
  int64_t localBytes = -1, sharedBytes = -1;
};

struct Package {
  /// "sm_80": what the kernels are compiled for.
  std::string chip;
  std::vector<HostProgram> programs;
  std::vector<Kernel> kernels;
  /// The same kernels as text that every driver compiles for its GPU and, when
  /// an assembler was there, as machine code; either may be empty.
  std::string ptx, cubin;

  const HostProgram *find(const std::string &entry) const;
};

/// "" when names are unique, every kernel that is launched is there and there
/// is code.
std::string verify(const Package &package);

/// The bytes of the file, with a checksum.
std::string writePackage(const Package &package);

/// Reads and verifies such bytes. Returns "" or what is wrong with them and
/// what would do.
std::string readPackage(const std::string &bytes, Package &package);
/// The same for a file, which the error names.
std::string readPackageFile(const std::string &path, Package &package);

/// Whether a GPU of this compute capability can run the package; an error names
/// both. `path` stands for the package in it, "" for kernels compiled here.
std::string checkChip(const Package &package, const std::string &path,
                      int major, int minor);

/// What is in the package, as JSON: chip, kernels, entries with their types.
std::string describe(const Package &package);

} // namespace fpa::runtime

#endif // FPA_RUNTIME_PACKAGE_H
