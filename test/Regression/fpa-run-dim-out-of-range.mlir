// A dimension that a tensor does not have made the program one that does anything;
// it crashed.
// RUN: not fpa-run %s --input=4xf32 2>&1 | FileCheck %s
// CHECK: fpa-run: error: {{.*}}.mlir:[[@LINE+3]]:{{[0-9]+}}: tensor.dim: expected a dimension below rank 1, got -1
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %c = arith.constant -1 : index
  %n = tensor.dim %x, %c : tensor<?xf32>
  %e = tensor.empty(%n) : tensor<?xf32>
  %y = linalg.copy ins(%x : tensor<?xf32>) outs(%e : tensor<?xf32>) -> tensor<?xf32>
  return %y : tensor<?xf32>
}
