// Builds, transforms and prints a module through the C API of MLIR and fpa;
// prints what mlir.test checks.

#include "fpa-c/Dialects.h"
#include "fpa-c/Passes.h"
#include "mlir-c/BuiltinAttributes.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/Dialect/Func.h"
#include "mlir-c/IR.h"
#include "mlir-c/Pass.h"
#include "mlir-c/RegisterEverything.h"
#include <stdio.h>

static void print(MlirStringRef text, void *unused) {
  (void)unused;
  fwrite(text.data, 1, text.length, stdout);
}

static MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static MlirLogicalResult report(MlirDiagnostic diagnostic, void *unused) {
  (void)unused;
  printf("diagnostic: ");
  mlirDiagnosticPrint(diagnostic, print, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static MlirModule parse(MlirContext context) {
  return mlirModuleCreateParse(
      context,
      ref("func.func @attend(%q: tensor<1x2x8x16xf32>, %k: "
          "tensor<1x2x8x16xf32>,"
          " %v: tensor<1x2x8x4xf32>, %f: tensor<1x2x8xf32>,"
          " %init: tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32> {"
          "  %o = fpa.attention ins(%q, %k, %v : tensor<1x2x8x16xf32>,"
          "    tensor<1x2x8x16xf32>, tensor<1x2x8x4xf32>)"
          "    field(%f : tensor<1x2x8xf32>) level(%f : tensor<1x2x8xf32>)"
          "    outs(%init : tensor<1x2x8x4xf32>) -> tensor<1x2x8x4xf32>"
          "  return %o : tensor<1x2x8x4xf32>"
          "}"));
}

/// The dialect alone, which is loaded by its handle.
static void parseOnly(void) {
  MlirContext context = mlirContextCreate();
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__fpa__(), context);
  mlirDialectHandleRegisterDialect(mlirGetDialectHandle__func__(), context);
  mlirContextLoadAllAvailableDialects(context);
  MlirModule module = parse(context);
  printf("parsed by the handle's dialect: %d\n", !mlirModuleIsNull(module));
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
}

static void layouts(MlirContext context) {
  MlirStringRef good[2] = {ref("l2 l3 l4 r w0 w1 x1"), ref("r l0 l1 x8")};
  MlirStringRef bad[1] = {ref("lane")};
  MlirLocation here = mlirLocationUnknownGet(context);
  MlirAttribute layout = fpaLayoutAttrGetChecked(here, 2, good);
  mlirAttributePrint(layout, print, NULL);
  MlirStringRef second = fpaLayoutAttrGetDim(layout, 1);
  printf(" is a layout: %d, of %d dimensions, the second %.*s\n",
         fpaAttributeIsALayout(layout), (int)fpaLayoutAttrGetNumDims(layout),
         (int)second.length, second.data);
  printf("a unit is one: %d\n",
         fpaAttributeIsALayout(mlirUnitAttrGet(context)));
  printf("no layout: %d\n",
         mlirAttributeIsNull(fpaLayoutAttrGetChecked(here, 1, bad)));
}

static void run(MlirContext context, MlirPassManager pm, const char *what) {
  MlirModule module = parse(context);
  MlirOperation op = mlirModuleGetOperation(module);
  bool worked = mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(pm, op));
  printf("== %s: %d\n", what, worked);
  if (worked)
    mlirOperationPrint(op, print, NULL);
  mlirModuleDestroy(module);
  mlirPassManagerDestroy(pm);
}

static MlirPassManager pipeline(MlirContext context, const char *text) {
  MlirPassManager pm = mlirPassManagerCreate(context);
  MlirLogicalResult parsed = mlirParsePassPipeline(
      mlirPassManagerGetAsOpPassManager(pm), ref(text), print, NULL);
  if (mlirLogicalResultIsFailure(parsed))
    printf("no pipeline: %s\n", text);
  return pm;
}

int main(void) {
  parseOnly();

  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  fpaRegisterDialectAndInterfaces(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirContextLoadAllAvailableDialects(context);
  mlirContextAttachDiagnosticHandler(context, report, NULL, NULL);
  fpaRegisterPasses();

  layouts(context);

  // A pass made by its function, and pipelines by name.
  MlirPassManager pm = mlirPassManagerCreate(context);
  mlirPassManagerAddOwnedPass(pm, mlirCreateFpaTransformsDecompose());
  run(context, pm, "decompose");
  run(context, pipeline(context, "builtin.module(fpa-tile-attention)"), "tile");
  run(context, pipeline(context, "builtin.module(fpa-cpu-pipeline)"),
      "pipeline");
  mlirContextDestroy(context);
  return 0;
}
