//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An array as fpa's C libraries take and give it.

#ifndef FPA_CAPI_ARRAY_H
#define FPA_CAPI_ARRAY_H

#include <stdint.h>

/// Row-major elements, of the type that the function's signature names.
typedef struct {
  void *data;
  const int64_t *shape;
  int64_t rank;
} FpaArray;

#endif // FPA_CAPI_ARRAY_H
