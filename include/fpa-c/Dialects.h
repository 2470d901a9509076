/*===-- fpa-c/Dialects.h - C API of the fpa dialect ---------------*- C -*-===*\
|*                                                                            *|
|* Licensed under the Apache License v2.0 with LLVM Exceptions.               *|
|* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                    *|
|*                                                                            *|
\*===----------------------------------------------------------------------===*/

#ifndef FPA_C_DIALECTS_H
#define FPA_C_DIALECTS_H

#include "mlir-c/IR.h"

#ifdef __cplusplus
extern "C" {
#endif

/// The dialect alone: enough to parse, build, verify and print its ops.
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Fpa, fpa);

/// The dialect and what attaches to it when it is loaded: bufferization, the
/// ops of the transform dialect, the conversion to the llvm dialect. Passes of
/// the pipelines need them.
MLIR_CAPI_EXPORTED void
fpaRegisterDialectAndInterfaces(MlirDialectRegistry registry);

//===----------------------------------------------------------------------===//
// #fpa.layout
//===----------------------------------------------------------------------===//

MLIR_CAPI_EXPORTED bool fpaAttributeIsALayout(MlirAttribute attribute);

/// #fpa.layout<[...]> with a text for each dimension, as "r l0 l1 x8". Null, with
/// a diagnostic at the location, for texts that are no layout.
MLIR_CAPI_EXPORTED MlirAttribute
fpaLayoutAttrGetChecked(MlirLocation location, intptr_t count,
                        const MlirStringRef *dims);

MLIR_CAPI_EXPORTED intptr_t fpaLayoutAttrGetNumDims(MlirAttribute layout);

/// The text of a dimension. It lives as long as the context.
MLIR_CAPI_EXPORTED MlirStringRef fpaLayoutAttrGetDim(MlirAttribute layout,
                                                     intptr_t dim);

#ifdef __cplusplus
}
#endif

#endif // FPA_C_DIALECTS_H
