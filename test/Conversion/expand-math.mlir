// RUN: fpa-opt %s --fpa-expand-math | FileCheck %s

// CHECK-LABEL: func.func @vector
//       CHECK:   arith.cmpf ogt
//       CHECK:   arith.cmpf olt
// CHECK-COUNT-5: math.fma
//       CHECK:   arith.bitcast %{{.*}} : vector<8xf32> to vector<8xi32>
//       CHECK:   arith.shli
//   CHECK-NOT:   math.exp2
//       CHECK:   return
func.func @vector(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.exp2 %x : vector<8xf32>
  return %y : vector<8xf32>
}

// CHECK-LABEL: func.func @others
//       CHECK:   math.exp2 %{{.*}} : f64
//       CHECK:   math.exp2 %{{.*}} : tensor<4xf32>
func.func @others(%x: f64, %t: tensor<4xf32>) -> (f64, tensor<4xf32>) {
  %y = math.exp2 %x : f64
  %u = math.exp2 %t : tensor<4xf32>
  return %y, %u : f64, tensor<4xf32>
}

// CHECK-LABEL: func.func @nonpositive
//   CHECK-NOT:   arith.cmpf olt
//       CHECK:   return
func.func @nonpositive(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.exp2 %x {fpa.nonpositive} : vector<8xf32>
  return %y : vector<8xf32>
}

// CHECK-LABEL: func.func @log2
//   CHECK-NOT:   math.log2
//       CHECK:   math.fma
//       CHECK:   return
func.func @log2(%x: vector<8xf32>) -> vector<8xf32> {
  %y = math.log2 %x : vector<8xf32>
  return %y : vector<8xf32>
}
