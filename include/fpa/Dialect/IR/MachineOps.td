//===- MachineOps.td - Ops that reach the runtime ----------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_DIALECT_IR_MACHINEOPS_TD
#define FPA_DIALECT_IR_MACHINEOPS_TD

include "fpa/Dialect/IR/FpaOpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Fpa_ParallelCallOp : Fpa_Op<"parallel_call", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "calls a function for every index of a range, on all threads";
  let description = [{
    Calls `callee(i, args...)` once for every `0 <= i < count`, in any order
    and concurrently, and returns when all calls have returned. The callee
    returns nothing. See C1 to C3 of `docs/Spec.md`.

    ```mlir
    fpa.parallel_call @body(%n) args(%a, %b : memref<?xf32>, index)
    ```
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, Index:$count,
                       Variadic<AnyType>:$args);
  let assemblyFormat = [{
    $callee `(` $count `)` (`args` `(` $args^ `:` type($args) `)`)? attr-dict
  }];
}

#endif // FPA_DIALECT_IR_MACHINEOPS_TD
