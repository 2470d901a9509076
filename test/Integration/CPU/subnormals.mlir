// Subnormal numbers of bf16 stay what they are where they are carried around a
// loop, compared and computed with. No CPU needs a function of its compiler's
// library for that, which a process may not have.

// RUN: fpa-run %s --entry=least --input=4xbf16:3e-40,-2e-40,1e-39,-5e-40 --print | FileCheck %s --check-prefix=LEAST
// RUN: fpa-run %s --entry=least --input=4xbf16:3e-40,-2e-40,1e-39,-5e-40 --print --cpu=x86-64 | FileCheck %s --check-prefix=LEAST
// LEAST: 4xbf16
// LEAST-NEXT: {{^}}2.75506e-40 -1.83671e-40 -1.83671e-40 -4.59177e-40{{$}}
func.func @least(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %inf = arith.constant 0x7F80 : bf16
  %e = tensor.empty(%n) : tensor<?xbf16>
  %result:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%mins = %e, %least = %inf) -> (tensor<?xbf16>, bf16) {
    %v = tensor.extract %x[%i] : tensor<?xbf16>
    %l = arith.minimumf %least, %v : bf16
    %m = tensor.insert %l into %mins[%i] : tensor<?xbf16>
    scf.yield %m, %l : tensor<?xbf16>, bf16
  }
  return %result#0 : tensor<?xbf16>
}

// RUN: fpa-run %s --entry=sum --input=4xbf16:3e-40,-2e-40,1e-39,-5e-40 --print | FileCheck %s --check-prefix=SUM
// RUN: fpa-run %s --entry=sum --input=4xbf16:3e-40,-2e-40,1e-39,-5e-40 --print --cpu=x86-64 | FileCheck %s --check-prefix=SUM
// SUM: 4xbf16
// SUM-NEXT: {{^}}2.75506e-40 9.18355e-41 1.10203e-39 6.42848e-40{{$}}
func.func @sum(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c0 : tensor<?xbf16>
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty(%n) : tensor<?xbf16>
  %result:2 = scf.for %i = %c0 to %n step %c1
      iter_args(%sums = %e, %sum = %zero) -> (tensor<?xbf16>, bf16) {
    %v = tensor.extract %x[%i] : tensor<?xbf16>
    %s = arith.addf %sum, %v : bf16
    %m = tensor.insert %s into %sums[%i] : tensor<?xbf16>
    scf.yield %m, %s : tensor<?xbf16>, bf16
  }
  return %result#0 : tensor<?xbf16>
}
