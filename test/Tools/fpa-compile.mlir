// RUN: rm -rf %t && mkdir %t
// RUN: fpa-compile %s --emit=header -o %t/entry.h
// RUN: FileCheck %s --check-prefix=HEADER < %t/entry.h
// HEADER: typedef struct fpa_2d_f32 {
// HEADER:   float *allocated, *data;
// HEADER:   int64_t offset;
// HEADER:   int64_t sizes[2], strides[2];
// HEADER: typedef struct fpa_0d_f32 {
// HEADER-NEXT: float *allocated, *data;
// HEADER-NEXT: int64_t offset;
// HEADER-NEXT: } fpa_0d_f32;
// HEADER: /* ?x3xf32 -> ?x3xf32, f32 */
// HEADER: void _mlir_ciface_main(fpa_results_main *results, const fpa_2d_f32 *in0);

// A shared library carries the runtime library and serves a C program.
// RUN: fpa-compile %s --emit=so -o %t/libentry.so
// RUN: %cc -I%t %S/Inputs/call.c %t/libentry.so -Wl,-rpath,%t -o %t/call
// RUN: %t/call | FileCheck %s --check-prefix=CALL
// CALL: {{^}}2 4 6 8 10 12 3{{$}}
// CALL: {{^}}42{{$}}

// An object is linked by hand.
// RUN: fpa-compile %s --emit=obj -o %t/entry.o
// RUN: %cc -I%t %S/Inputs/call.c %t/entry.o %fpa_lib_dir/libFpaRuntime.a -lpthread -lm -o %t/call2
// RUN: %t/call2 | FileCheck %s --check-prefix=CALL

// RUN: fpa-compile %s --emit=llvm --cpu=x86-64-v3 --entry=main -o %t/entry.ll
// RUN: FileCheck %s --check-prefix=LLVM < %t/entry.ll
// LLVM: target triple
// LLVM: define void @_mlir_ciface_main(ptr {{.*}}, ptr {{.*}})
// LLVM: "target-cpu"="x86-64-v3"

// RUN: fpa-compile %s --emit=mlir --entry=main -o %t/entry.mlir
// RUN: FileCheck %s --check-prefix=MLIR < %t/entry.mlir
// MLIR: llvm.func @_mlir_ciface_main
// MLIR-NOT: @other

// Text goes to standard output, and no file is made.
// RUN: cd %t && fpa-compile %s --emit=header -o - | diff - entry.h
// RUN: cd %t && fpa-compile %s --emit=llvm --cpu=x86-64-v3 --entry=main -o - | diff - entry.ll
// RUN: cd %t && fpa-compile %s --emit=mlir --entry=main -o - | diff - entry.mlir

// RUN: ls %t | FileCheck %s --check-prefix=LEFT
// LEFT:      call
// LEFT-NEXT: call2
// LEFT-NEXT: entry.h
// LEFT-NEXT: entry.ll
// LEFT-NEXT: entry.mlir
// LEFT-NEXT: entry.o
// LEFT-NEXT: libentry.so
// LEFT-NOT:  {{.}}
func.func @main(%x: tensor<?x3xf32>) -> (tensor<?x3xf32>, tensor<f32>) {
  %y = arith.addf %x, %x : tensor<?x3xf32>
  %c = arith.constant dense<42.0> : tensor<f32>
  return %y, %c : tensor<?x3xf32>, tensor<f32>
}
func.func @other(%x: tensor<1x2x?x8xf32>, %f: tensor<1x2x?xf32>, %o: tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32> {
  %r = fpa.attention
    ins(%x, %x, %x : tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>, tensor<1x2x?x8xf32>)
    field(%f : tensor<1x2x?xf32>) outs(%o : tensor<1x2x?x8xf32>) -> tensor<1x2x?x8xf32>
  return %r : tensor<1x2x?x8xf32>
}
