// Heads so wide that chips differ in the tile sizes that fit.
func.func @main(%q: tensor<1x1x?x128xf32>, %k: tensor<1x1x?x128xf32>, %v: tensor<1x1x?x128xf32>, %o: tensor<1x1x?x128xf32>) -> tensor<1x1x?x128xf32> {
  %r = fpa.attention ins(%q, %k, %v : tensor<1x1x?x128xf32>, tensor<1x1x?x128xf32>, tensor<1x1x?x128xf32>) outs(%o : tensor<1x1x?x128xf32>) -> tensor<1x1x?x128xf32>
  return %r : tensor<1x1x?x128xf32>
}
