//===----------------------------------------------------------------------===//
//
// Licensed under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "fpa/InitAll.h"
#include "fpa/Conversion/FpaToLLVM/FpaToLLVM.h"
#include "fpa/Conversion/Passes.h"
#include "fpa/Dialect/IR/FpaDialect.h"
#include "fpa/Dialect/TransformOps/FpaTransformOps.h"
#include "fpa/Dialect/Transforms/BufferizableOpInterfaceImpl.h"
#include "fpa/Dialect/Transforms/Passes.h"
#include "fpa/Pipelines/CPUPipeline.h"
#include "fpa/Pipelines/GPUPipeline.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;

void fpa::registerFpaDialect(DialectRegistry &registry) {
  registry.insert<FpaDialect>();
  registerBufferizableOpInterfaceExternalModels(registry);
  registerTransformDialectExtension(registry);
  registerConvertFpaToLLVMInterface(registry);
}

void fpa::registerFpaPasses() {
  registerFpaTransformsPasses();
  registerFpaConversionPasses();
  registerCPUPipelines();
  registerGPUPipelines();
}
