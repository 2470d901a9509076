/*===-- fpa-c/Passes.h - C API of the passes ----------------------*- C -*-===*\
|*                                                                            *|
|* Licensed under the Apache License v2.0 with LLVM Exceptions.               *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FPA_C_PASSES_H
#define FPA_C_PASSES_H

#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers all passes and pipelines of fpa by their names, such as
/// "fpa-raise-attention" and "fpa-cpu-pipeline", for mlirParsePassPipeline.
MLIR_CAPI_EXPORTED void fpaRegisterPasses(void);

#ifdef __cplusplus
}
#endif

// mlirCreateFpaTransformsRaiseAttention() and the like, one for each pass.
#include "fpa/Conversion/Passes.capi.h.inc"
#include "fpa/Dialect/Transforms/Passes.capi.h.inc"

#endif // FPA_C_PASSES_H
