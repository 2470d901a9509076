// RUN: fpa-opt %s | fpa-opt | FileCheck %s
// RUN: fpa-opt %s --mlir-print-op-generic | fpa-opt | FileCheck %s

// CHECK-LABEL: func.func @with_lse
// CHECK: fpa.backward_delta ins(%{{.*}}, %{{.*}} : tensor<48x64xf16>, tensor<48x64xf16>) lse_gradient(%{{.*}} : tensor<48xf32>) outs(%{{.*}} : tensor<48xf32>) -> tensor<48xf32>
func.func @with_lse(%o: tensor<48x64xf16>, %do: tensor<48x64xf16>, %dlse: tensor<48xf32>,
                    %d0: tensor<48xf32>) -> tensor<48xf32> {
  %d = fpa.backward_delta
    ins(%o, %do : tensor<48x64xf16>, tensor<48x64xf16>) lse_gradient(%dlse : tensor<48xf32>)
    outs(%d0 : tensor<48xf32>) -> tensor<48xf32>
  return %d : tensor<48xf32>
}

// Nothing may be given for the lse, and delta may have rows to spare.
// CHECK-LABEL: func.func @rows_to_spare
// CHECK: fpa.backward_delta ins(%{{.*}}, %{{.*}} : tensor<5x3xf32>, tensor<5x3xf32>) outs(%{{.*}} : tensor<8xf32>) -> tensor<8xf32>
func.func @rows_to_spare(%o: tensor<5x3xf32>, %d0: tensor<8xf32>) -> tensor<8xf32> {
  %d = fpa.backward_delta ins(%o, %o : tensor<5x3xf32>, tensor<5x3xf32>)
    outs(%d0 : tensor<8xf32>) -> tensor<8xf32>
  return %d : tensor<8xf32>
}

// CHECK-LABEL: func.func @dynamic
// CHECK: fpa.backward_delta ins(%{{.*}}, %{{.*}} : tensor<?x?xbf16>, tensor<?x16xbf16>) lse_gradient(%{{.*}} : tensor<7xf32>) outs(%{{.*}} : tensor<?xf32>) -> tensor<?xf32>
func.func @dynamic(%o: tensor<?x?xbf16>, %do: tensor<?x16xbf16>, %dlse: tensor<7xf32>,
                   %d0: tensor<?xf32>) -> tensor<?xf32> {
  %d = fpa.backward_delta
    ins(%o, %do : tensor<?x?xbf16>, tensor<?x16xbf16>) lse_gradient(%dlse : tensor<7xf32>)
    outs(%d0 : tensor<?xf32>) -> tensor<?xf32>
  return %d : tensor<?xf32>
}

// CHECK-LABEL: func.func @memrefs
// CHECK: fpa.backward_delta ins(%{{.*}}, %{{.*}} : memref<5x3xf64>, memref<5x3xf64>) lse_gradient(%{{.*}} : memref<5xf64>) outs(%{{.*}} : memref<5xf64>){{$}}
func.func @memrefs(%o: memref<5x3xf64>, %l: memref<5xf64>, %d: memref<5xf64>) {
  fpa.backward_delta ins(%o, %o : memref<5x3xf64>, memref<5x3xf64>)
    lse_gradient(%l : memref<5xf64>) outs(%d : memref<5xf64>)
  return
}
