// The gradient of sum(g * minimum) with respect to the input of a minimum.
func.func @main(%x: tensor<4x?xf32>, %g: tensor<4x?xf32>) -> tensor<4x?xf32> {
  %c1 = arith.constant 1 : index
  %n = tensor.dim %x, %c1 : tensor<4x?xf32>
  %m0 = tensor.empty(%n) : tensor<4x?xf32>
  %i0 = tensor.empty(%n) : tensor<4x?xi64>
  %m, %i = fpa.prefix_min axis(1) reverse exclusive ins(%x : tensor<4x?xf32>)
    outs(%m0, %i0 : tensor<4x?xf32>, tensor<4x?xi64>) -> tensor<4x?xf32>, tensor<4x?xi64>
  %dx = fpa.prefix_min_backward axis(1) ins(%i, %g : tensor<4x?xi64>, tensor<4x?xf32>)
    outs(%m0 : tensor<4x?xf32>) -> tensor<4x?xf32>
  return %dx : tensor<4x?xf32>
}
