//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Memory of compiled code: counted, aligned, and poisoned on request. Large
// blocks are kept when freed, since fresh pages from the system cost more than
// filling them: a kernel called in a loop would mostly wait for page faults.

#include "Landing.h"
#include "fpa/Runtime/Runtime.h"

#include <atomic>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__linux__)
#include <sys/mman.h>
#endif
#include <unistd.h>

using fpa_runtime::BlockLink;
using fpa_runtime::Landing;
using fpa_runtime::landing;

namespace {
constexpr int64_t minAlignment = 64;
constexpr int64_t keptBlockBytes = int64_t(1) << 20;
constexpr int64_t keptTotalBytes = int64_t(256) << 20;
constexpr int keptBlocks = 16;
constexpr int64_t largePageBlockBytes = int64_t(4) << 20;

/// Lies directly before the address handed out.
struct Header {
  void *base;
  /// Bytes asked for, and bytes that fit behind the address.
  int64_t size;
  int64_t capacity;
  int64_t alignment;
  BlockLink link;
};
static_assert(sizeof(Header) <= minAlignment, "the header fits its padding");

std::atomic<int64_t> currentBytes{0};
std::atomic<int64_t> peakBytes{0};
/// -1 until the environment has been asked.
std::atomic<int32_t> poison{-1};

pthread_mutex_t keptMutex = PTHREAD_MUTEX_INITIALIZER;
void *kept[keptBlocks];
int keptCount = 0;
int64_t keptBytes = 0;

Header *headerOf(void *address) { return static_cast<Header *>(address) - 1; }

bool isPoisonOn() {
  int32_t on = poison.load(std::memory_order_relaxed);
  if (on < 0) {
    const char *text = getenv("FPA_POISON");
    on = text && strcmp(text, "1") == 0;
    poison = on;
  }
  return on != 0;
}

void count(int64_t bytes) {
  int64_t now =
      currentBytes.fetch_add(bytes, std::memory_order_relaxed) + bytes;
  int64_t peak = peakBytes.load(std::memory_order_relaxed);
  while (now > peak && !peakBytes.compare_exchange_weak(
                           peak, now, std::memory_order_relaxed)) {
  }
}

/// A kept block that fits `size` without wasting more than a quarter, or null.
void *takeKept(int64_t alignment, int64_t size) {
  void *found = nullptr;
  pthread_mutex_lock(&keptMutex);
  for (int i = keptCount - 1; i >= 0 && !found; --i) {
    Header *header = headerOf(kept[i]);
    if (header->alignment >= alignment && header->capacity >= size &&
        header->capacity - size <= header->capacity / 4) {
      found = kept[i];
      keptBytes -= header->capacity;
      kept[i] = kept[--keptCount];
    }
  }
  pthread_mutex_unlock(&keptMutex);
  return found;
}

bool keep(void *address) {
  Header *header = headerOf(address);
  if (header->capacity < keptBlockBytes)
    return false;
  pthread_mutex_lock(&keptMutex);
  bool fits =
      keptCount < keptBlocks && keptBytes + header->capacity <= keptTotalBytes;
  if (fits) {
    kept[keptCount++] = address;
    keptBytes += header->capacity;
  }
  pthread_mutex_unlock(&keptMutex);
  return fits;
}

/// Asks for large pages under a large block: stores that stream through it
/// would otherwise wait for a translation every few kilobytes. It is advice
/// only.
void adviseLargePages(char *base, int64_t size) {
#if defined(__linux__)
  if (size < largePageBlockBytes)
    return;
  uintptr_t page = uintptr_t(sysconf(_SC_PAGESIZE));
  uintptr_t first = (uintptr_t(base) + page - 1) / page * page;
  uintptr_t last = (uintptr_t(base) + uintptr_t(size)) / page * page;
  if (first < last)
    madvise(reinterpret_cast<void *>(first), last - first, MADV_HUGEPAGE);
#endif
}

void remember(BlockLink &block) {
  block = {nullptr, nullptr};
  if (!landing)
    return;
  BlockLink &all = landing->blocks;
  block = {all.previous, &all};
  all.previous->next = &block;
  all.previous = &block;
}

void forget(BlockLink &block) {
  if (!block.next)
    return;
  block.previous->next = block.next;
  block.next->previous = block.previous;
  block = {nullptr, nullptr};
}

void *addressOf(BlockLink *block) {
  return reinterpret_cast<char *>(block) - offsetof(Header, link) +
         sizeof(Header);
}

[[noreturn]] void outOfMemory(int64_t bytes) {
  fpa_runtime::fail({bytes, 0, 0, 0, 0});
}

void *allocate(int64_t alignment, int64_t size) {
  alignment = alignment < minAlignment ? minAlignment : alignment;
  if (size < 0 || size > INT64_MAX - alignment)
    outOfMemory(size < 0 ? INT64_MAX : size);
  void *address = size >= keptBlockBytes ? takeKept(alignment, size) : nullptr;
  if (!address) {
    void *base = nullptr;
    if (posix_memalign(&base, size_t(alignment), size_t(size + alignment)) != 0)
      outOfMemory(size > 0 ? size : 1);
    adviseLargePages(static_cast<char *>(base), size + alignment);
    address = static_cast<char *>(base) + alignment;
    *headerOf(address) = {base, size, size, alignment, {nullptr, nullptr}};
  }
  headerOf(address)->size = size;
  remember(headerOf(address)->link);
  count(size);
  if (isPoisonOn())
    memset(address, 0xFF, size_t(size));
  return address;
}
} // namespace

