// A whole attention layer: projections, first passage attention, output
// projection, residual. The field is the bracket depth of the text, a running
// sum of the steps +1 (opening), -1 (closing) and 0, times a strength per head.
//
//   tokens    L x 128      what each token is
//   steps     L            how it changes the bracket depth
//   strength  2            logits per level of depth, one for each key head
//   w_q       128 x 128    4 query heads of 32
//   w_k, w_v  128 x 64     2 key heads of 32
//   w_o       128 x 128
//
// The level is tied to the field: a closing bracket is a dip of the field below
// the level of every key inside the brackets.

func.func @main(%tokens: tensor<?x128xf32>, %steps: tensor<?xf32>,
                %strength: tensor<2xf32>, %w_q: tensor<128x128xf32>,
                %w_k: tensor<128x64xf32>, %w_v: tensor<128x64xf32>,
                %w_o: tensor<128x128xf32>) -> tensor<?x128xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %length = tensor.dim %tokens, %c0 : tensor<?x128xf32>

  // Depth and field.
  %depth_init = tensor.empty(%length) : tensor<?xf32>
  %depth = fpa.prefix_sum axis(0) ins(%steps : tensor<?xf32>)
    outs(%depth_init : tensor<?xf32>) -> tensor<?xf32>
  %field_init = tensor.empty(%length) : tensor<1x2x?xf32>
  %field = linalg.generic {
      indexing_maps = [affine_map<(b, h, t) -> (h)>, affine_map<(b, h, t) -> (t)>,
                       affine_map<(b, h, t) -> (b, h, t)>],
      iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%strength, %depth : tensor<2xf32>, tensor<?xf32>)
      outs(%field_init : tensor<1x2x?xf32>) {
    ^bb0(%s: f32, %d: f32, %unused: f32):
      %f = arith.mulf %s, %d : f32
      linalg.yield %f : f32
  } -> tensor<1x2x?xf32>

  // Projections, split into heads.
  %q = call @project_q(%tokens, %w_q) : (tensor<?x128xf32>, tensor<128x128xf32>) -> tensor<1x4x?x32xf32>
  %k = call @project_kv(%tokens, %w_k) : (tensor<?x128xf32>, tensor<128x64xf32>) -> tensor<1x2x?x32xf32>
  %v = call @project_kv(%tokens, %w_v) : (tensor<?x128xf32>, tensor<128x64xf32>) -> tensor<1x2x?x32xf32>

  %o_init = tensor.empty(%length) : tensor<1x4x?x32xf32>
  %o = fpa.attention
    ins(%q, %k, %v : tensor<1x4x?x32xf32>, tensor<1x2x?x32xf32>, tensor<1x2x?x32xf32>)
    field(%field : tensor<1x2x?xf32>)
    outs(%o_init : tensor<1x4x?x32xf32>) -> tensor<1x4x?x32xf32>

  // Heads side by side again, output projection, residual.
  %heads = tensor.collapse_shape %o [[0, 1], [2], [3]] : tensor<1x4x?x32xf32> into tensor<4x?x32xf32>
  %rows_init = tensor.empty(%length) : tensor<?x4x32xf32>
  %rows = linalg.transpose ins(%heads : tensor<4x?x32xf32>)
    outs(%rows_init : tensor<?x4x32xf32>) permutation = [1, 0, 2]
  %flat = tensor.collapse_shape %rows [[0], [1, 2]] : tensor<?x4x32xf32> into tensor<?x128xf32>
  %init = tensor.empty(%length) : tensor<?x128xf32>
  %cleared = linalg.fill ins(%zero : f32) outs(%init : tensor<?x128xf32>) -> tensor<?x128xf32>
  %mixed = linalg.matmul ins(%flat, %w_o : tensor<?x128xf32>, tensor<128x128xf32>)
    outs(%cleared : tensor<?x128xf32>) -> tensor<?x128xf32>
  %result = linalg.add ins(%tokens, %mixed : tensor<?x128xf32>, tensor<?x128xf32>)
    outs(%init : tensor<?x128xf32>) -> tensor<?x128xf32>
  return %result : tensor<?x128xf32>
}

func.func private @project_q(%x: tensor<?x128xf32>, %w: tensor<128x128xf32>) -> tensor<1x4x?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %length = tensor.dim %x, %c0 : tensor<?x128xf32>
  %init = tensor.empty(%length) : tensor<?x128xf32>
  %cleared = linalg.fill ins(%zero : f32) outs(%init : tensor<?x128xf32>) -> tensor<?x128xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x128xf32>, tensor<128x128xf32>)
    outs(%cleared : tensor<?x128xf32>) -> tensor<?x128xf32>
  %split = tensor.expand_shape %y [[0], [1, 2]] output_shape [%length, 4, 32]
    : tensor<?x128xf32> into tensor<?x4x32xf32>
  %heads_init = tensor.empty(%length) : tensor<4x?x32xf32>
  %heads = linalg.transpose ins(%split : tensor<?x4x32xf32>)
    outs(%heads_init : tensor<4x?x32xf32>) permutation = [1, 0, 2]
  %batch = tensor.expand_shape %heads [[0, 1], [2], [3]] output_shape [1, 4, %length, 32]
    : tensor<4x?x32xf32> into tensor<1x4x?x32xf32>
  return %batch : tensor<1x4x?x32xf32>
}

func.func private @project_kv(%x: tensor<?x128xf32>, %w: tensor<128x64xf32>) -> tensor<1x2x?x32xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %length = tensor.dim %x, %c0 : tensor<?x128xf32>
  %init = tensor.empty(%length) : tensor<?x64xf32>
  %cleared = linalg.fill ins(%zero : f32) outs(%init : tensor<?x64xf32>) -> tensor<?x64xf32>
  %y = linalg.matmul ins(%x, %w : tensor<?x128xf32>, tensor<128x64xf32>)
    outs(%cleared : tensor<?x64xf32>) -> tensor<?x64xf32>
  %split = tensor.expand_shape %y [[0], [1, 2]] output_shape [%length, 2, 32]
    : tensor<?x64xf32> into tensor<?x2x32xf32>
  %heads_init = tensor.empty(%length) : tensor<2x?x32xf32>
  %heads = linalg.transpose ins(%split : tensor<?x2x32xf32>)
    outs(%heads_init : tensor<2x?x32xf32>) permutation = [1, 0, 2]
  %batch = tensor.expand_shape %heads [[0, 1], [2], [3]] output_shape [1, 2, %length, 32]
    : tensor<2x?x32xf32> into tensor<1x2x?x32xf32>
  return %batch : tensor<1x2x?x32xf32>
}
