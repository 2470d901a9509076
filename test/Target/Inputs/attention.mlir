func.func @main(%q: tensor<1x?x?x16xf16>, %k: tensor<1x?x?x16xf16>, %v: tensor<1x?x?x16xf16>,
    %f: tensor<1x?x?xf32>, %o: tensor<1x?x?x16xf16>) -> tensor<1x?x?x16xf16> {
  %r = fpa.attention ins(%q, %k, %v : tensor<1x?x?x16xf16>, tensor<1x?x?x16xf16>, tensor<1x?x?x16xf16>)
    field(%f : tensor<1x?x?xf32>) outs(%o : tensor<1x?x?x16xf16>) -> tensor<1x?x?x16xf16>
  return %r : tensor<1x?x?x16xf16>
}
