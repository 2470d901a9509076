//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Threads that switch by hand, on stacks of their own.

#ifndef FPA_LIB_EMULATOR_FIBER_H
#define FPA_LIB_EMULATOR_FIBER_H

#include <cstddef>
#ifndef __x86_64__
#include <ucontext.h>
#endif

namespace mlir::fpa {

/// Memory for stacks, each with a guard page below it. Pages that no stack
/// touched take no memory.
class Stacks {
public:
  explicit Stacks(size_t count);
  ~Stacks();
  Stacks(const Stacks &) = delete;
  Stacks &operator=(const Stacks &) = delete;

  /// Local memory that a thread of a GPU has.
  static constexpr size_t local = 512 * 1024;
  /// What the emulator's own functions need on a stack, and spilled registers.
  static constexpr size_t reserved = 128 * 1024;
  static constexpr size_t bytes = local + 2 * reserved;
  /// Lowest usable address of a stack.
  char *get(size_t i) const { return base + i * bytes + guard; }
  static constexpr size_t usable() { return bytes - guard; }
  bool isValid() const { return base != nullptr; }

private:
  static constexpr size_t guard = 4096;
  char *base = nullptr;
  size_t count;
};

/// A place where execution can go on. The default one is for the code that
/// switches first.
class Fiber {
public:
  /// Makes this one call `entry(argument)`, which never returns, on `stack`.
  void prepare(char *stack, size_t bytes, void (*entry)(void *),
               void *argument);
  /// Leaves `from`, to be gone on with later, and goes on with `to`.
  static void switchTo(Fiber &from, Fiber &to);

private:
#ifdef __x86_64__
  void *stackPointer = nullptr;
#else
  ucontext_t context;
  void (*entry)(void *) = nullptr;
  void *argument = nullptr;
  static void start(unsigned high, unsigned low);
#endif
};

} // namespace mlir::fpa

#endif // FPA_LIB_EMULATOR_FIBER_H
