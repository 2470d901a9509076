//===- FpaOps.td - Ops of the fpa dialect, level by level --*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_FPAOPS_TD
#define FPA_DIALECT_IR_FPAOPS_TD

include "fpa/Dialect/IR/GraphOps.td"
include "fpa/Dialect/IR/CacheOps.td"
include "fpa/Dialect/IR/StreamingOps.td"
include "fpa/Dialect/IR/PruneOps.td"
include "fpa/Dialect/IR/TileProgramOps.td"
include "fpa/Dialect/IR/MachineOps.td"

#endif // FPA_DIALECT_IR_FPAOPS_TD
