// Divisions of integers that a processor ends the process for end the call, in
// one line, on threads and in bodies of linalg ops as well.

// RUN: fpa-run %s --input=1xi32:7 --input=1xi32:2 --print | FileCheck %s --check-prefix=HOLDS
// HOLDS: 3
// RUN: not fpa-run %s --input=1xi32:7 --input=1xi32:0 2>&1 | FileCheck %s --check-prefix=ZERO
// RUN: not fpa-run %s --input=1xi32:-2147483648 --input=1xi32:-1 2>&1 | FileCheck %s --check-prefix=LEAST
// ZERO-NOT: {{.}}
// ZERO: {{^}}fpa-run: error: {{.*}}fpa-run-division.mlir:[[@LINE+8]]:8: arith.divsi: expected a divisor other than 0, got 0{{$}}
// ZERO-NOT: {{.}}
// LEAST: {{^}}fpa-run: error: {{.*}}fpa-run-division.mlir:[[@LINE+6]]:8: arith.divsi: expected another dividend by -1 than the least number, got that{{$}}

func.func @main(%a: tensor<1xi32>, %b: tensor<1xi32>) -> tensor<1xi32> {
  %i = arith.constant 0 : index
  %x = tensor.extract %a[%i] : tensor<1xi32>
  %y = tensor.extract %b[%i] : tensor<1xi32>
  %q = arith.divsi %x, %y : i32
  %r = tensor.from_elements %q : tensor<1xi32>
  return %r : tensor<1xi32>
}

// RUN: fpa-run %s --entry=body --input=4xi64:8,9,10,11 --input=4xi64:1,2,3,4 --print | FileCheck %s --check-prefix=BODY
// BODY: 0 1 1 3
// RUN: not fpa-run %s --entry=body --input=4xi64:8 --input=4xi64:1,2,0,4 --threads=2 2>&1 | FileCheck %s --check-prefix=INBODY
#map = affine_map<(d0) -> (d0)>
func.func @body(%a: tensor<4xi64>, %b: tensor<4xi64>) -> tensor<4xi64> {
  %e = tensor.empty() : tensor<4xi64>
  %r = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<4xi64>, tensor<4xi64>) outs(%e : tensor<4xi64>) {
  ^bb0(%x: i64, %y: i64, %z: i64):
    // INBODY: fpa-run-division.mlir:[[@LINE+1]]:10: arith.remui: expected a divisor other than 0, got 0{{$}}
    %q = arith.remui %x, %y : i64
    linalg.yield %q : i64
  } -> tensor<4xi64>
  return %r : tensor<4xi64>
}

// RUN: not fpa-run %s --entry=threads --input=8xindex:1,1,1,1,1,0,1,1 --threads=2 2>&1 | FileCheck %s --check-prefix=THREADS
func.func @threads(%b: tensor<8xindex>) -> tensor<8xindex> {
  %n = arith.constant 100 : index
  %e = tensor.empty() : tensor<8xindex>
  %r = scf.forall (%i) in (8) shared_outs(%o = %e) -> tensor<8xindex> {
    %d = tensor.extract %b[%i] : tensor<8xindex>
    // THREADS: fpa-run-division.mlir:[[@LINE+1]]:10: arith.ceildivsi: expected a divisor other than 0, got 0{{$}}
    %q = arith.ceildivsi %n, %d : index
    %s = tensor.from_elements %q : tensor<1xindex>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %s into %o[%i] [1] [1] : tensor<1xindex> into tensor<8xindex>
    }
  }
  return %r : tensor<8xindex>
}
