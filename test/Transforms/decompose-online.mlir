// RUN: fpa-opt %s -split-input-file --fpa-decompose | FileCheck %s
// RUN: fpa-opt %s -split-input-file --fpa-decompose --one-shot-bufferize="bufferize-function-boundaries" --convert-linalg-to-loops | FileCheck %s --check-prefix=LOOPS

// The meaning of an inner tile, of any size, in linalg: the same equations as
// the vectors.

// LOOPS-LABEL: func @inner(
// LOOPS:         scf.for
// CHECK-LABEL: func @inner(
// CHECK-SAME:    %[[Q:.*]]: tensor<?x8xf32>, %[[K:.*]]: tensor<?x8xf32>, %[[V:.*]]: tensor<?x4xf32>, %[[F:.*]]: tensor<?xf32>, %[[S:.*]]: tensor<?xf32>,
// CHECK:         %[[QS:.*]] = linalg.generic
// CHECK:           arith.mulf %{{.*}}, %cst
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]} ins(%[[QS]], %{{.*}} : tensor<?x8xf32>, tensor<?x8xf32>)
// CHECK:           arith.mulf
// CHECK:           arith.addf
// CHECK:         linalg.broadcast
// CHECK:         linalg.generic
// CHECK:           arith.subf
// CHECK:           arith.cmpf ogt
// CHECK:           arith.select
// CHECK:           math.fma
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "reduction"]
// CHECK:           arith.cmpf ogt
// CHECK:           math.exp2
// CHECK:         linalg.generic {{.*}} iterator_types = ["parallel", "parallel", "reduction"]
// CHECK-NOT:     fpa.online_attention
// CHECK:         return
func.func @inner(%q: tensor<?x8xf32>, %k: tensor<?x8xf32>, %v: tensor<?x4xf32>,
                 %f: tensor<?xf32>, %s: tensor<?xf32>,
                 %a0: tensor<?x4xf32>, %m0: tensor<?xf32>, %l0: tensor<?xf32>, %r0: tensor<?xf32>)
    -> (tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>) {
  %a, %m, %l, %r = fpa.online_attention
    ins(%q, %k, %v : tensor<?x8xf32>, tensor<?x8xf32>, tensor<?x4xf32>)
    field(%f : tensor<?xf32>) suffix(%s : tensor<?xf32>)
    outs(%a0, %m0, %l0, %r0 : tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>)
    {scale = 0.5 : f64} -> tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
  return %a, %m, %l, %r : tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xf32>
}

// -----

// The edge: short row operands are padded with rows that see no key, minima
// come from a scan, and masked products are left out of the sum.

// LOOPS-LABEL: func @edge(
// LOOPS:         fpa.prefix_min
// CHECK-LABEL: func @edge(
// CHECK:         tensor.pad {{.*}} high[%{{.*}}, 0]
// CHECK:         arith.constant -1 : i64
// CHECK:         tensor.pad
// CHECK:         linalg.generic
// CHECK:           arith.cmpi sle
// CHECK:         %[[VALID:.*]] = linalg.generic
// CHECK:           arith.cmpi sge
// CHECK:           arith.andi
// CHECK:         fpa.prefix_min axis(1) reverse exclusive
// CHECK:         linalg.generic {{.*}} ["parallel", "parallel", "reduction"]} ins(%{{.*}}, %{{.*}}, %[[VALID]] :
// CHECK:           %[[PV:.*]] = arith.mulf
// CHECK:           %[[SUM:.*]] = arith.addf %[[ACC:.*]], %[[PV]]
// CHECK:           arith.select %{{.*}}, %[[SUM]], %[[ACC]]
func.func @edge(%q: tensor<?x8xf32>, %k: tensor<32x8xf32>, %f: tensor<32xf32>,
                %first: tensor<?xi64>, %last: tensor<?xi64>, %off: index,
                %a0: tensor<16x8xf32>, %m0: tensor<16xf32>, %l0: tensor<16xf32>, %r0: tensor<16xf32>)
    -> (tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %a, %m, %l, %r = fpa.online_attention
    ins(%q, %k, %k : tensor<?x8xf32>, tensor<32x8xf32>, tensor<32x8xf32>)
    field(%f : tensor<32xf32>)
    interval(%first, %last at %off : tensor<?xi64>, tensor<?xi64>)
    outs(%a0, %m0, %l0, %r0 : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>)
    {scale = 0.5 : f64} -> tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
  return %a, %m, %l, %r : tensor<16x8xf32>, tensor<16xf32>, tensor<16xf32>, tensor<16xf32>
}

// -----

// LOOPS-LABEL: func @finalize(
// LOOPS-NOT:     fpa.
// CHECK-LABEL: func @finalize(
// CHECK-SAME:    %{{.*}}, %[[O0:.*]]: tensor<?x4xf16>)
// CHECK:         arith.divf
// CHECK:         arith.truncf
// CHECK:         %[[O:.*]] = tensor.extract_slice %{{.*}} : tensor<16x4xf16> to tensor<?x4xf16>
// CHECK:         linalg.copy ins(%[[O]] : {{.*}}) outs(%[[O0]] :
func.func @finalize(%a: tensor<16x4xf32>, %m: tensor<16xf32>, %s: tensor<16xf32>,
                    %o0: tensor<?x4xf16>) -> tensor<?x4xf16> {
  %o = fpa.online_finalize
    ins(%a, %m, %s : tensor<16x4xf32>, tensor<16xf32>, tensor<16xf32>)
    outs(%o0 : tensor<?x4xf16>) -> tensor<?x4xf16>
  return %o : tensor<?x4xf16>
}
