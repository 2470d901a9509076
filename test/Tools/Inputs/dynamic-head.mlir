func.func @main(%q: tensor<1x1x8x?xf32>, %v: tensor<1x1x8x4xf32>, %o0: tensor<1x1x8x4xf32>) -> tensor<1x1x8x4xf32> {
  %o = fpa.attention
    ins(%q, %q, %v : tensor<1x1x8x?xf32>, tensor<1x1x8x?xf32>, tensor<1x1x8x4xf32>)
    outs(%o0 : tensor<1x1x8x4xf32>) {scale = 1.0 : f64} -> tensor<1x1x8x4xf32>
  return %o : tensor<1x1x8x4xf32>
}
