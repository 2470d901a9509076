//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// What is wrong with an access, before it is known whose, and constants.

#ifndef FPA_LIB_EMULATOR_PROBLEM_H
#define FPA_LIB_EMULATOR_PROBLEM_H

#include "Site.h"
#include "Stamp.h"

namespace mlir::fpa {

/// A constant of a program.
struct Constant {
  std::string name;
  int64_t bytes = 0;
  uint64_t begin = 0;
};

struct Problem {
  bool found = false;
  Finding::Kind kind = Finding::Kind::Race;
  /// First byte of the access with the problem, from the start of the memory.
  int64_t offset = 0;
  std::string what;
  /// Whose access it is that this one meets, for what is said of it after
  /// `what`; and its block's place in the grid, if that is another block.
  std::optional<Accessor> other = std::nullopt;
  std::optional<uint64_t> otherBlock = std::nullopt;

  explicit operator bool() const { return found; }
};

inline Problem unwritten(int64_t offset) {
  return {true, Finding::Kind::Uninitialized, offset,
          "that nobody has written"};
}

/// "start + 4"
inline std::string formatOffset(const std::string &start, int64_t offset) {
  return start + (offset < 0 ? " - " : " + ") +
         std::to_string(offset < 0 ? -uint64_t(offset) : uint64_t(offset));
}

/// "store at a.mlir:3:4"
inline std::string describe(const Site &site) {
  std::string place = site.location;
  if (place.size() > 2)
    place.resize(place.size() - 2);
  return site.op + (place.empty() ? "" : " at " + place);
}

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_PROBLEM_H