__thread Landing *fpa_runtime::landing = nullptr;

void fpa_runtime::fail(const fpa_failure &failure) {
  if (landing) {
    landing->failure = failure;
    _longjmp(landing->place, 1);
  }
  if (failure.bytes)
    fprintf(stderr, "fpa: error: out of memory, could not get %lld bytes\n",
            static_cast<long long>(failure.bytes));
  else
    fprintf(stderr, "fpa: error: an operand has size %lld, expected %lld\n",
            static_cast<long long>(failure.size),
            static_cast<long long>(failure.first));
  fflush(nullptr);
  _exit(1);
}

extern "C" {

int32_t fpa_call(void (*fn)(void *), void *ctx, fpa_failure *failure) {
  // Written before the jump and read after it.
  volatile int32_t hasFailed = 0;
  Landing here;
  here.outer = landing;
  here.blocks = {&here.blocks, &here.blocks};
  landing = &here;
  if (_setjmp(here.place) == 0) {
    fn(ctx);
    // What is left are results: their owner may be another thread.
    while (here.blocks.next != &here.blocks)
      forget(*here.blocks.next);
  } else {
    hasFailed = 1;
    *failure = here.failure;
    while (here.blocks.next != &here.blocks)
      _mlir_memref_to_llvm_free(addressOf(here.blocks.next));
  }
  landing = here.outer;
  return hasFailed;
}

void fpa_check_failed(int64_t check, int64_t size, int64_t first,
                      int64_t second) {
  fpa_runtime::fail({0, check, size, first, second});
}

void *_mlir_memref_to_llvm_alloc(int64_t size) {
  return allocate(minAlignment, size);
}

void *_mlir_memref_to_llvm_aligned_alloc(int64_t alignment, int64_t size) {
  return allocate(alignment, size);
}

void _mlir_memref_to_llvm_free(void *address) {
  if (!address)
    return;
  forget(headerOf(address)->link);
  currentBytes.fetch_sub(headerOf(address)->size, std::memory_order_relaxed);
  if (!keep(address))
    free(headerOf(address)->base);
}

void fpa_set_poison(int32_t on) { poison = on != 0; }

int64_t fpa_memory_current(void) { return currentBytes; }
int64_t fpa_memory_peak(void) { return peakBytes; }
void fpa_memory_reset(void) { peakBytes = currentBytes.load(); }

void fpa_memory_trim(void) {
  pthread_mutex_lock(&keptMutex);
  for (int i = 0; i < keptCount; ++i)
    free(headerOf(kept[i])->base);
  keptCount = 0;
  keptBytes = 0;
  pthread_mutex_unlock(&keptMutex);
}

} // extern "C"
