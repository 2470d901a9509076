// Heads of 20, which no matrix instruction takes.
func.func @main(%q: tensor<1x2x64x20xf16>, %v: tensor<1x2x64x64xf16>,
                %field: tensor<1x2x64xf32>) -> tensor<1x2x64x64xf16> {
  %empty = tensor.empty() : tensor<1x2x64x64xf16>
  %o = fpa.attention ins(%q, %q, %v : tensor<1x2x64x20xf16>, tensor<1x2x64x20xf16>, tensor<1x2x64x64xf16>)
    field(%field : tensor<1x2x64xf32>)
    outs(%empty : tensor<1x2x64x64xf16>) -> tensor<1x2x64x64xf16>
  return %o : tensor<1x2x64x64xf16>
}
