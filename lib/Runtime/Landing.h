//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_LIB_RUNTIME_LANDING_H
#define FPA_LIB_RUNTIME_LANDING_H

#include "fpa/Runtime/Runtime.h"

#include <setjmp.h>
#include <stdint.h>

namespace fpa_runtime {

/// A block's place in the list of those that a call allocated and has not freed
/// yet; null outside of one.
struct BlockLink {
  BlockLink *previous, *next;
};

/// Where a thread goes on when a call cannot: compiled code has only its blocks
/// to clean up. A block is allocated and freed by one thread, since
/// no memory leaves an index of a parallel loop; what lives longer is the
/// result of a call, which has ended by then.
struct Landing {
  jmp_buf place;
  Landing *outer;
  BlockLink blocks;
  fpa_failure failure;
};

/// Of this thread; null where the process ends instead.
extern __thread Landing *landing;

/// Goes on at the landing, or ends the process.
[[noreturn]] void fail(const fpa_failure &failure);

} // namespace fpa_runtime

#endif // FPA_LIB_RUNTIME_LANDING_H
