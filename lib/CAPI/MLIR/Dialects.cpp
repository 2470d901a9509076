//===- Dialects.cpp - C API of the fpa dialect ----------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa-c/Dialects.h"
#include "fpa/Dialect/IR/FpaOps.h"
#include "fpa/InitAll.h"
#include "mlir/CAPI/IR.h"
#include "mlir/CAPI/Registration.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace mlir::fpa;

MLIR_DEFINE_CAPI_DIALECT_REGISTRATION(Fpa, fpa, mlir::fpa::FpaDialect)

void fpaRegisterDialectAndInterfaces(MlirDialectRegistry registry) {
  registerFpaDialect(*unwrap(registry));
}

bool fpaAttributeIsALayout(MlirAttribute attribute) {
  return isa<LayoutAttr>(unwrap(attribute));
}

MlirAttribute fpaLayoutAttrGetChecked(MlirLocation location, intptr_t count,
                                      const MlirStringRef *dims) {
  Location loc = unwrap(location);
  SmallVector<StringAttr> texts;
  for (intptr_t dim = 0; dim < count; ++dim)
    texts.push_back(StringAttr::get(loc.getContext(), unwrap(dims[dim])));
  auto report = [&] { return emitError(loc); };
  return wrap(LayoutAttr::getChecked(function_ref<InFlightDiagnostic()>(report),
                                     loc.getContext(), ArrayRef(texts)));
}

intptr_t fpaLayoutAttrGetNumDims(MlirAttribute layout) {
  return cast<LayoutAttr>(unwrap(layout)).getDims().size();
}

MlirStringRef fpaLayoutAttrGetDim(MlirAttribute layout, intptr_t dim) {
  return wrap(cast<LayoutAttr>(unwrap(layout)).getDims()[dim].getValue());
}
