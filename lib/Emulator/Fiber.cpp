//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Fiber.h"
#include <cstdint>
#include <sys/mman.h>

using namespace mlir::fpa;

Stacks::Stacks(size_t count) : count(count) {
  void *memory = mmap(nullptr, count * bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED)
    return;
  base = static_cast<char *>(memory);
  for (size_t i = 0; i < count; ++i)
    mprotect(base + i * bytes, guard, PROT_NONE);
}

Stacks::~Stacks() {
  if (base)
    munmap(base, count * bytes);
}

#ifdef __x86_64__

// A switch keeps the registers that a callee must keep, on the stack it leaves.
// A new fiber finds its entry in r12 and the argument in r13.
extern "C" void fpa_emulator_switch(void **from, void *to);
extern "C" void fpa_emulator_start();
asm(R"(
    .text
    .p2align 4
    .type fpa_emulator_switch,@function
fpa_emulator_switch:
    pushq %rbp
    pushq %rbx
    pushq %r12
    pushq %r13
    pushq %r14
    pushq %r15
    movq %rsp, (%rdi)
    movq %rsi, %rsp
    popq %r15
    popq %r14
    popq %r13
    popq %r12
    popq %rbx
    popq %rbp
    ret
    .size fpa_emulator_switch, .-fpa_emulator_switch

    .p2align 4
    .type fpa_emulator_start,@function
fpa_emulator_start:
    movq %r13, %rdi
    callq *%r12
    ud2
    .size fpa_emulator_start, .-fpa_emulator_start
)");

void Fiber::prepare(char *stack, size_t bytes, void (*entry)(void *),
                    void *argument) {
  auto top = (reinterpret_cast<uintptr_t>(stack) + bytes) & ~uintptr_t(15);
  // r15, r14, r13, r12, rbx, rbp and the place to return to; the stack pointer
  // is a multiple of 16 after the return.
  auto *frame = reinterpret_cast<void **>(top) - 7;
  for (int i = 0; i < 7; ++i)
    frame[i] = nullptr;
  frame[2] = argument;
  frame[3] = reinterpret_cast<void *>(entry);
  frame[6] = reinterpret_cast<void *>(fpa_emulator_start);
  stackPointer = frame;
}

void Fiber::switchTo(Fiber &from, Fiber &to) {
  fpa_emulator_switch(&from.stackPointer, to.stackPointer);
}

#else

void Fiber::start(unsigned high, unsigned low) {
  auto *fiber = reinterpret_cast<Fiber *>(uintptr_t(high) << 32 | low);
  fiber->entry(fiber->argument);
}

void Fiber::prepare(char *stack, size_t bytes, void (*entry)(void *),
                    void *argument) {
  this->entry = entry;
  this->argument = argument;
  getcontext(&context);
  context.uc_stack.ss_sp = stack;
  context.uc_stack.ss_size = bytes;
  context.uc_link = nullptr;
  auto self = reinterpret_cast<uintptr_t>(this);
  makecontext(&context, reinterpret_cast<void (*)()>(start), 2,
              unsigned(uint64_t(self) >> 32), unsigned(self));
}

void Fiber::switchTo(Fiber &from, Fiber &to) {
  swapcontext(&from.context, &to.context);
}

#endif
