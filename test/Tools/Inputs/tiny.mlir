// Attention with a field and a window, over a few rows.
func.func @main(%q: tensor<1x1x40x16xf32>, %k: tensor<1x1x40x16xf32>,
                %v: tensor<1x1x40x16xf32>, %f: tensor<1x1x40xf32>)
    -> tensor<1x1x40x16xf32> {
  %e = tensor.empty() : tensor<1x1x40x16xf32>
  %o = fpa.attention ins(%q, %k, %v : tensor<1x1x40x16xf32>, tensor<1x1x40x16xf32>, tensor<1x1x40x16xf32>)
    field(%f : tensor<1x1x40xf32>) outs(%e : tensor<1x1x40x16xf32>)
    {window = 13 : i64} -> tensor<1x1x40x16xf32>
  return %o : tensor<1x1x40x16xf32>
}
