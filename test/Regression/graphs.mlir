// Attention among other ops: values that are used again, returned twice, carried by
// loops, and computed in somebody's own parallel loop, against the float64 reference.

// RUN: fpa-run %s --entry=kept --input=1x2x77x16xf32 --input=1x2x77x16xf32 --input=1x2x77x16xf32 --input=1x2x77xf32:walk \
// RUN:   --poison --threads=2 --tolerance=2e-6 | FileCheck %s
// RUN: fpa-run %s --entry=twice --input=1x2x77x16xf32 --input=1x2x77x16xf32 --input=1x2x77x16xf32 --input=1x2x77xf32:walk \
// RUN:   --poison --threads=2 --tolerance=2e-6 | FileCheck %s
// RUN: fpa-run %s --entry=loop --input=1x2x77x16xf32 --input=1x2x77x16xf32 --input=1x2x77x16xf32 --input=1x2x77xf32:walk \
// RUN:   --poison --threads=2 --tolerance=2e-6 | FileCheck %s
// RUN: fpa-run %s --entry=swap --input=1x2x77x16xf32 --input=1x2x77x16xf32 --input=1x2x77x16xf32 --input=1x2x77xf32:walk \
// RUN:   --poison --threads=2 --tolerance=2e-6 | FileCheck %s
// RUN: fpa-run %s --entry=heads --input=1x2x77x16xf32 --input=1x2x77x16xf32 --input=1x2x77x16xf32 --input=1x2x77xf32:walk \
// RUN:   --poison --threads=2 --tolerance=2e-6 | FileCheck %s
// CHECK: output 0: max absolute error {{.*}}, mismatched nan or inf 0

// %a is read again after a value that could have taken its place.
func.func @kept(%q: tensor<1x2x?x16xf32>, %k: tensor<1x2x?x16xf32>, %v: tensor<1x2x?x16xf32>, %f: tensor<1x2x?xf32>) -> tensor<1x2x?x16xf32> {
    %c2 = arith.constant 2 : index
    %n = tensor.dim %q, %c2 : tensor<1x2x?x16xf32>
    %e = tensor.empty(%n) : tensor<1x2x?x16xf32>
    %a = fpa.attention ins(%q, %k, %v : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) field(%f : tensor<1x2x?xf32>) outs(%e : tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
    %z = arith.addf %a, %q : tensor<1x2x?x16xf32>
    %t = arith.negf %z : tensor<1x2x?x16xf32>
    %b = fpa.attention ins(%t, %z, %a : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) field(%f : tensor<1x2x?xf32>) outs(%e : tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
    return %b : tensor<1x2x?x16xf32>
}

// Both results are one buffer.
func.func @twice(%q: tensor<1x2x?x16xf32>, %k: tensor<1x2x?x16xf32>, %v: tensor<1x2x?x16xf32>, %f: tensor<1x2x?xf32>) -> (tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) {
    %c2 = arith.constant 2 : index
    %n = tensor.dim %q, %c2 : tensor<1x2x?x16xf32>
    %e = tensor.empty(%n) : tensor<1x2x?x16xf32>
    %a = fpa.attention ins(%q, %k, %v : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) field(%f : tensor<1x2x?xf32>) outs(%e : tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
    return %a, %a : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>
}

// A stack of layers.
func.func @loop(%q: tensor<1x2x?x16xf32>, %k: tensor<1x2x?x16xf32>, %v: tensor<1x2x?x16xf32>, %f: tensor<1x2x?xf32>) -> tensor<1x2x?x16xf32> {
    %c2 = arith.constant 2 : index
    %n = tensor.dim %q, %c2 : tensor<1x2x?x16xf32>
    %e = tensor.empty(%n) : tensor<1x2x?x16xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %q) -> (tensor<1x2x?x16xf32>) {
      %a = fpa.attention ins(%x, %k, %x : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) field(%f : tensor<1x2x?xf32>) outs(%e : tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
      scf.yield %a : tensor<1x2x?x16xf32>
    }
    return %r : tensor<1x2x?x16xf32>
}

func.func @swap(%q: tensor<1x2x?x16xf32>, %k: tensor<1x2x?x16xf32>, %v: tensor<1x2x?x16xf32>, %f: tensor<1x2x?xf32>) -> (tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) {
    %c2 = arith.constant 2 : index
    %n = tensor.dim %q, %c2 : tensor<1x2x?x16xf32>
    %e = tensor.empty(%n) : tensor<1x2x?x16xf32>
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %r:2 = scf.for %i = %c0 to %c2 step %c1 iter_args(%x = %q, %y = %v) -> (tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) {
      %a = fpa.attention ins(%x, %k, %y : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>) field(%f : tensor<1x2x?xf32>) outs(%e : tensor<1x2x?x16xf32>) -> tensor<1x2x?x16xf32>
      scf.yield %y, %a : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>
    }
    return %r#0, %r#1 : tensor<1x2x?x16xf32>, tensor<1x2x?x16xf32>
}

func.func @heads(%q: tensor<1x2x?x16xf32>, %k: tensor<1x2x?x16xf32>, %v: tensor<1x2x?x16xf32>, %f: tensor<1x2x?xf32>) -> tensor<1x2x?x16xf32> {
    %c2 = arith.constant 2 : index
    %n = tensor.dim %q, %c2 : tensor<1x2x?x16xf32>
    %e = tensor.empty(%n) : tensor<1x2x?x16xf32>
    %r = scf.forall (%h) in (2) shared_outs(%o = %e) -> (tensor<1x2x?x16xf32>) {
      %qh = tensor.extract_slice %q[0, %h, 0, 0] [1, 1, %n, 16] [1, 1, 1, 1] : tensor<1x2x?x16xf32> to tensor<1x1x?x16xf32>
      %kh = tensor.extract_slice %k[0, %h, 0, 0] [1, 1, %n, 16] [1, 1, 1, 1] : tensor<1x2x?x16xf32> to tensor<1x1x?x16xf32>
      %oh = tensor.extract_slice %o[0, %h, 0, 0] [1, 1, %n, 16] [1, 1, 1, 1] : tensor<1x2x?x16xf32> to tensor<1x1x?x16xf32>
      %fh = tensor.extract_slice %f[0, %h, 0] [1, 1, %n] [1, 1, 1] : tensor<1x2x?xf32> to tensor<1x1x?xf32>
      %a = fpa.attention ins(%qh, %kh, %kh : tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>, tensor<1x1x?x16xf32>) field(%fh : tensor<1x1x?xf32>) outs(%oh : tensor<1x1x?x16xf32>) -> tensor<1x1x?x16xf32>
      scf.forall.in_parallel {
        tensor.parallel_insert_slice %a into %o[0, %h, 0, 0] [1, 1, %n, 16] [1, 1, 1, 1] : tensor<1x1x?x16xf32> into tensor<1x2x?x16xf32>
      }
    }
    return %r : tensor<1x2x?x16xf32>
}
