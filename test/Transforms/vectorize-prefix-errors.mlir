// RUN: fpa-opt %s --fpa-vectorize-prefix -verify-diagnostics
// RUN: not fpa-opt %s --fpa-vectorize-prefix=chunk=48 2>&1 | FileCheck %s --check-prefix=CHUNK
// CHUNK: error: expected option chunk to be a power of two, got 48
// CHUNK-NOT: current operation
// RUN: not fpa-opt %s --fpa-vectorize-prefix=columns=0 2>&1 | FileCheck %s --check-prefix=COLUMNS
// COLUMNS: error: expected option columns to be a power of two, got 0
// COLUMNS-NOT: current operation
// RUN: not fpa-opt %s --fpa-vectorize-prefix=rows=-4 2>&1 | FileCheck %s --check-prefix=ROWS
// ROWS: error: expected option rows to be a power of two, got -4
// ROWS-NOT: current operation

func.func @tensors(%x: tensor<4xf32>, %y: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{expected memref operands, got tensors; bufferize before this pass}}
  %r = fpa.prefix_min axis(0) ins(%x : tensor<4xf32>) outs(%y : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
