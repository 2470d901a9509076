// An assertion that fails ends the call with its message, not the process with
// none.

// RUN: fpa-run %s --input=4xi1:1 --input=4xf32:1,2,3,4 --print | FileCheck %s --check-prefix=HOLDS
// HOLDS: 1 2 3 4
// RUN: not fpa-run %s --input=4xi1:0 --input=4xf32 2>&1 | FileCheck %s
// RUN: not fpa-run %s --entry=parallel --input=4xi1:0 --threads=2 2>&1 | FileCheck %s --check-prefix=PARALLEL
// CHECK: {{^}}fpa-run: error: {{.*}}fpa-run-assert.mlir:[[@LINE+6]]:3: cf.assert failed: expected it to be so{{$}}
// CHECK-NOT: {{.}}

func.func @main(%a: tensor<4xi1>, %x: tensor<4xf32>) -> tensor<4xf32> {
  %i = arith.constant 0 : index
  %c = tensor.extract %a[%i] : tensor<4xi1>
  cf.assert %c, "expected it to be so"
  return %x : tensor<4xf32>
}

func.func @parallel(%a: tensor<4xi1>) -> tensor<4xi1> {
  %e = tensor.empty() : tensor<4xi1>
  %r = scf.forall (%i) in (4) shared_outs(%o = %e) -> tensor<4xi1> {
    %c = tensor.extract %a[%i] : tensor<4xi1>
    // PARALLEL: {{^}}fpa-run: error: {{.*}}fpa-run-assert.mlir:[[@LINE+1]]:5: cf.assert failed: in a thread{{$}}
    cf.assert %c, "in a thread"
    %s = tensor.from_elements %c : tensor<1xi1>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xi1> into tensor<4xi1>
    }
  }
  return %r : tensor<4xi1>
}
