func.func @kernels(%x: tensor<7xf32>, %q: tensor<1x1x16x16xf32>) -> (tensor<7xf32>, tensor<1x1x16x16xf32>) {
  %y = math.absf %x : tensor<7xf32>
  %e = tensor.empty() : tensor<1x1x16x16xf32>
  %o = fpa.attention ins(%q, %q, %q : tensor<1x1x16x16xf32>, tensor<1x1x16x16xf32>, tensor<1x1x16x16xf32>) outs(%e : tensor<1x1x16x16xf32>) -> tensor<1x1x16x16xf32>
  return %y, %o : tensor<7xf32>, tensor<1x1x16x16xf32>
}
func.func @kernels_kernel(%x: tensor<7xf32>) -> tensor<7xf32> {
  %y = math.absf %x : tensor<7xf32>
  return %y : tensor<7xf32>
}
