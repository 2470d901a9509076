// RUN: fpa-opt %s --fpa-raise-attention | FileCheck %s

// The sum of weights that divides the result stands behind the product, goes with
// it, and is itself a reduction that was to be looked at.

// CHECK-LABEL: func.func @main
// CHECK:         fpa.attention
// CHECK-NOT:     linalg.generic
// CHECK:         return
#map = affine_map<(d0, d1, d2) -> (d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d3)>
#map3 = affine_map<(d0, d1, d2, d3) -> (d2, d3)>
#map4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map5 = affine_map<(d0) -> (d0)>
#map6 = affine_map<(d0, d1) -> (d0, d1)>
#map7 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d4)>
#map8 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d4, d3)>
#map9 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3)>
#map10 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map11 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<96x32xf32>, %arg1: tensor<96xf32>, %arg2: tensor<4x32xf32>, %arg3: tensor<4xf32>, %arg4: tensor<2x23x32xf32>) -> tensor<2x4x23x8xf32> {
    %c0_i64 = arith.constant 0 : i64
    %c1_i64 = arith.constant 1 : i64
    %false = arith.constant false
    %true = arith.constant true
    %cst = arith.constant 0.000000e+00 : f32
    %cst_0 = arith.constant 2.82842708 : f32
    %cst_1 = arith.constant 0xFF800000 : f32
    %0 = tensor.empty() : tensor<2x23x96xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg1 : tensor<96xf32>) outs(%0 : tensor<2x23x96xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x23x96xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map3, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%arg4, %arg0 : tensor<2x23x32xf32>, tensor<96x32xf32>) outs(%1 : tensor<2x23x96xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %37 = arith.mulf %in, %in_11 : f32
      %38 = arith.addf %out, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x23x96xf32>
    %extracted_slice = tensor.extract_slice %2[0, 0, 0] [2, 23, 32] [1, 1, 1] : tensor<2x23x96xf32> to tensor<2x23x32xf32>
    %extracted_slice_2 = tensor.extract_slice %2[0, 0, 32] [2, 23, 32] [1, 1, 1] : tensor<2x23x96xf32> to tensor<2x23x32xf32>
    %extracted_slice_3 = tensor.extract_slice %2[0, 0, 64] [2, 23, 32] [1, 1, 1] : tensor<2x23x96xf32> to tensor<2x23x32xf32>
    %expanded = tensor.expand_shape %extracted_slice [[0], [1], [2, 3]] output_shape [2, 23, 4, 8] : tensor<2x23x32xf32> into tensor<2x23x4x8xf32>
    %3 = tensor.empty() : tensor<2x4x23x8xf32>
    %transposed = linalg.transpose ins(%expanded : tensor<2x23x4x8xf32>) outs(%3 : tensor<2x4x23x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_4 = tensor.expand_shape %extracted_slice_2 [[0], [1], [2, 3]] output_shape [2, 23, 4, 8] : tensor<2x23x32xf32> into tensor<2x23x4x8xf32>
    %4 = tensor.empty() : tensor<2x4x23x8xf32>
    %transposed_5 = linalg.transpose ins(%expanded_4 : tensor<2x23x4x8xf32>) outs(%4 : tensor<2x4x23x8xf32>) permutation = [0, 2, 1, 3] 
    %expanded_6 = tensor.expand_shape %extracted_slice_3 [[0], [1], [2, 3]] output_shape [2, 23, 4, 8] : tensor<2x23x32xf32> into tensor<2x23x4x8xf32>
    %5 = tensor.empty() : tensor<2x4x23x8xf32>
    %transposed_7 = linalg.transpose ins(%expanded_6 : tensor<2x23x4x8xf32>) outs(%5 : tensor<2x4x23x8xf32>) permutation = [0, 2, 1, 3] 
    %6 = tensor.empty() : tensor<23xi64>
    %7 = linalg.generic {indexing_maps = [#map5], iterator_types = ["parallel"]} outs(%6 : tensor<23xi64>) {
    ^bb0(%out: i64):
      %37 = linalg.index 0 : index
      %38 = arith.index_cast %37 : index to i64
      linalg.yield %38 : i64
    } -> tensor<23xi64>
    %8 = tensor.empty() : tensor<1x23xi64>
    %9 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%8 : tensor<1x23xi64>) {
    ^bb0(%out: i64):
      %37 = linalg.index 1 : index
      %38 = arith.index_cast %37 : index to i64
      %39 = arith.muli %38, %c1_i64 : i64
      %40 = arith.addi %c0_i64, %39 : i64
      linalg.yield %40 : i64
    } -> tensor<1x23xi64>
    %10 = tensor.empty() : tensor<23x1xi64>
    %11 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%10 : tensor<23x1xi64>) {
    ^bb0(%out: i64):
      %37 = linalg.index 0 : index
      %38 = arith.index_cast %37 : index to i64
      %39 = arith.muli %38, %c1_i64 : i64
      %40 = arith.addi %c0_i64, %39 : i64
      linalg.yield %40 : i64
    } -> tensor<23x1xi64>
    %12 = tensor.empty() : tensor<23x23xi1>
    %13 = linalg.generic {indexing_maps = [#map6], iterator_types = ["parallel", "parallel"]} outs(%12 : tensor<23x23xi1>) {
    ^bb0(%out: i1):
      %37 = linalg.index 1 : index
      %38 = arith.index_cast %37 : index to i64
      %39 = linalg.index 0 : index
      %40 = arith.index_cast %39 : index to i64
      %41 = arith.subi %38, %40 : i64
      %42 = arith.cmpi sle, %41, %c0_i64 : i64
      %43 = arith.select %42, %false, %true : i1
      linalg.yield %43 : i1
    } -> tensor<23x23xi1>
    %14 = tensor.empty() : tensor<2x4x8x23xf32>
    %transposed_8 = linalg.transpose ins(%transposed_5 : tensor<2x4x23x8xf32>) outs(%14 : tensor<2x4x8x23xf32>) permutation = [0, 1, 3, 2] 
    %15 = tensor.empty() : tensor<2x4x23x23xf32>
    %16 = linalg.fill ins(%cst : f32) outs(%15 : tensor<2x4x23x23xf32>) -> tensor<2x4x23x23xf32>
    %17 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%transposed, %transposed_8 : tensor<2x4x23x8xf32>, tensor<2x4x8x23xf32>) outs(%16 : tensor<2x4x23x23xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %37 = arith.mulf %in, %in_11 : f32
      %38 = arith.addf %out, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x4x23x23xf32>
    %18 = tensor.empty() : tensor<2x4x23x23xf32>
    %19 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x4x23x23xf32>) outs(%18 : tensor<2x4x23x23xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.divf %in, %cst_0 : f32
      linalg.yield %37 : f32
    } -> tensor<2x4x23x23xf32>
    %20 = tensor.empty() : tensor<2x4x23x23xf32>
    %21 = linalg.generic {indexing_maps = [#map3, #map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13, %19 : tensor<23x23xi1>, tensor<2x4x23x23xf32>) outs(%20 : tensor<2x4x23x23xf32>) {
    ^bb0(%in: i1, %in_11: f32, %out: f32):
      %37 = arith.select %in, %cst_1, %in_11 : f32
      linalg.yield %37 : f32
    } -> tensor<2x4x23x23xf32>
    %22 = tensor.empty() : tensor<2x4x23xf32>
    %23 = linalg.fill ins(%cst_1 : f32) outs(%22 : tensor<2x4x23xf32>) -> tensor<2x4x23xf32>
    %24 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%21 : tensor<2x4x23x23xf32>) outs(%23 : tensor<2x4x23xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.maximumf %in, %out : f32
      linalg.yield %37 : f32
    } -> tensor<2x4x23xf32>
    %expanded_9 = tensor.expand_shape %24 [[0], [1], [2, 3]] output_shape [2, 4, 23, 1] : tensor<2x4x23xf32> into tensor<2x4x23x1xf32>
    %25 = tensor.empty() : tensor<2x4x23x23xf32>
    %26 = linalg.generic {indexing_maps = [#map10, #map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%21, %expanded_9 : tensor<2x4x23x23xf32>, tensor<2x4x23x1xf32>) outs(%25 : tensor<2x4x23x23xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %37 = arith.subf %in, %in_11 : f32
      linalg.yield %37 : f32
    } -> tensor<2x4x23x23xf32>
    %27 = tensor.empty() : tensor<2x4x23x23xf32>
    %28 = linalg.generic {indexing_maps = [#map10, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<2x4x23x23xf32>) outs(%27 : tensor<2x4x23x23xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = math.exp %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x4x23x23xf32>
    %29 = tensor.empty() : tensor<2x4x23x8xf32>
    %30 = linalg.fill ins(%cst : f32) outs(%29 : tensor<2x4x23x8xf32>) -> tensor<2x4x23x8xf32>
    %31 = linalg.generic {indexing_maps = [#map7, #map8, #map9], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%28, %transposed_7 : tensor<2x4x23x23xf32>, tensor<2x4x23x8xf32>) outs(%30 : tensor<2x4x23x8xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %37 = arith.mulf %in, %in_11 : f32
      %38 = arith.addf %out, %37 : f32
      linalg.yield %38 : f32
    } -> tensor<2x4x23x8xf32>
    %32 = tensor.empty() : tensor<2x4x23xf32>
    %33 = linalg.fill ins(%cst : f32) outs(%32 : tensor<2x4x23xf32>) -> tensor<2x4x23xf32>
    %34 = linalg.generic {indexing_maps = [#map10, #map4], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%28 : tensor<2x4x23x23xf32>) outs(%33 : tensor<2x4x23xf32>) {
    ^bb0(%in: f32, %out: f32):
      %37 = arith.addf %out, %in : f32
      linalg.yield %37 : f32
    } -> tensor<2x4x23xf32>
    %expanded_10 = tensor.expand_shape %34 [[0], [1], [2, 3]] output_shape [2, 4, 23, 1] : tensor<2x4x23xf32> into tensor<2x4x23x1xf32>
    %35 = tensor.empty() : tensor<2x4x23x8xf32>
    %36 = linalg.generic {indexing_maps = [#map10, #map11, #map10], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%31, %expanded_10 : tensor<2x4x23x8xf32>, tensor<2x4x23x1xf32>) outs(%35 : tensor<2x4x23x8xf32>) {
    ^bb0(%in: f32, %in_11: f32, %out: f32):
      %37 = arith.divf %in, %in_11 : f32
      linalg.yield %37 : f32
    } -> tensor<2x4x23x8xf32>
    return %36 : tensor<2x4x23x8xf32>
  }
}

