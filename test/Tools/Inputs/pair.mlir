func.func @main(%x: tensor<?x4xf32>, %y: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %z = arith.addf %x, %y : tensor<?x4xf32>
  return %z : tensor<?x4xf32>
}
func.func @same(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  return %x : tensor<?x?xf32>
}
func.func @bf16(%x: tensor<?xbf16>) -> tensor<?xbf16> {
  return %x : tensor<?xbf16>
}
func.func @f16(%x: tensor<f16>) -> tensor<f16> {
  return %x : tensor<f16>
}
func.func @i1(%x: tensor<?xi1>) -> tensor<?xi1> {
  return %x : tensor<?xi1>
}
func.func @scalar(%x: f32) -> f32 {
  return %x : f32
}
func.func @unranked(%x: tensor<*xf32>) -> tensor<?xf32> {
  %y = tensor.cast %x : tensor<*xf32> to tensor<?xf32>
  return %y : tensor<?xf32>
}
func.func private @outside(tensor<4xf32>) -> tensor<4xf32>
func.func @calls_outside(%x: tensor<4xf32>) -> tensor<4xf32> {
  %y = call @outside(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func @static(%x: tensor<2x3xi64>) -> (tensor<2x3xi64>, tensor<2x3xi64>) {
  %y = arith.addi %x, %x : tensor<2x3xi64>
  return %x, %y : tensor<2x3xi64>, tensor<2x3xi64>
}
