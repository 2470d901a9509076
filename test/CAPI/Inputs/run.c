// Uses libfpa.so as a C program would; prints what run.test checks.

#include "fpa/CAPI/Fpa.h"
#include <stdio.h>
#include <string.h>

static FpaProgram *compile(const char *text, const char *entry,
                           const char *target) {
  FpaProgram *program = fpaCompile(text, strlen(text), entry, target, NULL);
  if (!program)
    printf("error: %s\n", fpaLastError());
  return program;
}

static void run(FpaProgram *program, const FpaArray *inputs, int64_t count) {
  FpaResults *results = fpaProgramRun(program, inputs, count);
  if (!results) {
    printf("error: %s\n", fpaLastError());
    return;
  }
  FpaArray sum = fpaResultsGet(results, 0);
  printf("result of rank %d, %d elements:", (int)sum.rank, (int)sum.shape[0]);
  for (int64_t i = 0; i < sum.shape[0]; ++i)
    printf(" %g", ((const float *)sum.data)[i]);
  printf("\nno second result: %d\n", fpaResultsGet(results, 1).data == NULL);
  fpaResultsDestroy(results);
}

/// The sum of arrays of three elements, by addresses and sizes.
static void call(FpaProgram *program, float *a, float *b, int64_t size) {
  int64_t inputs[4] = {(int64_t)(intptr_t)a, (int64_t)(intptr_t)b, 3, size};
  int64_t words[2];
  FpaResults *results = fpaProgramCall(program, inputs, words);
  if (!results) {
    printf("error: %s\n", fpaLastError());
    return;
  }
  printf("called: %d elements, the last %g\n", (int)words[1],
         ((const float *)(intptr_t)words[0])[2]);
  fpaResultsDestroy(results);
}

static void transform(const char *text) {
  FpaText *result =
      fpaTransform(text, strlen(text), "builtin.module(canonicalize)");
  if (!result) {
    printf("error: %s\n", fpaLastError());
    return;
  }
  printf("transformed: %d", strstr(fpaTextGet(result), "arith.addf") != NULL);
  printf(", a remark: %d\n", fpaTextRemarks(result)[0] != 0);
  fpaTextDestroy(result);
}

/// The sum of arrays that stay in the memory of a device.
static void launch(const char *text, const float *a, const float *b) {
  FpaProgram *program = compile(text, "add", "emulator");
  FpaDevice *device = fpaDeviceOpen("emulator");
  uint64_t place[3] = {0, 0, 0};
  for (int i = 0; i < 3; ++i)
    if (!fpaDeviceAllocate(device, 12, NULL, &place[i]))
      printf("error: %s\n", fpaLastError());
  fpaDeviceCopyIn(device, place[0], a, 12, NULL);
  fpaDeviceCopyIn(device, place[2], b, 12, NULL);
  fpaDeviceCopy(device, place[1], place[2], 12, NULL);
  int64_t inputs[4] = {(int64_t)place[0], (int64_t)place[1], 3, 3};
  int64_t size = 0, result = (int64_t)place[2];
  printf("sizes: %d", fpaProgramResultSizes(program, inputs + 2, &size));
  printf(" %d\n", (int)size);
  if (!fpaProgramLaunch(program, inputs, &result, NULL, 1))
    printf("error: %s\n", fpaLastError());
  float sum[3] = {0, 0, 0};
  if (!fpaDeviceSynchronize(device, NULL) ||
      !fpaDeviceCopyOut(device, sum, place[2], 12, NULL))
    printf("error: %s\n", fpaLastError());
  printf("launched: %g %g %g\n", sum[0], sum[1], sum[2]);

  inputs[3] = 2;
  if (!fpaProgramResultSizes(program, inputs + 2, &size))
    printf("error: %s\n", fpaLastError());
  inputs[3] = 3;
  if (!fpaProgramLaunch(program, inputs, inputs, NULL, 1))
    printf("error: %s\n", fpaLastError());
  if (!fpaDeviceClear(device, place[0], 12, NULL) ||
      !fpaDeviceRelease(device, place[0], NULL) || !fpaDeviceTrim(device))
    printf("error: %s\n", fpaLastError());
  if (!fpaDeviceRelease(device, place[0], NULL))
    printf("error: %s\n", fpaLastError());
  fpaProgramDestroy(program);
  fpaDeviceClose(device);
  program = compile(text, "add", "cpu");
  if (!fpaProgramLaunch(program, inputs, &result, NULL, 1))
    printf("error: %s\n", fpaLastError());
  fpaProgramDestroy(program);
  if (!fpaDeviceOpen("tpu"))
    printf("error: %s\n", fpaLastError());
}

int main(void) {
  const char *text =
      "func.func @add(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {"
      "  %c = arith.addf %a, %b : tensor<?xf32>"
      "  return %c : tensor<?xf32>"
      "}";
  compile("func.func @add(", "add", "cpu");
  compile(text, "main", "cpu");
  compile(text, "add", "gpu");
  FpaProgram *program = compile(text, "add", "cpu");
  if (!program)
    return 1;
  printf("%s\n", fpaProgramSignature(program));

  float a[3] = {1, 2, 3}, b[3] = {10, 20, 30};
  int64_t three = 3, two = 2, negative = -3;
  FpaArray good[2] = {{a, &three, 1}, {b, &three, 1}};
  FpaArray uneven[2] = {{a, &three, 1}, {b, &two, 1}};
  FpaArray below[2] = {{a, &three, 1}, {b, &negative, 1}};
  FpaArray null[2] = {{a, &three, 1}, {NULL, &three, 1}};
  FpaArray flat[2] = {{a, &three, 1}, {b, NULL, 0}};
  run(program, good, 2);
  run(program, good, 1);
  run(program, uneven, 2);
  run(program, below, 2);
  run(program, null, 2);
  run(program, flat, 2);
  call(program, a, b, 3);
  call(program, a, b, 2);
  call(program, a, NULL, 3);
  launch(text, a, b);

  transform(text);
  if (!fpaTransform(text, strlen(text), "builtin.module(no-such-pass)"))
    printf("error: %s\n", fpaLastError());

  fpaSetThreads(1);
  printf("threads: %d\n", fpaGetThreads());
  printf("memory was used: %d\n", fpaMemoryPeak() > 0);

  size_t length = 0;
  const char *object = fpaProgramObject(program, &length);
  FpaProgram *loaded =
      fpaProgramLoad(text, strlen(text), "add", NULL, object, length);
  fpaProgramDestroy(program);
  if (!loaded)
    return 1;
  run(loaded, good, 2);
  run(loaded, uneven, 2);
  fpaProgramDestroy(loaded);
  if (!fpaProgramLoad(text, strlen(text), "add", NULL, "not code", 8))
    printf("error: %s\n", fpaLastError());
  if (!fpaProgramLoad(text, strlen(text), "add", NULL, "", 0))
    printf("error: %s\n", fpaLastError());
  printf("compiler: %s\n", fpaCompilerId());
  return 0;
}
