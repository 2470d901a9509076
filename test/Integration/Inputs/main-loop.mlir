func.func @main(%q: tensor<1x8x4096xSIZExf16>, %k: tensor<1x8x4096xSIZExf16>,
                %v: tensor<1x8x4096xSIZExf16>, %f: tensor<1x8x4096xf32>)
    -> tensor<1x8x4096xSIZExf16> {
  %i = tensor.empty() : tensor<1x8x4096xSIZExf16>
  %o = fpa.attention ins(%q, %k, %v : tensor<1x8x4096xSIZExf16>, tensor<1x8x4096xSIZExf16>, tensor<1x8x4096xSIZExf16>)
    CLAUSE outs(%i : tensor<1x8x4096xSIZExf16>) -> tensor<1x8x4096xSIZExf16>
  return %o : tensor<1x8x4096xSIZExf16>
}
