//===- Passes.td - Conversions out of the fpa dialect ------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_CONVERSION_PASSES_TD
#define FPA_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

#endif // FPA_CONVERSION_PASSES_TD
