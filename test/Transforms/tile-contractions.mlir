// RUN: fpa-opt %s -split-input-file --fpa-tile-contractions --canonicalize --cse | FileCheck %s

// Rows that are known at run time only; columns and depth in one block each.

// CHECK-DAG:   #[[ROWS:.*]] = affine_map<()[s0] -> (s0 ceildiv 64)>
// CHECK-LABEL: func.func @dynamic_rows(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<?x100xf32>, %[[B:[a-z0-9]+]]: tensor<100x70xf32>, %[[C:[a-z0-9]+]]: tensor<?x70xf32>)
// CHECK:         %[[COUNT:.*]] = affine.apply #[[ROWS]]()
// CHECK:         %[[R:.*]] = scf.forall (%{{.*}}, %{{.*}}) in (%[[COUNT]], 1) shared_outs(%[[OUT:.*]] = %[[C]])
// CHECK:           %[[SLICE:.*]] = tensor.extract_slice %[[OUT]]
// CHECK:           %[[ACC:.*]] = vector.transfer_read %[[SLICE]]{{.*}} {in_bounds = [false, true]} : tensor<?x70xf32>, vector<64x70xf32>
// CHECK:           %[[X:.*]] = vector.transfer_read {{.*}} {in_bounds = [false, true]} : tensor<?x100xf32>, vector<64x100xf32>
// CHECK:           %[[Y:.*]] = vector.transfer_read %[[B]]{{.*}} {in_bounds = [true, true]} : tensor<100x70xf32>, vector<100x70xf32>
// CHECK:           %[[S:.*]] = vector.contract {{.*}} %[[X]], %[[Y]], %[[ACC]]
// CHECK:           %[[W:.*]] = vector.transfer_write %[[S]], %[[SLICE]]
// CHECK:           tensor.parallel_insert_slice %[[W]] into %[[OUT]]
// The rows may turn out to be one block: then, too, the loop has to stay.
// CHECK:         } {mapping = [#fpa.work_item<0>, #fpa.work_item<1>]}
// CHECK:         return %[[R]]
func.func @dynamic_rows(%a: tensor<?x100xf32>, %b: tensor<100x70xf32>, %c: tensor<?x70xf32>) -> tensor<?x70xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<?x100xf32>, tensor<100x70xf32>) outs(%c : tensor<?x70xf32>) -> tensor<?x70xf32>
  return %r : tensor<?x70xf32>
}

// -----

// A weight in rows of the result's columns, in half precision, over several steps.

// CHECK-LABEL: func.func @widened(
// CHECK:         scf.forall (%{{.*}}, %{{.*}}, %{{.*}}) in (2, 2, 3)
// CHECK:           %[[R:.*]] = scf.for %{{.*}} = %c0 to %c4 step %c1 iter_args(%[[ACC:.*]] = %{{.*}}) -> (vector<64x128xf32>)
// CHECK:             %[[X:.*]] = vector.transfer_read {{.*}} : tensor<64x128xf16>, vector<64x128xf16>
// CHECK:             arith.extf %[[X]] : vector<64x128xf16> to vector<64x128xf32>
// CHECK:             %[[Y:.*]] = vector.transfer_read {{.*}} : tensor<128x128xf16>, vector<128x128xf16>
// CHECK:             %[[YW:.*]] = arith.extf %[[Y]]
// CHECK:             %[[S:.*]] = vector.contract {{.*}} %{{.*}}, %[[YW]], %[[ACC]] : vector<64x128xf32>, vector<128x128xf32> into vector<64x128xf32>
// CHECK:             scf.yield %[[S]]
func.func @widened(%x: tensor<2x128x512xf16>, %w: tensor<384x512xf16>, %init: tensor<2x128x384xf32>) -> tensor<2x128x384xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(b, l, e, d) -> (b, l, d)>, affine_map<(b, l, e, d) -> (e, d)>, affine_map<(b, l, e, d) -> (b, l, e)>],
                       iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
    ins(%x, %w : tensor<2x128x512xf16>, tensor<384x512xf16>) outs(%init : tensor<2x128x384xf32>) {
  ^bb0(%a: f16, %b: f16, %c: f32):
    %aw = arith.extf %a : f16 to f32
    %bw = arith.extf %b : f16 to f32
    %p = arith.mulf %aw, %bw : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x128x384xf32>
  return %r : tensor<2x128x384xf32>
}

// -----

// One row gets a block of two, of which one is written.

// CHECK-LABEL: func.func @one_row(
// CHECK:         scf.forall
// CHECK:           vector.contract {{.*}} : vector<2x8xf64>, vector<8x4xf64> into vector<2x4xf64>
// CHECK:           vector.transfer_write {{.*}} {in_bounds = [false, true]} : vector<2x4xf64>, tensor<1x4xf64>
func.func @one_row(%a: tensor<1x8xf64>, %b: tensor<8x4xf64>, %c: tensor<1x4xf64>) -> tensor<1x4xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<1x8xf64>, tensor<8x4xf64>) outs(%c : tensor<1x4xf64>) -> tensor<1x4xf64>
  return %r : tensor<1x4xf64>
}

// -----

// A sum in half precision, a body that does more, integers, a vector as a factor
// and windows along a dimension are left alone.

#ik = affine_map<(i, j, k) -> (i, k)>
#kj = affine_map<(i, j, k) -> (k, j)>
#ij = affine_map<(i, j, k) -> (i, j)>
// CHECK-LABEL: func.func @left_alone(
// CHECK-NOT:     scf.forall
// CHECK:         return
func.func @left_alone(%h: tensor<8x8xf16>, %f: tensor<8x8xf32>, %i: tensor<8x8xi32>, %v: tensor<8xf32>)
    -> (tensor<8x8xf16>, tensor<8x8xf32>, tensor<8x8xi32>, tensor<8xf32>, tensor<7x8xf32>) {
  %half = linalg.matmul ins(%h, %h : tensor<8x8xf16>, tensor<8x8xf16>) outs(%h : tensor<8x8xf16>) -> tensor<8x8xf16>
  %more = linalg.generic {indexing_maps = [#ik, #kj, #ij], iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%f, %f : tensor<8x8xf32>, tensor<8x8xf32>) outs(%f : tensor<8x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %m = math.absf %p : f32
    %s = arith.addf %c, %m : f32
    linalg.yield %s : f32
  } -> tensor<8x8xf32>
  %integers = linalg.matmul ins(%i, %i : tensor<8x8xi32>, tensor<8x8xi32>) outs(%i : tensor<8x8xi32>) -> tensor<8x8xi32>
  %vector = linalg.matvec ins(%f, %v : tensor<8x8xf32>, tensor<8xf32>) outs(%v : tensor<8xf32>) -> tensor<8xf32>
  %e = tensor.empty() : tensor<7x8xf32>
  %w = tensor.empty() : tensor<2x8xf32>
  %windows = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i + k, j)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
                             iterator_types = ["parallel", "parallel", "reduction"]}
    ins(%f, %w : tensor<8x8xf32>, tensor<2x8xf32>) outs(%e : tensor<7x8xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %c, %p : f32
    linalg.yield %s : f32
  } -> tensor<7x8xf32>
  return %half, %more, %integers, %vector, %windows : tensor<8x8xf16>, tensor<8x8xf32>, tensor<8x8xi32>, tensor<8xf32>, tensor<7x8xf32>
}
