//===- Passes.td - Conversions out of the fpa dialect ------*- tablegen -*-===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FPA_CONVERSION_PASSES_TD
#define FPA_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFpaToLLVM : Pass<"convert-fpa-to-llvm", "ModuleOp"> {
  let summary = "lower fpa.parallel_call to a call of the runtime library";
  let description = [{
    Packs the arguments of `fpa.parallel_call` into a struct on the stack and
    calls `fpa_parallel_for` of the runtime library with a trampoline that
    unpacks them:

    ```mlir
    fpa.parallel_call @body(%n) args(%x : i64)
    // becomes
    llvm.store %packed, %slot : !llvm.struct<(i64)>, !llvm.ptr
    %f = func.constant @fpa_trampoline_body : (index, !llvm.ptr) -> ()
    call @fpa_parallel_for(%n, %f, %slot) : (index, !llvm.ptr, !llvm.ptr) -> ()
    ```

    Functions and calls stay in the func dialect: it runs before or together
    with upstream's func-to-llvm conversion.
  }];
  let dependentDialects = ["LLVM::LLVMDialect", "func::FuncDialect"];
}

#endif // FPA_CONVERSION_PASSES_TD
