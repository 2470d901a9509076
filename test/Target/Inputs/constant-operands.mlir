func.func @main(%q: tensor<1x2x40x16xf32>) -> tensor<1x2x40x16xf32> {
  %lengths = arith.constant dense<[0, 13, 40]> : tensor<3xi64>
  %field = arith.constant dense<-0.5> : tensor<1x2x40xf32>
  %level = arith.constant dense<0.25> : tensor<1x2x40xf32>
  %e = tensor.empty() : tensor<1x2x40x16xf32>
  %o = fpa.attention ins(%q, %q, %q : tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>, tensor<1x2x40x16xf32>) field(%field : tensor<1x2x40xf32>) level(%level : tensor<1x2x40xf32>) cu_seqlens(%lengths, %lengths : tensor<3xi64>, tensor<3xi64>) outs(%e : tensor<1x2x40x16xf32>) -> tensor<1x2x40x16xf32>
  return %o : tensor<1x2x40x16xf32>
}
