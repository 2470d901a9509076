func.func @main(%x: tensor<33x70xf32>) -> (tensor<33xf32>, tensor<33x70xf32>, tensor<33x70xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<0xf32>, tensor<33xf32>) {
  %zero = arith.constant dense<0.0> : tensor<33xf32>
  %sums = linalg.reduce ins(%x : tensor<33x70xf32>) outs(%zero : tensor<33xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %s = arith.addf %a, %b : f32
      linalg.yield %s : f32
    }
  %half = arith.constant dense<0.5> : tensor<33x70xf32>
  %scaled = arith.mulf %x, %half : tensor<33x70xf32>
  %isMore = arith.cmpf ogt, %x, %half : tensor<33x70xf32>
  %table = arith.constant dense<[[1.0, -2.0, 3.0], [0.0, 5.0, -0.0]]> : tensor<2x3xf32>
  %part = tensor.extract_slice %x[0, 0] [2, 3] [1, 1] : tensor<33x70xf32> to tensor<2x3xf32>
  %moved = arith.addf %part, %table : tensor<2x3xf32>
  %two = arith.constant dense<2.0> : tensor<f32>
  %none = arith.constant dense<> : tensor<0xf32>
  return %sums, %scaled, %isMore, %table, %moved, %two, %none, %zero : tensor<33xf32>, tensor<33x70xf32>, tensor<33x70xi1>, tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>, tensor<0xf32>, tensor<33xf32>
}
