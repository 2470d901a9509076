// RUN: fpa-opt %s --fpa-vectorize-tiles --canonicalize --cse | FileCheck %s

// Few rows, as of the query heads of a key head: their products with keys are sums
// along the columns, for which keys are read as they lie in memory, and then the
// rows of one block. Weighted values are a product as ever.

// CHECK-LABEL: func @two(
// CHECK-SAME:    %[[Q:.*]]: tensor<2x16xf32>, %[[K:.*]]: tensor<32x16xf32>, %[[V:.*]]: tensor<32x8xf32>
// CHECK:         %[[QV:.*]] = vector.transfer_read %[[Q]]
// CHECK:         %[[KV:.*]] = vector.transfer_read %[[K]]
// CHECK:         %[[SCALED:.*]] = arith.mulf %[[QV]]
// CHECK:         %[[STEP:.*]] = vector.step : vector<2xindex>
// CHECK:         %[[ROWS:.*]] = arith.index_cast %[[STEP]]
// CHECK:         %[[IS0:.*]] = arith.cmpi eq, %[[ROWS]], %{{.*}} : vector<2xi32>
// CHECK:         %[[ALONE0:.*]] = arith.select %{{.*}}, %[[SCALED]], %{{.*}} : vector<2x16xi1>, vector<2x16xf32>
// CHECK:         %[[Q0:.*]] = vector.multi_reduction <add>, %[[ALONE0]], %{{.*}} [0] : vector<2x16xf32> to vector<16xf32>
// CHECK:         %[[SPREAD0:.*]] = vector.broadcast %[[Q0]] : vector<16xf32> to vector<32x16xf32>
// CHECK:         %[[P0:.*]] = arith.mulf %[[KV]], %[[SPREAD0]]
// CHECK:         %[[S0:.*]] = vector.multi_reduction <add>, %[[P0]], %{{.*}} [1] : vector<32x16xf32> to vector<32xf32>
// CHECK:         %[[B0:.*]] = vector.broadcast %[[S0]] : vector<32xf32> to vector<2x32xf32>
// CHECK:         %[[P1:.*]] = arith.mulf %[[KV]], %{{.*}}
// CHECK:         %[[S1:.*]] = vector.multi_reduction <add>, %[[P1]], %{{.*}} [1] : vector<32x16xf32> to vector<32xf32>
// CHECK:         %[[B1:.*]] = vector.broadcast %[[S1]] : vector<32xf32> to vector<2x32xf32>
// CHECK:         arith.select %{{.*}}, %[[B1]], %[[B0]] : vector<2x32xi1>, vector<2x32xf32>
// CHECK:         vector.contract {{.*}} : vector<2x32xf32>, vector<32x8xf32> into vector<2x8xf32>
// CHECK-NOT:     vector.contract

// Eight rows fill a register: one product.

// CHECK-LABEL: func @eight(
// CHECK:         vector.contract {{.*}} : vector<8x16xf32>, vector<32x16xf32> into vector<8x32xf32>
func.func @two(%q: tensor<2x16xf32>, %k: tensor<32x16xf32>, %v: tensor<32x8xf32>,
               %f: tensor<32xf32>, %a0: tensor<2x8xf32>, %x0: tensor<2xf32>) -> tensor<2x8xf32> {
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<2x16xf32>, tensor<32x16xf32>, tensor<32x8xf32>)
    field(%f : tensor<32xf32>) suffix(%f : tensor<32xf32>)
    outs(%a0, %x0, %x0, %x0 : tensor<2x8xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>)
    {scale = 0.25 : f64}     -> tensor<2x8xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>
  return %r#0 : tensor<2x8xf32>
}

func.func @eight(%q: tensor<8x16xf32>, %k: tensor<32x16xf32>, %v: tensor<32x8xf32>,
                 %f: tensor<32xf32>, %a0: tensor<8x8xf32>, %x0: tensor<8xf32>) -> tensor<8x8xf32> {
  %r:4 = fpa.online_attention
    ins(%q, %k, %v : tensor<8x16xf32>, tensor<32x16xf32>, tensor<32x8xf32>)
    field(%f : tensor<32xf32>) suffix(%f : tensor<32xf32>)
    outs(%a0, %x0, %x0, %x0 : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>)
    {scale = 0.25 : f64}     -> tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  return %r#0 : tensor<8x8xf32>
}
