// RUN: fpa-opt %s --fpa-raise-attention --split-input-file -verify-diagnostics | FileCheck %s

// A softmax that is 0, not NaN, in rows without keys: its maximum starts at a
// finite number, its sum counts as at least one.

// CHECK-LABEL: func.func @at_least_one(
// CHECK: fpa.attention

#s = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @at_least_one(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %number = arith.constant 1.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %least = arith.constant -3.40282347E+38 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %r0 = tensor.empty() : tensor<8xf32>
  %m0 = linalg.fill ins(%least : f32) outs(%r0 : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#s, #i], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<8x8xf32>) outs(%m0 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %x = arith.maximumf %in, %out : f32
    linalg.yield %x : f32
  } -> tensor<8xf32>
  %e = linalg.generic {indexing_maps = [#s, #i, #s], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %most: f32, %out: f32):
    %x = arith.subf %in, %most : f32
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%r0 : tensor<8xf32>) -> tensor<8xf32>
  %l = linalg.generic {indexing_maps = [#s, #i], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<8x8xf32>) outs(%l0 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %x = arith.addf %out, %in : f32
    linalg.yield %x : f32
  } -> tensor<8xf32>
  %w = linalg.generic {indexing_maps = [#s, #i, #s], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %x = arith.maximumf %sum, %number : f32
    %y = arith.divf %in, %x : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}

// -----

// A row's sum may be less than this number.

// CHECK-LABEL: func.func @at_least_two(
// CHECK-NOT: fpa.attention

#s = affine_map<(i, j) -> (i, j)>
#i = affine_map<(i, j) -> (i)>
func.func @at_least_two(%q: tensor<8x16xf32>, %kt: tensor<16x8xf32>, %v: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %number = arith.constant 2.0 : f32
  %scale = arith.constant 0.25 : f32
  %none = arith.constant 0xFF800000 : f32
  %least = arith.constant -3.40282347E+38 : f32
  %s0 = tensor.empty() : tensor<8x8xf32>
  %sz = linalg.fill ins(%zero : f32) outs(%s0 : tensor<8x8xf32>) -> tensor<8x8xf32>
  %p = linalg.matmul ins(%q, %kt : tensor<8x16xf32>, tensor<16x8xf32>) outs(%sz : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [#s, #s], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<8x8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %x = arith.mulf %in, %scale : f32
    %seen = arith.cmpi sge, %i, %j : index
    %y = arith.select %seen, %x, %none : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %r0 = tensor.empty() : tensor<8xf32>
  %m0 = linalg.fill ins(%least : f32) outs(%r0 : tensor<8xf32>) -> tensor<8xf32>
  %m = linalg.generic {indexing_maps = [#s, #i], iterator_types = ["parallel", "reduction"]}
      ins(%s : tensor<8x8xf32>) outs(%m0 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %x = arith.maximumf %in, %out : f32
    linalg.yield %x : f32
  } -> tensor<8xf32>
  %e = linalg.generic {indexing_maps = [#s, #i, #s], iterator_types = ["parallel", "parallel"]}
      ins(%s, %m : tensor<8x8xf32>, tensor<8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %most: f32, %out: f32):
    %x = arith.subf %in, %most : f32
    %y = math.exp %x : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %l0 = linalg.fill ins(%zero : f32) outs(%r0 : tensor<8xf32>) -> tensor<8xf32>
  %l = linalg.generic {indexing_maps = [#s, #i], iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<8x8xf32>) outs(%l0 : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %x = arith.addf %out, %in : f32
    linalg.yield %x : f32
  } -> tensor<8xf32>
  %w = linalg.generic {indexing_maps = [#s, #i, #s], iterator_types = ["parallel", "parallel"]}
      ins(%e, %l : tensor<8x8xf32>, tensor<8xf32>) outs(%s0 : tensor<8x8xf32>) {
  ^bb0(%in: f32, %sum: f32, %out: f32):
    %x = arith.maximumf %sum, %number : f32
    %y = arith.divf %in, %x : f32
    linalg.yield %y : f32
  } -> tensor<8x8xf32>
  %o0 = tensor.empty() : tensor<8x4xf32>
  %oz = linalg.fill ins(%zero : f32) outs(%o0 : tensor<8x4xf32>) -> tensor<8x4xf32>
  // expected-remark @below {{not raised to fpa.attention: the softmax does not run along the keys}}
  %o = linalg.matmul ins(%w, %v : tensor<8x8xf32>, tensor<8x4xf32>) outs(%oz : tensor<8x4xf32>) -> tensor<8x4xf32>
  return %o : tensor<8x4xf32>
}
